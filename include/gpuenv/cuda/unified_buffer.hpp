// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Owned unified (managed) memory: one pointer for host and device, whose pages move on a fault or ahead of it.
#pragma once

#include <gpuenv/base/checked.hpp>
#include <gpuenv/cuda/detail/host_elements.hpp>
#include <gpuenv/cuda/detail/memory_home.hpp>
#include <gpuenv/cuda/detail/use_list.hpp>
#include <gpuenv/cuda/memory_pool.hpp>

#include <optional>
#include <type_traits>

namespace gpuenv::inline v0::cuda {

/// Hints about how unified memory will be used; they never change results.
enum class unified_advice {
  read_mostly,       ///< keep read-only copies on each side
  prefer_device,     ///< pages should live on the buffer's device
  prefer_host,       ///< pages should live in host memory
  mapped_on_device,  ///< keep the buffer's device mapped to the pages wherever they are
};

/// `size()` elements of T that host and device reach through one pointer; not initialised. Moves, does not copy.
/// Where the device cannot share access (`concurrent_managed_access` is false: WSL, Windows, some Jetsons), the host
/// must not touch the memory while any kernel runs, and prefetch and advise do nothing.
template <class T>
class unified_buffer : public detail::host_elements<T> {
  static_assert(std::is_trivially_copyable_v<T>, "unified memory holds only trivially copyable types");

 public:
  unified_buffer() noexcept = default;

  /// @throws error: sizes that overflow (before any CUDA call), no memory (bytes wanted and free).
  unified_buffer(device_ref device, std::size_t size, std::source_location where = std::source_location::current())
      : detail::host_elements<T>{size}, home_{device} {
    const std::size_t bytes = checked_bytes<T>(size, "unified_buffer", where);
    if (bytes == 0) return;
    const device_guard guard{device};
    shares_access_ = device.attribute(cudaDevAttrConcurrentManagedAccess) != 0;
    const cudaError_t status = cudaMallocManaged(reinterpret_cast<void**>(&data_), bytes, cudaMemAttachGlobal);
    if (status == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());
      detail::throw_out_of_memory("allocate unified memory", bytes, device, where);
    }
    check(status, "allocate unified memory", device, where);
  }

  unified_buffer(unified_buffer&& other) noexcept
      : detail::host_elements<T>{std::move(other)},
        home_{std::move(other.home_)},
        shares_access_{other.shares_access_},
        uses_{std::move(other.uses_)} {}
  unified_buffer& operator=(unified_buffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    detail::host_elements<T>::operator=(std::move(other));
    home_ = std::move(other.home_);
    shares_access_ = other.shares_access_;
    uses_ = std::move(other.uses_);
    return *this;
  }
  unified_buffer(const unified_buffer&) = delete;
  unified_buffer& operator=(const unified_buffer&) = delete;
  ~unified_buffer() { release(); }

  [[nodiscard]] std::optional<device_ref> device() const noexcept { return home_.device(); }
  /// Whether host and device may use the memory at the same time, and prefetch and advise have an effect.
  [[nodiscard]] bool shares_access() const noexcept { return shares_access_; }

  /// Holds the memory until all work that `stream` has now is done; the free waits for the buffer's own device anyway.
  void note_use(stream_ref stream) const {
    if (data_ != nullptr && stream.device() != *home_.device()) uses_.note(stream);
  }

  /// Moves the pages to the stream's device, in the order of the stream. False when the device takes no such hint.
  bool prefetch_to_device(stream_ref stream, std::source_location where = std::source_location::current()) const {
    return prefetch(stream.device().index(), stream, where);
  }
  /// Moves the pages to host memory, in the order of the stream: wait for the stream before the host reads.
  bool prefetch_to_host(stream_ref stream, std::source_location where = std::source_location::current()) const {
    return prefetch(cudaCpuDeviceId, stream, where);
  }
  /// Gives a hint. False when the device takes none.
  bool advise(unified_advice hint, std::source_location where = std::source_location::current()) const;

 private:
  using detail::host_elements<T>::data_;
  using detail::host_elements<T>::size_;

#if CUDART_VERSION >= 13000
  [[nodiscard]] static cudaMemLocation place(int device) noexcept {
    cudaMemLocation location{};
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
  }
#else
  [[nodiscard]] static int place(int device) noexcept { return device; }
#endif

  bool prefetch(int to, stream_ref stream, std::source_location where) const {
    if (data_ == nullptr || !shares_access_) return false;
    const device_guard guard{stream.device()};
    const bool other_device = stream.device() != *home_.device();
    if (other_device && stream.device().attribute(cudaDevAttrConcurrentManagedAccess) == 0) return false;
#if CUDART_VERSION >= 13000
    const cudaError_t status = cudaMemPrefetchAsync(data_, size_ * sizeof(T), place(to), 0, stream.get());
#else
    const cudaError_t status = cudaMemPrefetchAsync(data_, size_ * sizeof(T), place(to), stream.get());
#endif
    check(status, "prefetch unified memory", stream.device(), where);
    return true;
  }

  void release() noexcept {
    if (data_ == nullptr) return;
    const device_guard guard{*home_.device(), std::nothrow};
    uses_.synchronize();
    detail::clean_up(cudaFree(data_), "cudaFree");  // waits for all work of the device
    data_ = nullptr;
  }

  detail::memory_home home_;
  bool shares_access_ = false;
  mutable detail::use_list uses_;
};

template <class T>
bool unified_buffer<T>::advise(unified_advice hint, std::source_location where) const {
  if (data_ == nullptr || !shares_access_) return false;
  cudaMemoryAdvise advice = cudaMemAdviseSetReadMostly;
  int subject = home_.device()->index();
  switch (hint) {
    case unified_advice::read_mostly: break;
    case unified_advice::prefer_device: advice = cudaMemAdviseSetPreferredLocation; break;
    case unified_advice::prefer_host:
      advice = cudaMemAdviseSetPreferredLocation;
      subject = cudaCpuDeviceId;
      break;
    case unified_advice::mapped_on_device: advice = cudaMemAdviseSetAccessedBy; break;
  }
  const device_guard guard{*home_.device()};
  check(cudaMemAdvise(data_, size_ * sizeof(T), advice, place(subject)), "advise unified memory", *home_.device(),
        where);
  return true;
}

}  // namespace gpuenv::inline v0::cuda
