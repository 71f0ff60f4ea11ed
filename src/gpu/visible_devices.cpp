// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/gpu/visible_devices.hpp>
#include "gpu/cuda_enumeration.hpp"
#include "gpu/visible_findings.hpp"

#include <algorithm>
#include <utility>

namespace gpuenv::inline v0::gpu {
namespace {

using list = std::vector<named_device>;

bool is_index(const env::mask_entry& entry) noexcept { return entry.kind == env::mask_entry_kind::index; }

const named_device* find(const list& devices, const named_device& wanted) {
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.is_same(wanted); });
  return found == devices.end() ? nullptr : &*found;
}

/// Reads entries until one ends the list or repeats a device: at most one more than there are devices.
list read_list(const env::device_mask& mask, const cuda_enumeration& cuda, visible_devices& result) {
  const auto& entries = mask.entries();
  list devices;
  devices.reserve(std::min(entries.size(), cuda.size()));
  for (std::size_t place = 0; place < entries.size(); ++place) {
    const bool is_other_kind = entries[place].kind != env::mask_entry_kind::bad &&  //
                               is_index(entries[place]) != is_index(entries[0]);
    entry_reading reading;
    if (!is_other_kind) {
      reading = cuda.read(mask, place);
    } else {
      reading.why = is_index(entries[place]) ? "is an index behind UUIDs: CUDA takes one kind in a list"
                                             : "is a UUID behind indices: CUDA takes one kind in a list";
    }
    if (!reading.device) {
      result.cut = mask_cut{place, std::move(reading.why), entries.size() - place - 1};
      return devices;
    }
    if (const named_device* first = find(devices, *reading.device)) {
      result.repeat = mask_repeat{*first->device.entry, place};
      return {};
    }
    reading.device->device.entry = place;
    devices.push_back(*reading.device);
  }
  return devices;
}

/// All devices that the entries evidently name, each once: what the writer of the mask wants.
list read_wishes(const env::device_mask& mask, const cuda_enumeration& cuda, std::size_t most) {
  list wishes;
  for (std::size_t place = 0; place < mask.entries().size() && wishes.size() < most; ++place) {
    const env::device_mask meant = mask.meant(place);
    for (std::size_t i = 0; i < meant.entries().size(); ++i) {
      // An index that may be any GPU cannot be compared with a UUID.
      if (!cuda.is_known() && is_index(meant.entries()[i]) != is_index(mask.entries()[0])) continue;
      entry_reading reading = cuda.read(meant, i);
      if (!reading.device || find(wishes, *reading.device) != nullptr) continue;
      reading.device->device.entry = place;
      wishes.push_back(*reading.device);
    }
  }
  return wishes;
}

/// A process sees one MIG device, and then no other.
void keep_one_mig_device(list& devices) {
  const auto first = std::find_if(devices.begin(), devices.end(), [](const auto& d) { return d.is_mig; });
  if (first != devices.end()) devices = {*first};
}

/// Nothing when a device is not known.
std::optional<std::string> mask_of(const list& devices, std::span<const installed_gpu> gpus) {
  std::string text;
  for (const named_device& named : devices) {
    if (!named.device.gpu) return std::nullopt;
    const installed_gpu& gpu = gpus[*named.device.gpu];
    if (!text.empty()) text += ',';
    text += named.device.instance ? to_string(gpu.instances[*named.device.instance].id, "MIG-") : to_string(gpu.id);
  }
  return text;
}

bool is_all_kept(const env::device_mask& mask, const visible_devices& result) {
  const auto& entries = mask.entries();
  return !result.cut && !result.repeat &&
         std::none_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.is_read_loosely(); });
}

std::vector<visibility> judge_gpus(const list& visible, std::size_t gpus, bool are_all) {
  std::vector<visibility> by_gpu(gpus, visibility::no);
  const bool is_unknown = std::any_of(visible.begin(), visible.end(), [](const auto& d) { return !d.device.gpu; });
  if (is_unknown) by_gpu.assign(gpus, are_all ? visibility::yes : visibility::unknown);
  for (const named_device& named : visible) {
    if (named.device.gpu) by_gpu[*named.device.gpu] = visibility::yes;
  }
  return by_gpu;
}

}  // namespace

std::optional<std::size_t> visible_devices::gpu_of(std::size_t ordinal) const noexcept {
  return ordinal < devices.size() ? devices[ordinal].gpu : std::nullopt;
}

std::optional<std::size_t> visible_devices::ordinal_of(std::size_t gpu) const noexcept {
  for (std::size_t ordinal = 0; ordinal < devices.size(); ++ordinal) {
    if (devices[ordinal].gpu == gpu) return ordinal;
  }
  return std::nullopt;
}

bool visible_devices::is_known() const noexcept {
  return std::all_of(devices.begin(), devices.end(), [](const auto& device) { return device.gpu.has_value(); });
}

visible_devices resolve(const env::device_mask& mask, const env::device_order& order,
                        std::span<const installed_gpu> gpus) {
  visible_devices result;
  const cuda_enumeration cuda{order, gpus};
  list named;
  if (mask.is_set()) {
    named = read_list(mask, cuda, result);
  } else {
    for (std::size_t slot = 0; slot < cuda.size(); ++slot) named.push_back(cuda.at(slot));
  }
  std::size_t most = cuda.size();
  for (const installed_gpu& gpu : gpus) most += gpu.instances.size();
  list wishes = is_all_kept(mask, result) ? named : read_wishes(mask, cuda, most);

  list visible = named;
  keep_one_mig_device(visible);
  result.cu_init = !order.is_valid() || result.repeat ? init_result::invalid_device
                   : visible.empty()                  ? init_result::no_device
                                                      : init_result::success;
  if (!order.is_valid()) visible.clear();
  result.by_gpu = judge_gpus(visible, gpus.size(), visible.size() == gpus.size());
  for (const named_device& device : visible) result.devices.push_back(device.device);
  for (const named_device& wish : wishes) {
    if (find(visible, wish) == nullptr) result.lost.push_back(wish.device);
    if (wish.is_mig) result.basis = answer_basis::documented;
  }
  if (cuda.has_mig() && (!mask.is_set() || (!mask.entries().empty() && is_index(mask.entries()[0])))) {
    result.basis = answer_basis::documented;
  }
  if (!result.lost.empty() && mask.is_set() && order.is_valid()) {
    keep_one_mig_device(wishes);
    if (auto text = mask_of(wishes, gpus); text && text != mask_of(visible, gpus)) {
      result.corrected_mask = std::move(text);
    }
  }
  add_findings(result, mask, order, gpus);
  return result;
}

}  // namespace gpuenv::inline v0::gpu
