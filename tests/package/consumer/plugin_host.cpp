// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Loads a plug-in and calls it: plugin_host <path>
#include <dlfcn.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  void* symbol = library != nullptr ? dlsym(library, "wrapped_version") : nullptr;
  if (symbol == nullptr) {
    std::cerr << dlerror() << '\n';
    return 1;
  }
  const char* version = reinterpret_cast<const char* (*)()>(symbol)();
  if (version == nullptr) return 3;
  std::cout << "plug-in with gpuenv " << version << '\n';
}
