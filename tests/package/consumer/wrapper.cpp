// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "exact_product.hpp"

#include <string>

/// gpuenv's version, or null when its product is wrong.
extern "C" const char* wrapped_version() {
  static const std::string version{gpuenv::version_string()};
  return consumer::product_is_exact(gpuenv::automatic) ? version.c_str() : nullptr;
}
