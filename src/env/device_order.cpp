// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/env/device_order.hpp>
#include "env/in_quotes.hpp"

#include <algorithm>

namespace gpuenv::inline v0::env {
namespace {

constexpr std::string_view by_address = "PCI_BUS_ID";
constexpr std::string_view by_speed = "FASTEST_FIRST";

/// Equal but for case, white space and the choice between '_', '-' and nothing.
bool resembles(std::string_view value, std::string_view word) {
  const auto core = [](std::string_view text) {
    std::string letters;
    for (const char c : text) {
      if (c >= 'a' && c <= 'z') letters += static_cast<char>(c - 'a' + 'A');
      if (c >= 'A' && c <= 'Z') letters += c;
    }
    return letters;
  };
  return core(value.substr(0, 64)) == core(word);
}

}  // namespace

device_order device_order::parse(std::optional<std::string_view> value) {
  if (!value) return {};
  const std::string_view text = value->substr(0, value->find('\0'));
  const kind what = text == by_address ? kind::pci_bus_id : text == by_speed ? kind::fastest_first : kind::invalid;
  return {what, std::string{text}};
}

std::vector<finding> device_order::findings() const {
  if (is_valid()) return {};
  std::string fix = "set CUDA_DEVICE_ORDER=PCI_BUS_ID or FASTEST_FIRST, in capitals, or unset it";
  for (const std::string_view word : {by_address, by_speed}) {
    if (resembles(value, word)) fix = "did you mean " + std::string{word} + "? " + fix;
  }
  return {{"device-order-invalid",
           severity::error,
           "CUDA_DEVICE_ORDER is " + in_quotes(value) + ", which CUDA does not know: cuInit fails with 101 (invalid " +
               "device) and no GPU can be used",
           {},
           std::move(fix)}};
}

}  // namespace gpuenv::inline v0::env
