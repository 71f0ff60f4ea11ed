// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The name of a GPU: 16 bytes, written "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx" as NVML and nvidia-smi write them.
#pragma once

#include <gpuenv/base/export.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuenv::inline v0::gpu {

/// All 16 bytes always count: a zero byte is a byte like any other.
struct uuid {
  std::array<std::uint8_t, 16> bytes{};

  /// Reads the full form; the head "GPU-" or "MIG-" is exact, the case of hexadecimal digits is free.
  [[nodiscard]] GPUENV_EXPORT static std::optional<uuid> parse(std::string_view text);

  friend auto operator<=>(const uuid&, const uuid&) = default;
  friend bool operator==(const uuid&, const uuid&) = default;  // nvcc does not define the one that <=> implies
};

/// "GPU-" and the 32 lower-case digits in groups of 8-4-4-4-12. `head` is "MIG-" for an instance.
[[nodiscard]] GPUENV_EXPORT std::string to_string(const uuid& id, std::string_view head = "GPU-");

}  // namespace gpuenv::inline v0::gpu
