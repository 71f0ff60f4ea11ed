// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Eigen as its user has it at its best: this machine's instruction set, all cores through OpenMP.
#pragma once

#include <cstdint>
#include <string>

namespace gpuenv_bench {

/// c = a b: row-major, dense; a is m x k, b is k x n.
void eigen_product(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k);
void eigen_product(const double* a, const double* b, double* c, std::int64_t m, std::int64_t n, std::int64_t k);

/// "Eigen 3.4.0 (AVX512, FMA), 16 threads"
[[nodiscard]] std::string eigen_name();

}  // namespace gpuenv_bench
