// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Reads one entry of CUDA_VISIBLE_DEVICES as driver 580 does.
#pragma once

#include <gpuenv/env/device_mask.hpp>

#include <string_view>

namespace gpuenv::inline v0::env {

/// What isspace takes in the C locale.
inline constexpr std::string_view white_space = " \t\n\v\f\r";

/// Without white space at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

/// True for "GPU-..." and "MIG-..." in any case.
[[nodiscard]] bool has_head_of_uuid(std::string_view text) noexcept;

/// True for the 36 bytes of a UUID without its head.
[[nodiscard]] bool is_bare_uuid(std::string_view text) noexcept;

/// All fields but the position.
[[nodiscard]] mask_entry read_entry(std::string_view text) noexcept;

}  // namespace gpuenv::inline v0::env
