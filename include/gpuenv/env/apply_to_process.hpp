// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The one place where gpuenv writes the environment of its own process, and only when a program asks for it.
//   env::apply_to_process(env::overlay{}.set("CUDA_VISIBLE_DEVICES", "1"), env::cuda_state::not_started);
#pragma once

#include <gpuenv/base/export.hpp>
#include <gpuenv/env/overlay.hpp>

#include <filesystem>

namespace gpuenv::inline v0::env {

/// Whether CUDA has started in this process. This room knows nothing of CUDA: who calls, says.
enum class cuda_state { not_started, started };

/// Sets and removes variables of this process: all of `changes`, or none. Refused, with every reason at once,
///   - for a variable that CUDA reads once, when it starts (CUDA_VISIBLE_DEVICES, CUDA_DEVICE_ORDER,
///   CUDA_MODULE_LOADING,
///     CUDA_CACHE_*, CUDA_MPS_* and all other CUDA_* names but CUDA_HOME, CUDA_PATH, CUDA_ROOT and CUDA_VERSION), once
///     CUDA has started;
///   - for a variable that the loader reads once, when a program is started (LD_LIBRARY_PATH, LD_PRELOAD, LD_AUDIT and
///   the
///     others of ld.so(8), GLIBC_TUNABLES, MALLOC_*_): always. `reexec` starts the program again with them;
///   - while this process has other threads, which may read the environment at the same moment: start them afterwards.
/// A child needs none of this: give it `child_block{changes.applied_to(environment::of_process())}`.
///
/// @param root stands before /proc, where the threads are counted; another one than "/" is for tests
/// @throw error errc::too_late naming each variable that is refused and why, or the number of threads;
///              errc::file_access when the threads cannot be counted; errc::out_of_memory
GPUENV_EXPORT void apply_to_process(const overlay& changes, cuda_state cuda, const std::filesystem::path& root = "/");

}  // namespace gpuenv::inline v0::env
