// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host_device.hpp"

#include <cstdint>
#include <type_traits>

namespace gpuenv::kernels {

/// A matrix as kernels see it: element (i, j) lies at data[i * row_stride + j * col_stride]. Owns nothing.
///
/// Strides count elements and are not negative. Row major: {rows, cols, ld, 1}; column major: {rows, cols, 1, ld}; a
/// transpose swaps the pairs; a broadcast operand has a stride of 0. All indices are 64 bits wide: 46341 * 46341
/// elements are already more than an int can number.
template <class T>
struct strided {
  T* data;
  std::int64_t rows, cols, row_stride, col_stride;

  GPUENV_HD T& operator()(std::int64_t i, std::int64_t j) const { return data[i * row_stride + j * col_stride]; }

  /// The same elements with rows and columns exchanged; nothing moves.
  GPUENV_HD strided transposed() const { return {data, cols, rows, col_stride, row_stride}; }

  /// Whether neighbours along a row are the closer ones in memory, so that threads should walk along a row.
  GPUENV_HD bool is_row_major() const { return col_stride < row_stride; }

  /// A view through which nothing is written.
  template <class U = T, class = std::enable_if_t<!std::is_const_v<U>>>
  GPUENV_HD operator strided<const U>() const {
    return {data, rows, cols, row_stride, col_stride};
  }
};

}  // namespace gpuenv::kernels
