// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Names and values in messages: any bytes, of any length, as one short line of ASCII.
#pragma once

#include <string>
#include <string_view>

namespace gpuenv::inline v0::env {

/// 'text' in quotes; quotes, backslashes and bytes that are no printable ASCII stand as \xNN, and of more than 64 bytes
/// only the first are shown, with the length: 'aaa...' (1048576 bytes).
[[nodiscard]] std::string in_quotes(std::string_view bytes);

}  // namespace gpuenv::inline v0::env
