// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

extern "C" const char* wrapped_version();

int main() {
  const char* version = wrapped_version();
  if (version == nullptr) return 1;
  std::cout << "wrapped gpuenv " << version << '\n';
}
