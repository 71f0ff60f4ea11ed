// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/gpuenv.hpp>

#include <iostream>

int main() {
  std::cout << "gpuenv " << gpuenv::version_string() << '\n';
  return gpuenv::version_string() == GPUENV_VERSION ? 0 : 1;
}
