// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The product on the CPU. Pointers and strides cross this border, Eigen's types do not.
#pragma once

#include <gpuenv/linalg/matrix_view.hpp>

#include <string>

namespace gpuenv::inline v0::linalg {

/// c = alpha a b + beta c for matrices that were checked; beta = 0 never reads c, alpha = 0 never reads a and b.
void host_product(host_matrix_view<const float> a, host_matrix_view<const float> b, host_matrix_view<float> c,
                  float alpha, float beta);
void host_product(host_matrix_view<const double> a, host_matrix_view<const double> b, host_matrix_view<double> c,
                  double alpha, double beta);

/// "Eigen 3.4.0": the Eigen that is compiled in.
[[nodiscard]] std::string eigen_version();

/// c = beta c, where beta = 0 writes zeros over anything, NaN included.
template <class T>
void scale(host_matrix_view<T> c, T beta) {
  for (std::int64_t i = 0; i < c.rows(); ++i) {
    for (std::int64_t j = 0; j < c.cols(); ++j) c(i, j) = beta == T{0} ? T{0} : beta * c(i, j);
  }
}

}  // namespace gpuenv::inline v0::linalg
