// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Compiled as eigen_product.cpp is.
#include "peers/fp64_check.hpp"

#include <Eigen/Core>

#include <limits>

namespace gpuenv_bench {

double worst_error_ratio(const float* a, const float* b, const float* c, int n) {
  using floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using doubles = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const doubles left = Eigen::Map<const floats>{a, n, n}.cast<double>();
  const doubles right = Eigen::Map<const floats>{b, n, n}.cast<double>();
  doubles exact{n, n};
  doubles size{n, n};
  exact.noalias() = left * right;
  const doubles left_size = left.cwiseAbs();
  const doubles right_size = right.cwiseAbs();
  size.noalias() = left_size * right_size;
  const double ku = n * 0x1p-24;
  const double gamma = ku / (1 - ku);
  double worst = 0;
  for (Eigen::Index i = 0; i < exact.size(); ++i) {
    const double ratio = std::abs(static_cast<double>(c[i]) - exact.data()[i]) / (gamma * size.data()[i]);
    if (!(ratio <= worst)) worst = ratio == ratio ? ratio : std::numeric_limits<double>::infinity();
  }
  return worst;
}

}  // namespace gpuenv_bench
