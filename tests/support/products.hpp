// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Random products, and the three ways to verify them.
#pragma once

#include <gpuenv/linalg/matmul.hpp>
#include <gpuenv/linalg/random.hpp>
#include <gpuenv/linalg/verification.hpp>
#include "support/matrices.hpp"

namespace gpuenv_test {

using gpuenv::linalg::distribution;
using gpuenv::linalg::verify_method;

inline constexpr gpuenv::linalg::verify_options full{.method = verify_method::full};
inline constexpr gpuenv::linalg::verify_options sample{.method = verify_method::sample};
inline constexpr gpuenv::linalg::verify_options freivalds{.method = verify_method::freivalds};

template <class T>
struct multiplied {
  host_matrix<T> a, b, c;
};

template <class T>
multiplied<T> random_product(std::int64_t m, std::int64_t n, std::int64_t k,
                             distribution values = distribution::normal) {
  using namespace gpuenv::linalg;
  auto a = random_matrix<T>(m, k, {values, 7, 0});
  auto b = random_matrix<T>(k, n, {values, 7, 1});
  auto c = matmul(a, b, {.device = gpuenv::device_choice::cpu()}).value;
  return {std::move(a), std::move(b), std::move(c)};
}

}  // namespace gpuenv_test
