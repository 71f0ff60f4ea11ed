// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// How much host memory this process could still get. Linux promises more than it has and kills who uses it, so a
// program that wants to say "not enough memory" has to ask first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace gpuenv::inline v0::cli {

/// Free memory and swap of the machine, within the limit of this container. Empty where neither is told.
/// @param root stands before /proc and /sys
[[nodiscard]] std::optional<std::uint64_t> available_memory(const std::filesystem::path& root = "/");

/// @throws error (errc::out_of_memory) naming `what`, the bytes wanted and those available, when they do not suffice
void require_memory(std::uint64_t bytes, const char* what);

}  // namespace gpuenv::inline v0::cli
