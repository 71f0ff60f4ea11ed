// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The README's first program: a product wherever it runs best, and its proof.
#include <gpuenv/gpuenv.hpp>

#include <iostream>

namespace la = gpuenv::linalg;

int main() {
  const auto a = la::random_matrix<float>(1000, 1000, {.seed = 1});
  const auto b = la::random_matrix<float>(1000, 1000, {.seed = 1, .sequence = 1});
  const auto [c, info] = la::matmul(a, b, {.repeat = 3});  // on a GPU if one is usable, else on the CPU
  std::cout << info << '\n' << la::verify({.a = a, .b = b}, c) << '\n';
}
