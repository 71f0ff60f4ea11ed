// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The value of CUDA_DEVICE_ORDER: the order in which CUDA numbers the devices that an index in CUDA_VISIBLE_DEVICES
// means.
//   const auto order = env::device_order::parse(now.get("CUDA_DEVICE_ORDER"));
#pragma once

#include <gpuenv/base/export.hpp>
#include <gpuenv/base/finding.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuenv::inline v0::env {

struct device_order {
  enum class kind {
    unset,          ///< the same as FASTEST_FIRST
    pci_bus_id,     ///< by PCI address
    fastest_first,  ///< by a heuristic of the driver, which nobody else can know
    invalid,        ///< anything else, the empty value too: cuInit fails with 101 and every GPU vanishes
  };

  kind what = kind::unset;
  std::string value;  ///< as it was written

  /// @param value what the variable holds; nothing when it is not set. The driver takes the exact words only.
  [[nodiscard]] GPUENV_EXPORT static device_order parse(std::optional<std::string_view> value);

  [[nodiscard]] bool is_valid() const noexcept { return what != kind::invalid; }

  /// An error, "device-order-invalid", or nothing.
  [[nodiscard]] GPUENV_EXPORT std::vector<finding> findings() const;

  friend bool operator==(const device_order&, const device_order&) = default;
};

}  // namespace gpuenv::inline v0::env
