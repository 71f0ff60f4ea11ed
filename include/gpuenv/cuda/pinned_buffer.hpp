// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Owned page-locked host memory: copies to and from it run at the link's rate, beside the host's own work.
#pragma once

#include <gpuenv/base/checked.hpp>
#include <gpuenv/cuda/detail/host_elements.hpp>
#include <gpuenv/cuda/detail/memory_home.hpp>
#include <gpuenv/cuda/detail/use_list.hpp>

#include <optional>
#include <type_traits>

namespace gpuenv::inline v0::cuda {

/// `size()` elements of T in page-locked host memory that every device of the process can copy from and to; not
/// initialised. Moves, does not copy. A pinned GiB takes about half a second to make: keep it.
/// The destructor waits for the copies that gpuenv started with it; for your own call `note_use(stream)` behind them.
template <class T>
class pinned_buffer : public detail::host_elements<T> {
  static_assert(std::is_trivially_copyable_v<T>, "pinned memory holds only trivially copyable types");

 public:
  pinned_buffer() noexcept = default;

  /// @param device a device whose context registers the memory; others may use it too
  explicit pinned_buffer(device_ref device, std::size_t size,
                         std::source_location where = std::source_location::current())
      : detail::host_elements<T>{size}, home_{device} {
    const std::size_t bytes = checked_bytes<T>(size, "pinned_buffer", where);
    if (bytes == 0) return;
    const device_guard guard{device};
    const cudaError_t status = cudaHostAlloc(reinterpret_cast<void**>(&data_), bytes, cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());
      throw error{make_error_code(status), "pin " + std::to_string(bytes) + " bytes of host memory",
                  "free host memory, raise the memory limit of the container, or pin less", recovery::possible, where};
    }
    check(status, "pin host memory", device, where);
  }

  pinned_buffer(pinned_buffer&& other) noexcept
      : detail::host_elements<T>{std::move(other)}, home_{std::move(other.home_)}, uses_{std::move(other.uses_)} {}
  pinned_buffer& operator=(pinned_buffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    detail::host_elements<T>::operator=(std::move(other));
    home_ = std::move(other.home_);
    uses_ = std::move(other.uses_);
    return *this;
  }
  pinned_buffer(const pinned_buffer&) = delete;
  pinned_buffer& operator=(const pinned_buffer&) = delete;
  ~pinned_buffer() { release(); }

  /// Holds the memory until all work that `stream` has now is done.
  void note_use(stream_ref stream) const {
    if (data_ != nullptr) uses_.note(stream);
  }

 private:
  using detail::host_elements<T>::data_;
  using detail::host_elements<T>::size_;

  void release() noexcept {
    if (data_ == nullptr) return;
    uses_.synchronize();
    const device_guard guard{*home_.device(), std::nothrow};
    detail::clean_up(cudaFreeHost(data_), "cudaFreeHost");
    data_ = nullptr;
  }

  detail::memory_home home_;
  mutable detail::use_list uses_;
};

}  // namespace gpuenv::inline v0::cuda
