// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Where a piece of memory belongs: nowhere, to a device, or to a stream of one.
#pragma once

#include <gpuenv/cuda/stream.hpp>

#include <optional>

namespace gpuenv::inline v0::cuda::detail {

class memory_home {
 public:
  memory_home() noexcept = default;
  explicit memory_home(device_ref device) noexcept : device_{device.index()} {}
  explicit memory_home(stream_hold stream) noexcept
      : device_{stream.ref().device().index()}, stream_{stream.ref().get()}, is_ordered_{true}, hold_{stream.keep()} {}

  memory_home(memory_home&& other) noexcept { *this = std::move(other); }
  memory_home& operator=(memory_home&& other) noexcept {
    device_ = std::exchange(other.device_, -1);
    stream_ = std::exchange(other.stream_, nullptr);
    is_ordered_ = std::exchange(other.is_ordered_, false);
    hold_ = std::move(other.hold_);
    return *this;
  }
  memory_home(const memory_home&) = delete;
  memory_home& operator=(const memory_home&) = delete;
  ~memory_home() = default;

  /// Empty for memory that belongs nowhere.
  [[nodiscard]] std::optional<device_ref> device() const noexcept {
    return device_ < 0 ? std::nullopt : std::optional{device_ref::known(device_)};
  }
  /// Empty for memory that is not ordered in a stream.
  [[nodiscard]] std::optional<stream_ref> stream() const noexcept {
    return is_ordered_ ? std::optional{stream_ref{stream_, device_ref::known(device_)}} : std::nullopt;
  }

 private:
  int device_ = -1;
  cudaStream_t stream_ = nullptr;
  bool is_ordered_ = false;
  std::shared_ptr<const void> hold_;
};

}  // namespace gpuenv::inline v0::cuda::detail
