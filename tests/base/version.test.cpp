// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/version.hpp>
#include "support/catch.hpp"

namespace ge = gpuenv;

TEST_CASE("the compiled library has the version of its headers", "[base][version]") {
  CHECK(ge::version_string() == GPUENV_VERSION);
  CHECK(ge::built_with_cuda() == (GPUENV_HAS_CUDA != 0));
}

TEST_CASE("a build without CUDA names no architectures", "[base][version]") {
  if (!ge::built_with_cuda()) CHECK(ge::built_architectures().empty());
  if (ge::built_with_cuda()) CHECK_FALSE(ge::built_architectures().empty());
}
