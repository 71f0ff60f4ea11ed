// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

extern "C" const char* wrapped_version();

int main() { std::cout << "wrapped gpuenv " << wrapped_version() << '\n'; }
