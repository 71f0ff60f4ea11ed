// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What must hold before any product is started, on the CPU and on the GPU alike.
#pragma once

#include <gpuenv/linalg/matrix_view.hpp>

#include <string>

namespace gpuenv::inline v0::linalg {

/// Where a matrix lies, without its type: enough to compare shapes and memory.
struct operand {
  const char* name = "";
  const void* data = nullptr;
  std::int64_t rows = 0, cols = 0, row_stride = 1, col_stride = 1;
  std::int64_t element_bytes = 1;
};

template <class T, class Memory>
[[nodiscard]] operand describe(const char* name, const matrix_view<T, Memory>& m) {
  return {name, m.data(), m.rows(), m.cols(), m.row_stride(), m.col_stride(), static_cast<std::int64_t>(sizeof(T))};
}

[[nodiscard]] std::string shape_text(const operand& m);

/// Whether two matrices have an element's memory in common. Exact for matrices of one leading dimension (blocks of
/// one matrix); for others two address ranges that meet count as common.
[[nodiscard]] bool share_memory(const operand& x, const operand& y);

/// @throws error (errc::shape_mismatch) naming the operands and their shapes unless a is m x k, b k x n, c m x n.
void check_shapes(const operand& a, const operand& b, const operand& c, const std::source_location& where);

/// @throws error (errc::shape_mismatch) naming both unless x and y have one shape.
void check_same_shape(const operand& x, const operand& y, const std::source_location& where);

/// @throws error (errc::overlap) when c shares memory with a or b.
void check_overlap(const operand& a, const operand& b, const operand& c, const std::source_location& where);

/// alpha or beta in the element type. @throws error for a number that becomes 0 or infinite there and is not.
template <class T>
[[nodiscard]] T checked_factor(double factor, const char* name, const std::source_location& where) {
  const T converted = static_cast<T>(factor);
  const bool was_finite = factor - factor == 0;
  if (was_finite && ((converted == T{0}) != (factor == 0) || converted - converted != T{0})) {
    throw error{
        errc::invalid_argument,
        std::string{"matmul: "} + name + " = " + std::to_string(factor) + " is not a number of the element type",
        "scale an operand instead, or use double matrices", recovery::possible, where};
  }
  return converted;
}

}  // namespace gpuenv::inline v0::linalg
