// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A product of small integers, where every right way of multiplying gives the same bits.
#pragma once

#include <gpuenv/gpuenv.hpp>

#include <cstdint>

namespace consumer {

/// True when `device` multiplied a 37 x 53 matrix by a 53 x 41 matrix without an error in any element.
inline bool product_is_exact(const gpuenv::device_choice& device) {
  namespace linalg = gpuenv::linalg;
  linalg::host_matrix<float> a{37, 53};
  linalg::host_matrix<float> b{53, 41, linalg::storage_order::column_major};
  const auto fill = [](linalg::host_matrix<float>& m, std::int64_t step) {
    for (std::int64_t i = 0; i < m.rows(); ++i) {
      for (std::int64_t j = 0; j < m.cols(); ++j) m(i, j) = static_cast<float>((step * i + j) % 19 - 9);
    }
  };
  fill(a, 7);
  fill(b, 11);
  const auto [c, info] = linalg::matmul(a, b, {.device = device});
  for (std::int64_t i = 0; i < c.rows(); ++i) {
    for (std::int64_t j = 0; j < c.cols(); ++j) {
      float sum = 0;
      for (std::int64_t k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
      if (c(i, j) != sum) return false;
    }
  }
  return !c.view().empty() && linalg::verify({.a = a, .b = b}, c).passed();
}

}  // namespace consumer
