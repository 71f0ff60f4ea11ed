// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Machines for tests of what a mask makes visible.
#pragma once

#include <gpuenv/gpu/installed_gpu.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gpuenv::test {

/// UUID "GPU-x..." of which all bytes differ between two seeds, the first digit too for seeds below 16.
inline gpu::uuid uuid_of(std::uint32_t seed) {
  gpu::uuid id;
  for (std::uint32_t i = 0; i < 16; ++i) id.bytes[i] = static_cast<std::uint8_t>(seed * 0x11 + i * 0x1d);
  return id;
}

/// GPUs of one model in MIG mode or not, in the order of their PCI addresses; GPU i has the UUID of seed i + 1.
inline std::vector<gpu::installed_gpu> alike_gpus(std::uint32_t count) {
  std::vector<gpu::installed_gpu> gpus;
  for (std::uint32_t i = 0; i < count; ++i)
    gpus.push_back({"NVIDIA H200", uuid_of(i + 1), {0, 0x10 * (i + 1), 0, 0}, false, {}});
  return gpus;
}

/// Turns MIG on. Instance i is GPU instance i + 1, compute instance 0, and has the UUID of seed `first_seed` + i.
inline void split(gpu::installed_gpu& gpu, std::uint32_t instances, std::uint32_t first_seed) {
  gpu.is_mig_enabled = true;
  for (std::uint32_t i = 0; i < instances; ++i) gpu.instances.push_back({uuid_of(first_seed + i), i + 1, 0});
}

/// The text of a UUID without its head.
inline std::string digits_of(const gpu::uuid& id) { return to_string(id, ""); }

}  // namespace gpuenv::test
