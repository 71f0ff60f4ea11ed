// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// gpuenv's own stream-ordered memory pool of each device. The device's default pool, which other libraries use, is
// left as it is.
#pragma once

#include <gpuenv/cuda/stream.hpp>

namespace gpuenv::inline v0::cuda {

/// The pool keeps what is freed for the next allocation of the process (its release threshold has no limit) until it
/// is trimmed. On a device without pools, allocations are plain and their frees wait for the device.
class memory_pool {
 public:
  /// The pool of a device; lives until the process ends.
  [[nodiscard]] GPUENV_EXPORT static memory_pool& of(device_ref device);

  memory_pool(const memory_pool&) = delete;
  memory_pool& operator=(const memory_pool&) = delete;

  /// Memory for work behind this point of `stream`, aligned to 256 bytes; nullptr for zero bytes. When the device is
  /// full, the pool gives back what it keeps and tries once more.
  /// @throws error with the bytes wanted and the bytes free.
  [[nodiscard]] GPUENV_EXPORT void* allocate(std::size_t bytes, stream_ref stream,
                                             std::source_location where = std::source_location::current());

  /// Gives memory back behind all work that `stream` has now.
  GPUENV_EXPORT void free(void* memory, stream_ref stream) noexcept;

  /// Returns kept memory to the device, down to `bytes_to_keep`. Only memory whose free has been reached can go.
  GPUENV_EXPORT void trim(std::size_t bytes_to_keep = 0);

  /// Bytes that the pool holds from the device, in use and kept.
  [[nodiscard]] GPUENV_EXPORT std::size_t reserved() const;
  /// Bytes that are allocated now.
  [[nodiscard]] GPUENV_EXPORT std::size_t in_use() const;

 private:
  explicit memory_pool(device_ref device);
  ~memory_pool() = default;
  [[nodiscard]] std::size_t pool_attribute(cudaMemPoolAttr which) const;

  device_ref device_;
  cudaMemPool_t handle_ = nullptr;  // null on a device without pools
};

/// Plain device memory (cudaMalloc). When the device is full, gpuenv's pool gives back what it keeps, and the call is
/// tried once more. @throws error with the bytes wanted and the bytes free
[[nodiscard]] GPUENV_EXPORT void* allocate_device_memory(std::size_t bytes, device_ref device,
                                                         std::source_location where);

namespace detail {
/// Throws the out-of-memory error of `what`: bytes wanted, free and total on `device` at this moment.
[[noreturn]] GPUENV_EXPORT void throw_out_of_memory(std::string_view what, std::size_t bytes, device_ref device,
                                                    std::source_location where);
}  // namespace detail

}  // namespace gpuenv::inline v0::cuda
