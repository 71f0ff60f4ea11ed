// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What must be known about the GPUs of a machine to say which of them a mask makes visible: gpu::resolve.
#pragma once

#include <gpuenv/gpu/pci_address.hpp>
#include <gpuenv/gpu/uuid.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gpuenv::inline v0::gpu {

/// A part of a GPU in MIG mode that a process can use as a device.
struct mig_instance {
  uuid id;                             ///< written with the head "MIG-"
  std::uint32_t gpu_instance = 0;      ///< NVML's number of the GPU instance
  std::uint32_t compute_instance = 0;  ///< NVML's number of the compute instance in it

  friend bool operator==(const mig_instance&, const mig_instance&) = default;
};

/// One GPU as NVML lists it.
struct installed_gpu {
  std::string name;  ///< the model: GPUs of one name are alike for CUDA_DEVICE_ORDER
  uuid id;
  pci_address address;
  bool is_mig_enabled = false;
  std::vector<mig_instance> instances;  ///< in NVML's order; none unless MIG is enabled

  friend bool operator==(const installed_gpu&, const installed_gpu&) = default;
};

}  // namespace gpuenv::inline v0::gpu
