// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The PCI address of a device. Tools write it with 4 or 8 digits of domain, in either case: it compares as numbers.
#pragma once

#include <gpuenv/base/export.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuenv::inline v0::gpu {

struct pci_address {
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;       ///< 0 to 255
  std::uint32_t device = 0;    ///< 0 to 31
  std::uint32_t function = 0;  ///< 0 to 7

  /// Reads "domain:bus:device.function"; domain and function may be left out and are then 0.
  [[nodiscard]] GPUENV_EXPORT static std::optional<pci_address> parse(std::string_view text);

  friend auto operator<=>(const pci_address&, const pci_address&) = default;
  friend bool operator==(const pci_address&,
                         const pci_address&) = default;  // nvcc does not define the one that <=> implies
};

/// "0000:41:00.0": as Linux names the device under /sys/bus/pci/devices.
[[nodiscard]] GPUENV_EXPORT std::string to_string(const pci_address& address);

}  // namespace gpuenv::inline v0::gpu
