// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "env/read_once.hpp"

#include <algorithm>
#include <array>

namespace gpuenv::inline v0::env {
namespace {

using std::string_view_literals::operator""sv;

/// ld.so(8), and mallopt(3): glibc reads these as tunables. Not all of LD_*: LD_RUN_PATH is the linker's.
constexpr std::array loader_names{
    "GLIBC_TUNABLES"sv,
    "LD_ASSUME_KERNEL"sv,
    "LD_AUDIT"sv,
    "LD_BIND_NOT"sv,
    "LD_BIND_NOW"sv,
    "LD_DEBUG"sv,
    "LD_DEBUG_OUTPUT"sv,
    "LD_DYNAMIC_WEAK"sv,
    "LD_HWCAP_MASK"sv,
    "LD_LIBRARY_PATH"sv,
    "LD_ORIGIN_PATH"sv,
    "LD_POINTER_GUARD"sv,
    "LD_PREFER_MAP_32BIT_EXEC"sv,
    "LD_PRELOAD"sv,
    "LD_PROFILE"sv,
    "LD_PROFILE_OUTPUT"sv,
    "LD_SHOW_AUXV"sv,
    "LD_TRACE_LOADED_OBJECTS"sv,
    "LD_USE_LOAD_BIAS"sv,
    "LD_VERBOSE"sv,
    "LD_WARN"sv,
    "MALLOC_ARENA_MAX"sv,
    "MALLOC_ARENA_TEST"sv,
    "MALLOC_CHECK_"sv,
    "MALLOC_MMAP_MAX_"sv,
    "MALLOC_MMAP_THRESHOLD_"sv,
    "MALLOC_PERTURB_"sv,
    "MALLOC_TCACHE_COUNT"sv,
    "MALLOC_TOP_PAD_"sv,
    "MALLOC_TRIM_THRESHOLD_"sv,
};

/// Of build tools and images: CUDA itself does not read them.
constexpr std::array names_of_tools{"CUDA_HOME"sv, "CUDA_PATH"sv, "CUDA_ROOT"sv, "CUDA_VERSION"sv};

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view name) noexcept {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

read_once read_once_of(std::string_view name) noexcept {
  if (name.starts_with("CUDA_") && !holds(names_of_tools, name)) return read_once::at_cuda_start;
  return holds(loader_names, name) ? read_once::at_program_start : read_once::never;
}

}  // namespace gpuenv::inline v0::env
