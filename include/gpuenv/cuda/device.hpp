// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A GPU of this process, opened by index, UUID or PCI address. Making a device_ref makes no context.
//   cuda::device_ref gpu{"GPU-8f2a..."};   gpu.memory().free
#pragma once

#include <gpuenv/base/device_choice.hpp>
#include <gpuenv/cuda/error.hpp>
#include <gpuenv/gpu/pci_address.hpp>
#include <gpuenv/gpu/uuid.hpp>

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace gpuenv::inline v0::cuda {

struct device_properties {
  std::string name;
  gpu::uuid uuid;
  gpu::pci_address pci;
  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessors = 0;
  int warp_size = 0;
  int max_threads_per_multiprocessor = 0;
  int clock_khz = 0;         ///< highest clock of the multiprocessors; 0 when the driver does not say
  int memory_clock_khz = 0;  ///< likewise of the memory
  int memory_bus_bits = 0;
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  std::size_t shared_bytes_per_block = 0;  ///< the most that a block gets when it asks (opt-in)
  bool concurrent_managed_access = false;  ///< host and device may touch unified memory at the same time
  bool memory_pools = false;               ///< stream-ordered allocation works
};

/// Bytes of a device's memory, at the moment of the call and for all processes.
struct memory_info {
  std::size_t free = 0;
  std::size_t total = 0;
};

class device_ref {
 public:
  /// The device with this CUDA index. @throws error naming the index and how many devices there are.
  GPUENV_EXPORT explicit device_ref(int index, std::source_location where = std::source_location::current());

  /// The device with this UUID ("GPU-...", "MIG-...", in full) or PCI address.
  /// @throws error naming the text and the devices that this process sees.
  GPUENV_EXPORT explicit device_ref(std::string_view uuid_or_pci,
                                    std::source_location where = std::source_location::current());

  /// A device that is known to exist, such as the one that CUDA just named: nothing is asked.
  [[nodiscard]] static device_ref known(int index) noexcept { return device_ref{index, unchecked{}}; }

  /// The index, UUID or PCI address that a user typed; the first device for "any GPU".
  /// @throws error (errc::no_device) with the reason when no GPU can be used, or the choice is the CPU.
  [[nodiscard]] GPUENV_EXPORT static device_ref from(const device_choice& choice);

  /// All devices that this process sees, in CUDA's order. @throws error with the reason when CUDA cannot start.
  [[nodiscard]] GPUENV_EXPORT static std::vector<device_ref> all();

  /// CUDA's index in this process; it may differ from NVML's and from another process's: the UUID names the GPU.
  [[nodiscard]] int index() const noexcept { return index_; }
  [[nodiscard]] GPUENV_EXPORT device_properties properties() const;
  [[nodiscard]] GPUENV_EXPORT gpu::uuid uuid() const;
  [[nodiscard]] int attribute(cudaDeviceAttr which) const {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, index_), "cudaDeviceGetAttribute");
    return value;
  }
  /// Makes the device's context, since only that can tell.
  [[nodiscard]] GPUENV_EXPORT memory_info memory() const;

  /// Waits for all work of this process on the device.
  GPUENV_EXPORT void synchronize() const;

  friend auto operator<=>(device_ref, device_ref) = default;
  friend bool operator==(device_ref, device_ref) = default;  // nvcc does not define the one that <=> implies

 private:
  struct unchecked {};
  device_ref(int index, unchecked) noexcept : index_{index} {}
  int index_;
};

/// "GPU 0 (NVIDIA H200)": for messages; never throws for a device that stopped answering.
[[nodiscard]] GPUENV_EXPORT std::string to_string(device_ref device);

/// As `check`, for a call that concerns a device: a failure says "attempted on GPU 0 (NVIDIA H200)".
inline void check(cudaError_t status, std::string_view attempted, device_ref device, std::source_location where) {
  if (status == cudaSuccess) [[likely]]
    return;
  static_cast<void>(cudaGetLastError());
  throw_runtime_error(status, std::string{attempted} + " on " + to_string(device), where);
}

}  // namespace gpuenv::inline v0::cuda
