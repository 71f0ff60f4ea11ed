// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/gpu/uuid.hpp>

namespace gpuenv::inline v0::gpu {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
constexpr std::size_t text_length = 36;  // without the head

bool dash_before(std::size_t byte) noexcept { return byte == 4 || byte == 6 || byte == 8 || byte == 10; }

int digit_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<uuid> uuid::parse(std::string_view text) {
  if (!text.starts_with("GPU-") && !text.starts_with("MIG-")) return std::nullopt;
  text.remove_prefix(4);
  if (text.size() != text_length) return std::nullopt;
  uuid result;
  std::size_t at = 0;
  for (std::size_t byte = 0; byte < result.bytes.size(); ++byte) {
    if (dash_before(byte) && text[at++] != '-') return std::nullopt;
    const int high = digit_value(text[at++]);
    const int low = digit_value(text[at++]);
    if (high < 0 || low < 0) return std::nullopt;
    result.bytes[byte] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return result;
}

std::string to_string(const uuid& id, std::string_view head) {
  std::string text{head};
  for (std::size_t byte = 0; byte < id.bytes.size(); ++byte) {
    if (dash_before(byte)) text += '-';
    text += digits[id.bytes[byte] >> 4];
    text += digits[id.bytes[byte] & 15];
  }
  return text;
}

}  // namespace gpuenv::inline v0::gpu
