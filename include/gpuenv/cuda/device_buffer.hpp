// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Owned device memory.
//   cuda::device_buffer<float> x{stream, n};    // ordered in the stream: made and freed there, without waiting
//   cuda::device_buffer<float> y{device, n};    // plain: usable anywhere; the destructor waits for the device
#pragma once

#include <gpuenv/base/checked.hpp>
#include <gpuenv/cuda/detail/memory_home.hpp>
#include <gpuenv/cuda/detail/use_list.hpp>
#include <gpuenv/cuda/device_span.hpp>
#include <gpuenv/cuda/memory_pool.hpp>

#include <optional>
#include <type_traits>

namespace gpuenv::inline v0::cuda {

/// `size()` elements of T on one device, not initialised. Moves, does not copy. Zero elements are a valid buffer with
/// a null pointer on which everything is a no-op.
///
/// A buffer made from a stream is freed behind that stream's work. Work of other streams that uses it must be known:
/// gpuenv's own functions note it; for your own kernels call `note_use(other_stream)` after the launch.
/// A buffer made from a device is freed after all work of the device, whatever stream it ran in.
template <class T>
class device_buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds only trivially copyable types");

 public:
  using value_type = T;

  device_buffer() noexcept = default;

  /// @throws error: sizes that overflow (before any CUDA call), no memory (bytes wanted and free).
  device_buffer(device_ref device, std::size_t size, std::source_location where = std::source_location::current())
      : home_{device}, size_{size} {
    data_ = static_cast<T*>(allocate_device_memory(checked_bytes<T>(size, "device_buffer", where), device, where));
  }
  device_buffer(stream_hold stream, std::size_t size, std::source_location where = std::source_location::current())
      : home_{stream}, size_{size} {
    const std::size_t bytes = checked_bytes<T>(size, "device_buffer", where);
    if (bytes != 0) data_ = static_cast<T*>(memory_pool::of(stream.ref().device()).allocate(bytes, stream, where));
  }

  device_buffer(device_buffer&& other) noexcept
      : home_{std::move(other.home_)},
        data_{std::exchange(other.data_, nullptr)},
        size_{std::exchange(other.size_, 0)},
        uses_{std::move(other.uses_)} {}
  device_buffer& operator=(device_buffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    home_ = std::move(other.home_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    uses_ = std::move(other.uses_);
    return *this;
  }
  device_buffer(const device_buffer&) = delete;
  device_buffer& operator=(const device_buffer&) = delete;
  ~device_buffer() { release(); }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Empty for a buffer made without a device, and after a move.
  [[nodiscard]] std::optional<device_ref> device() const noexcept { return home_.device(); }
  /// The stream that the memory is ordered in; empty for a plain buffer.
  [[nodiscard]] std::optional<stream_ref> stream() const noexcept { return home_.stream(); }

  [[nodiscard]] device_span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] device_span<const T> span() const noexcept { return {data_, size_}; }
  operator device_span<T>() noexcept { return span(); }              // NOLINT(google-explicit-constructor)
  operator device_span<const T>() const noexcept { return span(); }  // NOLINT(google-explicit-constructor)

  /// Holds the memory until all work that `stream` has now is done. Costs nothing for the buffer's own stream.
  void note_use(stream_ref stream) const {
    if (data_ == nullptr) return;
    const auto own = home_.stream();
    // The per-thread stream is another stream in each thread, under one name. The free of a plain buffer waits for the
    // work of its own device.
    const bool is_waited_for =
        own ? stream == *own && stream.get() != cudaStreamPerThread : stream.device() == *home_.device();
    if (!is_waited_for) uses_.note(stream);
  }

 private:
  void release() noexcept {
    if (data_ == nullptr) return;
    const device_ref device = *home_.device();
    const device_guard guard{device, std::nothrow};
    if (const auto stream = home_.stream()) {
      uses_.order_before(*stream);
      memory_pool::of(device).free(data_, *stream);
    } else {
      uses_.synchronize();
      detail::clean_up(cudaFree(data_), "cudaFree");  // waits for all work of the device
    }
    data_ = nullptr;
  }

  detail::memory_home home_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  mutable detail::use_list uses_;
};

}  // namespace gpuenv::inline v0::cuda
