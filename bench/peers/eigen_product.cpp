// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Compiled with -march=native and, where there is OpenMP, with it; with a name of its own for Eigen's namespace.
#include "peers/eigen_product.hpp"

#include <Eigen/Core>

namespace gpuenv_bench {
namespace {

template <class T>
void product(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k) {
  using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<matrix>{c, m, n}.noalias() = Eigen::Map<const matrix>{a, m, k} * Eigen::Map<const matrix>{b, k, n};
}

}  // namespace

void eigen_product(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k) {
  product(a, b, c, m, n, k);
}

void eigen_product(const double* a, const double* b, double* c, std::int64_t m, std::int64_t n, std::int64_t k) {
  product(a, b, c, m, n, k);
}

std::string eigen_name() {
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + '.' + std::to_string(EIGEN_MAJOR_VERSION) + '.' +
         std::to_string(EIGEN_MINOR_VERSION) + " (" + Eigen::SimdInstructionSetsInUse() + "), " +
         std::to_string(Eigen::nbThreads()) + " threads";
}

}  // namespace gpuenv_bench
