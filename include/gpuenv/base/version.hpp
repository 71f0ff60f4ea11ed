// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The version of the library that a program was compiled with (macros) and that it runs with (functions).
#pragma once

#include <gpuenv/base/config.hpp>
#include <gpuenv/base/export.hpp>

#include <string_view>

namespace gpuenv::inline v0 {

/// The version of the compiled library, for example "0.1.0". It differs from GPUENV_VERSION when headers and shared
/// library come from two installations.
[[nodiscard]] GPUENV_EXPORT std::string_view version_string() noexcept;

/// True when the library was built with CUDA, whether or not this machine has a GPU.
[[nodiscard]] GPUENV_EXPORT bool built_with_cuda() noexcept;

/// The CUDA architectures that the library holds device code for, as CMake names them; empty without CUDA.
[[nodiscard]] GPUENV_EXPORT std::string_view built_architectures() noexcept;

}  // namespace gpuenv::inline v0
