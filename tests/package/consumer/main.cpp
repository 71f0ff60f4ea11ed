// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "exact_product.hpp"

#include <iostream>

int main() {
  std::cout << "gpuenv " << gpuenv::version_string() << '\n';
  if (gpuenv::version_string() != GPUENV_VERSION) return 1;
  if (!consumer::product_is_exact(gpuenv::device_choice::cpu())) return 2;
  if (!consumer::product_is_exact(gpuenv::automatic)) return 3;
}
