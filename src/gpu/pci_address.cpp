// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/gpu/pci_address.hpp>

#include <charconv>
#include <cstdio>

namespace gpuenv::inline v0::gpu {
namespace {

std::optional<std::uint32_t> hexadecimal(std::string_view text, std::uint32_t largest) {
  std::uint32_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (status != std::errc{} || end != text.data() + text.size() || value > largest) return std::nullopt;
  return value;
}

}  // namespace

std::optional<pci_address> pci_address::parse(std::string_view text) {
  const std::size_t last_colon = text.rfind(':');
  if (last_colon == std::string_view::npos) return std::nullopt;
  std::string_view head = text.substr(0, last_colon);
  std::string_view device_text = text.substr(last_colon + 1);
  std::string_view domain_text = "0";
  std::string_view function_text = "0";
  if (const std::size_t colon = head.find(':'); colon != std::string_view::npos) {
    domain_text = head.substr(0, colon);
    head.remove_prefix(colon + 1);
  }
  if (const std::size_t dot = device_text.find('.'); dot != std::string_view::npos) {
    function_text = device_text.substr(dot + 1);
    device_text = device_text.substr(0, dot);
  }
  const auto domain = hexadecimal(domain_text, 0xffffffffU);
  const auto bus = hexadecimal(head, 0xffU);
  const auto device = hexadecimal(device_text, 0x1fU);
  const auto function = hexadecimal(function_text, 7U);
  if (!domain || !bus || !device || !function) return std::nullopt;
  return pci_address{*domain, *bus, *device, *function};
}

std::string to_string(const pci_address& address) {
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", address.domain, address.bus, address.device, address.function);
  return text;
}

}  // namespace gpuenv::inline v0::gpu
