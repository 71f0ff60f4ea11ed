// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/device_choice.hpp>
#include <gpuenv/base/error.hpp>

#include <algorithm>

namespace gpuenv::inline v0 {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool is_hex_digit(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool is_index(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 9 && std::all_of(text.begin(), text.end(), is_digit);
}

/// "[domain:]bus:device[.function]" in hexadecimal digits.
bool is_pci_address(std::string_view text) noexcept {
  return std::count(text.begin(), text.end(), ':') >= 1 &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_hex_digit(c) || c == ':' || c == '.'; });
}

bool is_uuid(std::string_view text) noexcept { return text.starts_with("GPU-") || text.starts_with("MIG-"); }

}  // namespace

device_choice device_choice::parse(std::string_view text) {
  if (text == "auto") return automatic;
  if (text == "cpu") return cpu();
  if (text == "cuda") return any_gpu();
  std::string_view selector = text;
  if (selector.starts_with("cuda:")) selector.remove_prefix(5);
  if (is_index(selector) || is_uuid(selector) || is_pci_address(selector)) return gpu(std::string{selector});
  throw error{
      errc::invalid_argument, "device '" + std::string{text} + "' is not understood",
      "use auto, cpu, cuda, an index such as 0, a UUID such as GPU-1b2c..., or a PCI address such as 0000:41:00.0"};
}

}  // namespace gpuenv::inline v0
