// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A matrix that somebody else owns: a pointer, a shape and two strides. A transpose swaps the strides; a block moves
// the pointer. Nothing is copied.
//   host_matrix_view<const float> a = eigen_matrix;   auto corner = a.block(0, 0, 2, 2);   auto at = a.transposed();
#pragma once

#include <gpuenv/base/checked.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace gpuenv::inline v0::linalg {

struct host_memory {};    ///< the elements can be read on the host
struct device_memory {};  ///< the elements lie on a GPU; the host must not follow the pointer

/// Which neighbours lie next to each other in memory.
enum class storage_order { row_major, column_major };

/// What Eigen's dense objects with memory look like (Matrix, Map, Block, Transpose of these), without Eigen's headers.
template <class M>
concept eigen_like = requires(M& m) {
  requires std::is_pointer_v<decltype(m.data())>;
  { m.rows() } -> std::convertible_to<std::int64_t>;
  { m.cols() } -> std::convertible_to<std::int64_t>;
  { m.innerStride() } -> std::convertible_to<std::int64_t>;
  { m.outerStride() } -> std::convertible_to<std::int64_t>;
  {static_cast<bool>(std::remove_cvref_t<M>::IsRowMajor)};
};

namespace detail {

/// Refuses negative sizes, strides that make elements share memory, sizes that overflow and unaligned pointers.
GPUENV_EXPORT void check_view(const void* data, std::int64_t rows, std::int64_t cols, std::int64_t row_stride,
                              std::int64_t col_stride, std::size_t element_bytes, std::size_t alignment,
                              const std::source_location& where);

[[noreturn]] GPUENV_EXPORT void throw_bad_block(std::int64_t row, std::int64_t col, std::int64_t rows,
                                                std::int64_t cols, std::int64_t of_rows, std::int64_t of_cols,
                                                const std::source_location& where);

}  // namespace detail

/// Element (i, j) stands at data()[i * row_stride() + j * col_stride()]. Sizes and strides count elements; every
/// element has memory of its own.
/// @tparam Memory host_memory or device_memory; the two do not convert into each other
template <class T, class Memory>
class matrix_view {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;

  constexpr matrix_view() noexcept = default;

  /// @throws error naming the sizes and strides: negative sizes, strides too small, sizes that overflow, a pointer
  ///         that is null (for a matrix with elements) or not aligned for T.
  matrix_view(T* data, std::int64_t rows, std::int64_t cols, std::int64_t row_stride, std::int64_t col_stride,
              std::source_location where = std::source_location::current())
      : data_{data}, rows_{rows}, cols_{cols}, row_stride_{row_stride}, col_stride_{col_stride} {
    detail::check_view(data, rows, cols, row_stride, col_stride, sizeof(T), alignof(T), where);
  }

  /// Rows lie behind each other, `leading_dimension` (at least cols) elements apart.
  [[nodiscard]] static matrix_view row_major(T* data, std::int64_t rows, std::int64_t cols,
                                             std::int64_t leading_dimension,
                                             std::source_location where = std::source_location::current()) {
    return {data, rows, cols, leading_dimension, 1, where};
  }
  /// Columns lie behind each other, `leading_dimension` (at least rows) elements apart: as BLAS and Fortran have it.
  [[nodiscard]] static matrix_view column_major(T* data, std::int64_t rows, std::int64_t cols,
                                                std::int64_t leading_dimension,
                                                std::source_location where = std::source_location::current()) {
    return {data, rows, cols, 1, leading_dimension, where};
  }

  /// A view of an Eigen matrix, map or block; it must outlive the view.
  template <eigen_like M>
  requires std::is_same_v<Memory, host_memory> && std::is_convertible_v<decltype(std::declval<M&>().data()), T*>
  matrix_view(M&& m, std::source_location where = std::source_location::current())  // NOLINT: as std::span does
      : matrix_view{m.data(),
                    m.rows(),
                    m.cols(),
                    std::remove_cvref_t<M>::IsRowMajor ? m.outerStride() : m.innerStride(),
                    std::remove_cvref_t<M>::IsRowMajor ? m.innerStride() : m.outerStride(),
                    where} {}

  template <class U>
  requires std::is_same_v<const U, T>
  constexpr matrix_view(const matrix_view<U, Memory>& other) noexcept  // NOLINT: adds const
      : data_{other.data()},
        rows_{other.rows()},
        cols_{other.cols()},
        row_stride_{other.row_stride()},
        col_stride_{other.col_stride()} {}

  [[nodiscard]] constexpr T* data() const noexcept { return data_; }
  [[nodiscard]] constexpr std::int64_t rows() const noexcept { return rows_; }
  [[nodiscard]] constexpr std::int64_t cols() const noexcept { return cols_; }
  [[nodiscard]] constexpr std::int64_t row_stride() const noexcept { return row_stride_; }
  [[nodiscard]] constexpr std::int64_t col_stride() const noexcept { return col_stride_; }
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return rows_ * cols_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return rows_ == 0 || cols_ == 0; }

  /// The order in which a walk through the elements touches memory most closely.
  [[nodiscard]] constexpr storage_order order() const noexcept {
    return col_stride_ <= row_stride_ ? storage_order::row_major : storage_order::column_major;
  }

  /// Whether rows or columns are runs of neighbouring elements: what BLAS, Eigen and fast copies need.
  [[nodiscard]] constexpr bool has_unit_stride() const noexcept {
    return row_stride_ == 1 || col_stride_ == 1 || rows_ <= 1 || cols_ <= 1;
  }

  /// Element (i, j), unchecked.
  [[nodiscard]] constexpr T& operator()(std::int64_t i,
                                        std::int64_t j) const noexcept requires std::is_same_v<Memory, host_memory> {
    return data_[i * row_stride_ + j * col_stride_];
  }

  [[nodiscard]] constexpr matrix_view transposed() const noexcept {
    matrix_view result;
    result.data_ = data_;
    result.rows_ = cols_;
    result.cols_ = rows_;
    result.row_stride_ = col_stride_;
    result.col_stride_ = row_stride_;
    return result;
  }

  /// The rows x cols block whose first element is (row, col). @throws error when it reaches past the end.
  [[nodiscard]] matrix_view block(std::int64_t row, std::int64_t col, std::int64_t rows, std::int64_t cols,
                                  std::source_location where = std::source_location::current()) const {
    if (row < 0 || col < 0 || rows < 0 || cols < 0 || row > rows_ - rows || col > cols_ - cols) {
      detail::throw_bad_block(row, col, rows, cols, rows_, cols_, where);
    }
    matrix_view result = *this;
    if (rows != 0 && cols != 0) result.data_ += row * row_stride_ + col * col_stride_;
    result.rows_ = rows;
    result.cols_ = cols;
    return result;
  }

 private:
  template <class, class>
  friend class matrix_view;

  T* data_ = nullptr;
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::int64_t row_stride_ = 1;
  std::int64_t col_stride_ = 1;
};

template <class T>
using host_matrix_view = matrix_view<T, host_memory>;
template <class T>
using device_matrix_view = matrix_view<T, device_memory>;

}  // namespace gpuenv::inline v0::linalg
