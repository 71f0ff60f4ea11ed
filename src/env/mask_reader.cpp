// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "env/mask_reader.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace gpuenv::inline v0::env {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

int hexadecimal(char c) noexcept {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_dash_behind(std::size_t digits) noexcept { return digits == 8 || digits == 12 || digits == 16 || digits == 20; }

/// Takes digits, and dashes where a UUID has them, from the front of `text`; stops at the first other byte.
uuid_prefix take_digits(std::string_view& text) noexcept {
  uuid_prefix id;
  while (!text.empty() && !id.is_whole()) {
    const bool is_dash = text.front() == '-' && is_dash_behind(id.digits);
    std::string_view rest = text.substr(is_dash ? 1 : 0);
    if (is_dash_behind(id.digits) && !is_dash) break;
    const int digit = rest.empty() ? -1 : hexadecimal(rest.front());
    if (digit < 0) {
      text = rest;  // "GPU-12345678-" ends with a dash that has its place
      break;
    }
    id.bytes[id.digits / 2] |= static_cast<std::uint8_t>(id.digits % 2 == 0 ? digit * 16 : digit);
    ++id.digits;
    rest.remove_prefix(1);
    text = rest;
  }
  return id;
}

/// Takes a decimal number of at most 9 digits from the front of `text`.
std::optional<std::uint32_t> take_number(std::string_view& text) noexcept {
  std::size_t length = 0;
  std::uint32_t value = 0;
  for (; length < text.size() && is_digit(text[length]); ++length) {
    if (length == 9) return std::nullopt;
    value = value * 10 + static_cast<std::uint32_t>(text[length] - '0');
  }
  if (length == 0) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

mask_entry bad(mask_fault fault) noexcept {
  mask_entry entry;
  entry.fault = fault;
  return entry;
}

mask_entry read_path(std::string_view text) noexcept {
  mask_entry entry;
  entry.id = take_digits(text);
  if (!entry.id.is_whole() || !text.starts_with('/')) return bad(mask_fault::incomplete_path);
  text.remove_prefix(1);
  const auto gpu_instance = take_number(text);
  if (!gpu_instance || !text.starts_with('/')) return bad(mask_fault::incomplete_path);
  text.remove_prefix(1);
  const auto compute_instance = take_number(text);
  if (!compute_instance) return bad(mask_fault::incomplete_path);
  entry.kind = mask_entry_kind::mig_path;
  entry.gpu_instance = *gpu_instance;
  entry.compute_instance = *compute_instance;
  entry.has_text_behind = !text.empty();
  return entry;
}

mask_entry read_uuid(std::string_view text) noexcept {
  if (text.starts_with("MIG-GPU-")) return read_path(text.substr(8));
  mask_entry entry;
  entry.kind = text.starts_with("GPU-") ? mask_entry_kind::gpu_uuid : mask_entry_kind::mig_uuid;
  text.remove_prefix(4);
  entry.id = take_digits(text);
  if (entry.id.digits == 0) return bad(mask_fault::no_digits);
  entry.has_text_behind = !text.empty();
  return entry;
}

/// True for "-2" and " - 2 ": what makes a range of the number before it.
bool ends_a_range(std::string_view text) noexcept {
  text = trimmed(text);
  if (!text.starts_with('-')) return false;
  text = trimmed(text.substr(1));
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// As strtol does and a cast to 32 bits: white space, a sign, digits; a number beyond 64 bits becomes the nearest.
mask_entry read_index(std::string_view text) noexcept {
  mask_entry entry;
  std::string_view rest = text;
  rest.remove_prefix(rest.find_first_not_of(white_space));
  entry.has_white_space = rest.size() != text.size();
  const bool is_negative = rest.starts_with('-');
  entry.has_sign = is_negative || rest.starts_with('+');
  if (entry.has_sign) rest.remove_prefix(1);
  if (rest.empty() || !is_digit(rest.front())) return bad(mask_fault::not_a_number);

  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t limit = is_negative ? largest + 1 : largest;
  std::uint64_t magnitude = 0;
  for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1)) {
    const auto digit = static_cast<std::uint64_t>(rest.front() - '0');
    magnitude = magnitude > (limit - digit) / 10 ? limit : magnitude * 10 + digit;
  }
  entry.is_wrapped = magnitude > (is_negative ? 0x80000000U : 0x7fffffffU);
  entry.index = static_cast<std::int32_t>(static_cast<std::uint32_t>(is_negative ? 0 - magnitude : magnitude));
  entry.is_range = ends_a_range(rest);
  entry.has_text_behind = !entry.is_range && !trimmed(rest).empty();
  entry.has_white_space |= !rest.empty() && trimmed(rest).empty();
  entry.kind = entry.index < 0 ? mask_entry_kind::bad : mask_entry_kind::index;
  entry.fault = entry.index < 0 ? mask_fault::negative : mask_fault::none;
  return entry;
}

mask_entry read(std::string_view text) noexcept {
  const std::string_view core = trimmed(text);
  if (core.empty()) return bad(mask_fault::empty);
  if (text.starts_with("GPU-") || text.starts_with("MIG-")) return read_uuid(text);
  mask_entry entry = read_index(text);
  if (entry.fault == mask_fault::not_a_number) {
    const bool has_right_head = core.starts_with("GPU-") || core.starts_with("MIG-");
    if (has_right_head) return bad(mask_fault::space_before_uuid);
    if (has_head_of_uuid(core) || is_bare_uuid(core)) return bad(mask_fault::wrong_head);
  }
  return entry;
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(white_space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

bool has_head_of_uuid(std::string_view text) noexcept {
  if (text.size() < 4 || text[3] != '-') return false;
  const auto is = [&](std::string_view lower) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (text[i] != lower[i] && text[i] != lower[i] - 'a' + 'A') return false;
    }
    return true;
  };
  return is("gpu") || is("mig");
}

bool is_bare_uuid(std::string_view text) noexcept {
  std::string_view rest = text;
  return text.size() == 36 && take_digits(rest).is_whole() && rest.empty();
}

mask_entry read_entry(std::string_view text) noexcept {
  mask_entry entry = read(text);
  entry.length = text.size();
  return entry;
}

}  // namespace gpuenv::inline v0::env
