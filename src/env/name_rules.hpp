// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What the process's block can hold as a name and as a value.
#pragma once

#include <string_view>

namespace gpuenv::inline v0::env {

/// @param where who asks: the first word of the message
/// @throw error errc::invalid_argument for a name that is empty or holds '=' or NUL
void check_name(std::string_view where, std::string_view name);

/// @throw error errc::invalid_argument for a value that holds NUL
void check_value(std::string_view where, std::string_view name, std::string_view value);

}  // namespace gpuenv::inline v0::env
