// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/version.hpp>

namespace gpuenv::inline v0 {

std::string_view version_string() noexcept { return GPUENV_VERSION; }

bool built_with_cuda() noexcept { return GPUENV_HAS_CUDA != 0; }

std::string_view built_architectures() noexcept { return GPUENV_BUILT_ARCHITECTURES; }

}  // namespace gpuenv::inline v0
