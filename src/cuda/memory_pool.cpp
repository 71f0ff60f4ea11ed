// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/memory_pool.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>

namespace gpuenv::inline v0::cuda {

void detail::throw_out_of_memory(std::string_view what, std::size_t bytes, device_ref device,
                                 std::source_location where) {
  std::string text = std::string{what} + ": " + std::to_string(bytes) + " bytes wanted on " + to_string(device);
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free, &total) == cudaSuccess) {
    text += ", " + std::to_string(free) + " free of " + std::to_string(total);
  } else {
    static_cast<void>(cudaGetLastError());
  }
  throw error{make_error_code(cudaErrorMemoryAllocation), std::move(text), hint_for(cudaErrorMemoryAllocation),
              recovery::possible, where};
}

namespace {

constexpr std::size_t most_pools = 128;
std::array<std::atomic<memory_pool*>, most_pools> pools{};

std::atomic<memory_pool*>& slot_of(device_ref device) {
  const auto index = static_cast<std::size_t>(device.index());
  if (index < most_pools) return pools[index];
  throw error{errc::out_of_range, "GPU " + std::to_string(index) + " is beyond the " + std::to_string(most_pools) +
                                      " devices that gpuenv can pool memory for"};
}

/// Returns what gpuenv's pool keeps to the device, once all frees are reached. False when there is nothing to return.
bool give_back_pool(device_ref device, const std::source_location& where) {
  static_cast<void>(cudaGetLastError());
  memory_pool* const pool = slot_of(device).load();
  if (pool == nullptr || pool->reserved() == 0) return false;
  check(cudaDeviceSynchronize(), "wait for the frees of the memory pool", device, where);
  pool->trim();
  return true;
}

}  // namespace

void* allocate_device_memory(std::size_t bytes, device_ref device, std::source_location where) {
  if (bytes == 0) return nullptr;
  const device_guard guard{device};
  void* memory = nullptr;
  cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation && give_back_pool(device, where)) status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    detail::throw_out_of_memory("allocate device memory", bytes, device, where);
  }
  check(status, "allocate device memory", device, where);
  return memory;
}

memory_pool& memory_pool::of(device_ref device) {
  static std::mutex making;
  auto& known = slot_of(device);
  if (memory_pool* pool = known.load()) return *pool;
  const std::scoped_lock lock{making};
  if (memory_pool* pool = known.load()) return *pool;
  known = new memory_pool{device};  // never deleted: it outlives every buffer, and CUDA takes it down with the process
  return *known;
}

memory_pool::memory_pool(device_ref device) : device_{device} {
  if (device.attribute(cudaDevAttrMemoryPoolsSupported) == 0) return;
  const device_guard guard{device};
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device.index();
  check(cudaMemPoolCreate(&handle_, &properties), "make a memory pool", device, std::source_location::current());
  std::uint64_t keep_all = std::numeric_limits<std::uint64_t>::max();
  if (const cudaError_t status = cudaMemPoolSetAttribute(handle_, cudaMemPoolAttrReleaseThreshold, &keep_all);
      status != cudaSuccess) {
    detail::clean_up(cudaMemPoolDestroy(handle_), "cudaMemPoolDestroy");
    check(status, "set up a memory pool", device, std::source_location::current());
  }
}

void* memory_pool::allocate(std::size_t bytes, stream_ref stream, std::source_location where) {
  if (bytes == 0) return nullptr;
  if (handle_ == nullptr) return allocate_device_memory(bytes, device_, where);
  const device_guard guard{device_};
  void* memory = nullptr;
  cudaError_t status = cudaMallocFromPoolAsync(&memory, bytes, handle_, stream.get());
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    trim();
    status = cudaMallocFromPoolAsync(&memory, bytes, handle_, stream.get());
  }
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    detail::throw_out_of_memory("allocate device memory", bytes, device_, where);
  }
  check(status, "allocate device memory", device_, where);
  return memory;
}

void memory_pool::free(void* memory, stream_ref stream) noexcept {
  if (memory == nullptr) return;
  const device_guard guard{device_, std::nothrow};
  if (handle_ == nullptr) return detail::clean_up(cudaFree(memory), "cudaFree");
  detail::clean_up(cudaFreeAsync(memory, stream.get()), "cudaFreeAsync");
}

void memory_pool::trim(std::size_t bytes_to_keep) {
  if (handle_ == nullptr) return;
  const device_guard guard{device_};
  check(cudaMemPoolTrimTo(handle_, bytes_to_keep), "trim the memory pool", device_, std::source_location::current());
}

std::size_t memory_pool::pool_attribute(cudaMemPoolAttr which) const {
  if (handle_ == nullptr) return 0;
  std::uint64_t bytes = 0;
  check(cudaMemPoolGetAttribute(handle_, which, &bytes), "read the memory pool", device_,
        std::source_location::current());
  return bytes;
}

std::size_t memory_pool::reserved() const { return pool_attribute(cudaMemPoolAttrReservedMemCurrent); }

std::size_t memory_pool::in_use() const { return pool_attribute(cudaMemPoolAttrUsedMemCurrent); }

}  // namespace gpuenv::inline v0::cuda
