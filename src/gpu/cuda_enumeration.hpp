// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's own list of devices, before a mask, and what the entries of a mask name in it.
#pragma once

#include <gpuenv/env/device_mask.hpp>
#include <gpuenv/env/device_order.hpp>
#include <gpuenv/gpu/visible_devices.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpuenv::inline v0::gpu {

struct named_device {
  visible_device device;
  std::size_t slot = 0;  ///< the index in CUDA's list, when it was named so
  bool is_mig = false;

  [[nodiscard]] bool is_same(const named_device& other) const noexcept {
    if (!device.gpu || !other.device.gpu) return !device.gpu && !other.device.gpu && slot == other.slot;
    return device.gpu == other.device.gpu && device.instance == other.device.instance;
  }
};

/// A device, or why there is none: words that follow the entry's description.
struct entry_reading {
  std::optional<named_device> device;
  std::string why;
};

class cuda_enumeration {
 public:
  cuda_enumeration(const env::device_order& order, std::span<const installed_gpu> gpus);

  [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }
  /// False when CUDA alone knows which GPU an index means.
  [[nodiscard]] bool is_known() const noexcept { return is_known_; }
  [[nodiscard]] bool has_mig() const noexcept { return plain_ < slots_.size(); }

  /// @param slot 0 to size() - 1
  [[nodiscard]] named_device at(std::size_t slot) const;

  /// @param place of an entry of `mask` that is not bad
  [[nodiscard]] entry_reading read(const env::device_mask& mask, std::size_t place) const;

 private:
  [[nodiscard]] entry_reading by_index(std::int32_t index) const;
  [[nodiscard]] entry_reading by_uuid(const env::mask_entry& entry) const;
  [[nodiscard]] entry_reading by_path(const env::mask_entry& entry) const;
  [[nodiscard]] entry_reading whole(std::size_t gpu) const;

  std::span<const installed_gpu> gpus_;
  std::vector<std::size_t> slots_;  ///< places in the inventory; GPUs in MIG mode last
  std::size_t plain_ = 0;           ///< slots of whole GPUs
  bool is_known_ = true;
};

}  // namespace gpuenv::inline v0::gpu
