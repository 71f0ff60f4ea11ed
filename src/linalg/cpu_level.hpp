// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The instruction sets that CPU products are compiled for, and the one that this process uses.
#pragma once

#include <string_view>

namespace gpuenv::inline v0::linalg {

/// baseline is what the compiler targets by itself; v2, v3 and v4 are the levels of the x86-64 psABI.
enum class cpu_level { baseline, v2, v3, v4 };

/// "baseline", "x86-64-v2", ...
[[nodiscard]] std::string_view to_string(cpu_level level) noexcept;

/// The highest level that this CPU and its operating system have and this build has code for.
[[nodiscard]] cpu_level detected_cpu_level() noexcept;

/// The level named by `value` as in GPUENV_CPU_LEVEL, or `highest` where that is null or empty.
/// @throws error: not a level, or one above `highest`
[[nodiscard]] cpu_level requested_cpu_level(const char* value, cpu_level highest);

/// What GPUENV_CPU_LEVEL asks for, else the highest; decided at the first call. @throws error as above, at every call
[[nodiscard]] cpu_level chosen_cpu_level();

}  // namespace gpuenv::inline v0::linalg
