// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Starts the running program again, in the same process, with an environment that only a start can bring.
//   if (!env::was_reexecuted()) env::reexec(wanted.applied_to(env::environment::of_process()));   // first lines of
//   main
#pragma once

#include <gpuenv/base/export.hpp>
#include <gpuenv/env/environment.hpp>

#include <span>
#include <string>
#include <string_view>

namespace gpuenv::inline v0::env {

/// The variable that `reexec` adds: it names the process that was re-executed, so that children which inherit it are
/// free to do so once themselves.
inline constexpr std::string_view reexec_guard = "GPUENV_REEXECUTED";

/// Whether this very process has been through `reexec`. Reads the process's environment: see `environment::of_process`.
/// @throw error errc::file_access when /proc/self/stat cannot be read
[[nodiscard]] GPUENV_EXPORT bool was_reexecuted();

/// Replaces the program by itself, started with `with` and the arguments it had (as /proc/self/cmdline shows them).
/// Same process id, working folder, signal mask and open files (those that are not close-on-exec). Nothing is destroyed
/// and no atexit function runs; C streams are flushed; other threads are gone. So call it first in main. Where the
/// program's file was removed or replaced meanwhile, the one that is running is started again.
/// @throw error errc::too_late when this process was re-executed before, which would never end; errc::file_access when
///              /proc cannot be read; otherwise the system's own code, naming the program (E2BIG: and the longest line)
[[noreturn]] GPUENV_EXPORT void reexec(environment with);

/// The same with other arguments, the first of which is the program's name.
/// @throw error also errc::invalid_argument for an argument that holds a NUL byte, or no arguments
[[noreturn]] GPUENV_EXPORT void reexec(environment with, std::span<const std::string> arguments);

}  // namespace gpuenv::inline v0::env
