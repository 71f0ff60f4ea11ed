// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Which variables are read once and never again, and by whom.
#pragma once

#include <string_view>

namespace gpuenv::inline v0::env {

enum class read_once {
  never,            ///< read whenever somebody wants to know
  at_cuda_start,    ///< by the first call of CUDA in a process
  at_program_start  ///< by the loader, ld.so, before main
};

[[nodiscard]] read_once read_once_of(std::string_view name) noexcept;

}  // namespace gpuenv::inline v0::env
