// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/env/device_mask.hpp>
#include "env/in_quotes.hpp"
#include "env/mask_reader.hpp"

#include <algorithm>
#include <charconv>

namespace gpuenv::inline v0::env {
namespace {

std::string_view without_quotes(std::string_view text) noexcept {
  constexpr std::string_view around = " \t\n\v\f\r'\"";
  const std::size_t first = text.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(around) - first + 1);
}

/// Numbers that no comma separates, as a list with commas: "0-2" as "0,1,2", "0;3" as "0,3". Nothing when it is
/// neither.
std::string as_list(std::string_view text) {
  constexpr std::uint32_t most = 64;     // devices in a range
  constexpr std::size_t longest = 4096;  // a value of megabytes must not become gigabytes
  std::string list;
  std::optional<std::uint32_t> before;
  bool is_range = false;
  while (!text.empty()) {
    std::uint32_t number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc{}) return {};
    if (is_range && (number < *before || number - *before >= most)) return {};
    for (std::uint32_t i = is_range ? *before + 1 : number; i <= number && i < 0xffffffffU; ++i) {
      list += (list.empty() ? "" : ",") + std::to_string(i);
    }
    if (list.size() > longest) return {};
    before = number;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const std::string_view between = text.substr(0, text.find_first_not_of(" \t;:-"));
    text.remove_prefix(between.size());
    const auto dashes = std::count(between.begin(), between.end(), '-');
    if (dashes > 1 || between.empty() != text.empty()) return {};
    is_range = dashes == 1;
  }
  return list;
}

std::string upper_head(std::string_view text) {
  std::string result{text};
  const std::size_t head = text.size() >= 8 && has_head_of_uuid(text.substr(4)) ? 8 : 4;
  for (std::size_t i = 0; i < head; ++i) {
    if (result[i] >= 'a' && result[i] <= 'z') result[i] = static_cast<char>(result[i] - 'a' + 'A');
  }
  return result;
}

}  // namespace

bool uuid_prefix::matches(const std::array<std::uint8_t, 16>& whole) const noexcept {
  const std::size_t whole_bytes = digits / 2;
  if (!std::equal(bytes.begin(), bytes.begin() + whole_bytes, whole.begin())) return false;
  return digits % 2 == 0 || bytes[whole_bytes] >> 4 == whole[whole_bytes] >> 4;
}

device_mask device_mask::parse(std::optional<std::string_view> value) {
  device_mask mask;
  if (!value) return mask;
  mask.is_set_ = true;
  mask.value_ = value->substr(0, value->find('\0'));  // where it ends for the driver
  if (mask.value_.empty()) return mask;
  const std::string_view text = mask.value_;
  mask.entries_.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')) + 1);
  for (std::size_t start = 0;;) {
    const std::size_t comma = text.find(',', start);
    mask_entry entry = read_entry(text.substr(start, comma - start));
    entry.position = start;
    mask.entries_.push_back(entry);
    if (comma == std::string_view::npos) return mask;
    start = comma + 1;
  }
}

std::string_view device_mask::text(std::size_t place) const {
  const mask_entry& entry = entries_.at(place);
  return std::string_view{value_}.substr(entry.position, entry.length);
}

std::string device_mask::describe(std::size_t place) const {
  return "entry " + std::to_string(place + 1) + " of " + std::to_string(entries_.size()) + " (" +
         in_quotes(text(place)) + ")";
}

std::string device_mask::why(std::size_t place) const {
  switch (entries_.at(place).fault) {
    case mask_fault::none: return {};
    case mask_fault::empty: return entries_[place].length == 0 ? "is empty" : "is white space alone";
    case mask_fault::negative:
      return entries_[place].is_wrapped ? "is beyond 32 bits and negative for CUDA" : "is negative";
    case mask_fault::not_a_number: return "is neither an index nor a UUID with its head GPU- or MIG-";
    case mask_fault::space_before_uuid: return "has white space before its UUID, which CUDA does not skip";
    case mask_fault::wrong_head: return "is a UUID without its head GPU- or MIG-, in capitals";
    case mask_fault::no_digits: return "has no digit of a UUID behind its head";
    case mask_fault::incomplete_path: return "is no MIG path: MIG-GPU-<whole UUID>/<GPU instance>/<compute instance>";
  }
  return {};
}

device_mask device_mask::meant(std::size_t place) const {
  const std::string_view core = without_quotes(text(place));
  if (core.empty()) return parse("");
  if (is_bare_uuid(core)) return parse("GPU-" + std::string{core});
  if (has_head_of_uuid(core)) return parse(upper_head(core));
  const std::string list = as_list(core);
  return parse(entries_[place].is_wrapped || list.empty() ? core : std::string_view{list});
}

}  // namespace gpuenv::inline v0::env
