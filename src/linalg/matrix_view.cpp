// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/matrix_view.hpp>

namespace gpuenv::inline v0::linalg::detail {
namespace {

std::string shape_text(std::int64_t rows, std::int64_t cols) {
  return std::to_string(rows) + 'x' + std::to_string(cols);
}

/// True when no two elements share memory, seen from the order in which `inner` is the closer stride.
bool strides_nest(std::int64_t inner_size, std::int64_t inner, std::int64_t outer_size, std::int64_t outer) {
  if (inner_size > 1 && inner < 1) return false;
  if (outer_size <= 1) return true;
  std::int64_t run = 0;  // an inner run must end before the next begins
  if (__builtin_mul_overflow(inner_size - 1, inner, &run)) return false;
  return outer > run;
}

}  // namespace

void check_view(const void* data, std::int64_t rows, std::int64_t cols, std::int64_t row_stride,
                std::int64_t col_stride, std::size_t element_bytes, std::size_t alignment,
                const std::source_location& where) {
  const auto fail = [&](errc code, const std::string& text, const char* hint) {
    throw error{code, "matrix view " + shape_text(rows, cols) + ": " + text, hint, recovery::possible, where};
  };
  if (rows < 0 || cols < 0) fail(errc::invalid_argument, "a size is negative", "use sizes of 0 or more");
  if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0) {
    fail(errc::misaligned, "the pointer is not a multiple of " + std::to_string(alignment) + " bytes",
         "start the view at an element of its type");
  }
  if (rows == 0 || cols == 0) return;
  const std::string strides =
      "strides " + std::to_string(row_stride) + " (rows) and " + std::to_string(col_stride) + " (columns)";
  if (row_stride < 0 || col_stride < 0)
    fail(errc::invalid_argument, strides + ": one is negative", "use positive strides");
  const std::int64_t last_row = checked_multiply(rows - 1, row_stride, "matrix view: rows * row stride", where);
  const std::int64_t last_col = checked_multiply(cols - 1, col_stride, "matrix view: columns * column stride", where);
  const std::int64_t last = checked_add(last_row, last_col, "matrix view: extent", where);
  static_cast<void>(checked_multiply(checked_add(last, std::int64_t{1}, "matrix view: extent", where),
                                     static_cast<std::int64_t>(element_bytes), "matrix view: bytes", where));
  static_cast<void>(checked_multiply(rows, cols, "matrix view: rows * columns", where));
  if (!strides_nest(cols, col_stride, rows, row_stride) && !strides_nest(rows, row_stride, cols, col_stride)) {
    fail(errc::invalid_argument, strides + " are too small: elements would share memory",
         "a row-major matrix needs a row stride of at least its columns, a column-major one a column stride of at "
         "least its rows");
  }
  if (data == nullptr) fail(errc::invalid_argument, "the pointer is null", "pass the address of the first element");
}

void throw_bad_block(std::int64_t row, std::int64_t col, std::int64_t rows, std::int64_t cols, std::int64_t of_rows,
                     std::int64_t of_cols, const std::source_location& where) {
  throw error{errc::out_of_range,
              "block of " + shape_text(rows, cols) + " at (" + std::to_string(row) + ", " + std::to_string(col) +
                  ") is not inside a matrix of " + shape_text(of_rows, of_cols),
              "keep row + rows and col + cols within the matrix", recovery::possible, where};
}

}  // namespace gpuenv::inline v0::linalg::detail
