// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/gpuenv.hpp>

#include <string>

extern "C" const char* wrapped_version() {
  static const std::string version{gpuenv::version_string()};
  return version.c_str();
}
