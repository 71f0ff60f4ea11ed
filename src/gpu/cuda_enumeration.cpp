// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda_enumeration.hpp"

#include <algorithm>

namespace gpuenv::inline v0::gpu {
namespace {

std::string count(std::size_t number, std::string_view what) {
  return std::to_string(number) + ' ' + std::string{what} + (number == 1 ? "" : "s");
}

}  // namespace

cuda_enumeration::cuda_enumeration(const env::device_order& order, std::span<const installed_gpu> gpus) : gpus_{gpus} {
  slots_.reserve(gpus.size());
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (!gpus[i].is_mig_enabled || !gpus[i].instances.empty()) slots_.push_back(i);  // without an instance: no device
    if (gpus[i].name != gpus[0].name && order.what != env::device_order::kind::pci_bus_id) is_known_ = false;
  }
  std::sort(slots_.begin(), slots_.end(), [&](std::size_t a, std::size_t b) {
    if (gpus[a].is_mig_enabled != gpus[b].is_mig_enabled) return gpus[b].is_mig_enabled;
    if (gpus[a].address != gpus[b].address) return gpus[a].address < gpus[b].address;
    return a < b;
  });
  const auto is_whole = [&](std::size_t gpu) { return !gpus[gpu].is_mig_enabled; };
  plain_ = static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), is_whole));
}

named_device cuda_enumeration::at(std::size_t slot) const {
  named_device named;
  named.slot = slot;
  named.is_mig = slot >= plain_;
  if (!is_known_) return named;
  named.device.gpu = slots_[slot];
  if (named.is_mig) named.device.instance = 0;
  return named;
}

entry_reading cuda_enumeration::read(const env::device_mask& mask, std::size_t place) const {
  const env::mask_entry& entry = mask.entries()[place];
  switch (entry.kind) {
    case env::mask_entry_kind::index: return by_index(entry.index);
    case env::mask_entry_kind::gpu_uuid:
    case env::mask_entry_kind::mig_uuid: return by_uuid(entry);
    case env::mask_entry_kind::mig_path: return by_path(entry);
    case env::mask_entry_kind::bad: break;
  }
  return {std::nullopt, mask.why(place)};
}

entry_reading cuda_enumeration::by_index(std::int32_t index) const {
  if (static_cast<std::size_t>(index) < slots_.size()) return {at(static_cast<std::size_t>(index)), {}};
  std::string why = "is out of range: CUDA numbers " + count(slots_.size(), "device") + " here";
  if (!slots_.empty()) why += ", 0 to " + std::to_string(slots_.size() - 1);
  if (has_mig()) why += ", and a GPU in MIG mode counts once";
  return {std::nullopt, std::move(why)};
}

entry_reading cuda_enumeration::whole(std::size_t gpu) const {
  named_device named;
  named.device.gpu = gpu;
  if (!gpus_[gpu].is_mig_enabled) return {named, {}};
  if (gpus_[gpu].instances.empty()) {
    return {std::nullopt, "names " + to_string(gpus_[gpu].id) + ", which is in MIG mode and has no instance"};
  }
  named.device.instance = 0;
  named.is_mig = true;
  return {named, {}};
}

entry_reading cuda_enumeration::by_uuid(const env::mask_entry& entry) const {
  std::optional<visible_device> found;
  std::size_t fits = 0;
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
    if (entry.id.matches(gpus_[gpu].id.bytes)) {
      ++fits;
      found = visible_device{gpu, std::nullopt, std::nullopt};
    }
    if (entry.kind != env::mask_entry_kind::mig_uuid) continue;
    for (std::size_t i = 0; i < gpus_[gpu].instances.size(); ++i) {
      if (!entry.id.matches(gpus_[gpu].instances[i].id.bytes)) continue;
      ++fits;
      found = visible_device{gpu, i, std::nullopt};
    }
  }
  if (fits == 0) {
    return {std::nullopt, entry.id.is_whole() ? "is the UUID of no device here" : "begins the UUID of no device here"};
  }
  if (fits > 1) return {std::nullopt, "fits the UUIDs of " + std::to_string(fits) + " devices here"};
  if (!found->instance) return whole(*found->gpu);
  return {named_device{*found, 0, true}, {}};
}

entry_reading cuda_enumeration::by_path(const env::mask_entry& entry) const {
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
    if (!entry.id.matches(gpus_[gpu].id.bytes)) continue;
    if (!gpus_[gpu].is_mig_enabled) return {std::nullopt, "names an instance of a GPU that is not in MIG mode"};
    const auto& instances = gpus_[gpu].instances;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      if (instances[i].gpu_instance != entry.gpu_instance) continue;
      if (instances[i].compute_instance != entry.compute_instance) continue;
      return {named_device{{gpu, i, std::nullopt}, 0, true}, {}};
    }
    return {std::nullopt,
            "names an instance that its GPU does not have (it has " + count(instances.size(), "instance") + ')'};
  }
  return {std::nullopt, "names an instance of a GPU that is not here"};
}

}  // namespace gpuenv::inline v0::gpu
