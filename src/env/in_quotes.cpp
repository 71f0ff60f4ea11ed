// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "env/in_quotes.hpp"

namespace gpuenv::inline v0::env {

std::string in_quotes(std::string_view bytes) {
  constexpr std::size_t most = 64;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "'";
  for (const char c : bytes.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '\'' && c != '\\') {
      text += c;
    } else {
      text += "\\x";
      text += digits[byte / 16];
      text += digits[byte % 16];
    }
  }
  if (bytes.size() <= most) return text + '\'';
  return text + "...' (" + std::to_string(bytes.size()) + " bytes)";
}

}  // namespace gpuenv::inline v0::env
