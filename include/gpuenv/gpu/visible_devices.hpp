// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Which devices CUDA will show to a process, found without CUDA from the mask, the order and what NVML lists.
//   const auto visible = gpu::resolve(mask, order, gpus);
//   if (const auto place = visible.gpu_of(0)) use(gpus[*place]);   // CUDA's device 0
#pragma once

#include <gpuenv/base/export.hpp>
#include <gpuenv/base/finding.hpp>
#include <gpuenv/env/device_mask.hpp>
#include <gpuenv/env/device_order.hpp>
#include <gpuenv/gpu/installed_gpu.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpuenv::inline v0::gpu {

/// What cuInit will return.
enum class init_result : int {
  success = 0,
  no_device = 100,       ///< CUDA_ERROR_NO_DEVICE: nothing is visible
  invalid_device = 101,  ///< CUDA_ERROR_INVALID_DEVICE: a device is named twice, or CUDA_DEVICE_ORDER is no order
};

/// Where an answer comes from.
enum class answer_basis {
  measured,    ///< the rules that were measured on a driver
  documented,  ///< NVIDIA's documents for MIG, which later drivers may relax: ask the driver when it counts
};

enum class visibility { no, yes, unknown };

/// A device that CUDA shows, or one that a mask names.
struct visible_device {
  std::optional<std::size_t> gpu;       ///< its place in the inventory; nothing when CUDA alone knows which it is
  std::optional<std::size_t> instance;  ///< its place in that GPU's instances, when it is one
  std::optional<std::size_t> entry;     ///< the entry of the mask that names it; nothing when the mask is not set

  friend bool operator==(const visible_device&, const visible_device&) = default;
};

/// The entry that ended the list.
struct mask_cut {
  std::size_t entry = 0;
  std::string why;                 ///< words that follow the entry's description: "is negative"
  std::size_t hidden_entries = 0;  ///< how many stand behind it

  friend bool operator==(const mask_cut&, const mask_cut&) = default;
};

/// Two entries that name one device, for which cuInit fails.
struct mask_repeat {
  std::size_t first = 0;
  std::size_t second = 0;

  friend bool operator==(const mask_repeat&, const mask_repeat&) = default;
};

struct GPUENV_EXPORT visible_devices {
  std::vector<visible_device> devices;  ///< by CUDA's ordinal: in the order of the mask
  init_result cu_init = init_result::success;
  answer_basis basis = answer_basis::measured;
  std::optional<mask_cut> cut;
  std::optional<mask_repeat> repeat;
  std::vector<visible_device> lost;           ///< what the mask evidently names and the process will not see
  std::optional<std::string> corrected_mask;  ///< with whole UUIDs, when it would show more than the mask does
  std::vector<finding> findings;
  std::vector<visibility> by_gpu;  ///< for each GPU of the inventory, itself or an instance of it

  /// The place in the inventory of CUDA's device `ordinal`; nothing past the end and when it cannot be known.
  [[nodiscard]] std::optional<std::size_t> gpu_of(std::size_t ordinal) const noexcept;

  /// CUDA's ordinal of the GPU, or of an instance of it; nothing when it is not visible or it cannot be known:
  /// `by_gpu` tells the two apart.
  [[nodiscard]] std::optional<std::size_t> ordinal_of(std::size_t gpu) const noexcept;

  /// True when the place of each device is known.
  [[nodiscard]] bool is_known() const noexcept;
};

/// Says what CUDA will do with the mask in a process that starts with it. A pure function: nothing is read from the
/// process and nothing is kept. Never throws for any mask; memory alone can fail.
/// - An index counts in CUDA's order. With PCI_BUS_ID, and among GPUs of one name, that is by PCI address; else (unset
/// or
///   FASTEST_FIRST) CUDA alone knows which GPU it is. UUIDs do not depend on the order.
/// - The list ends at the first entry that is bad, names nothing here, fits more than one device, or is an index behind
///   UUIDs or the reverse.
/// - A GPU in MIG mode stands for its first instance; in CUDA's order such GPUs come last. A process sees one MIG
///   device, the first that is named, and then nothing else (`answer_basis::documented`).
/// @param gpus what NVML lists, in its order
[[nodiscard]] GPUENV_EXPORT visible_devices resolve(const env::device_mask& mask, const env::device_order& order,
                                                    std::span<const installed_gpu> gpus);

}  // namespace gpuenv::inline v0::gpu
