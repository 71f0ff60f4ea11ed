// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Makes a device current for a scope. The caller's current device, context or absence of one comes back exactly as it
// was, and no context is made for a device that was merely "current": the guard pushes a context, where
// cudaSetDevice would create one.
#pragma once

#include <gpuenv/cuda/detail/contexts.hpp>
#include <gpuenv/cuda/device.hpp>

#include <new>

namespace gpuenv::inline v0::cuda {

class [[nodiscard]] device_guard {
 public:
  explicit device_guard(device_ref device, std::source_location where = std::source_location::current())
      : pushed_{!detail::is_current(device.index()) && detail::push_primary_context(device.index(), where)} {}

  /// For destructors, which go on without: the device's context was there when their object was made.
  device_guard(device_ref device, std::nothrow_t) noexcept {
    if (detail::is_current(device.index())) return;
    try {
      pushed_ = detail::push_primary_context(device.index(), std::source_location::current());
    } catch (...) {
      pushed_ = false;
    }
  }

  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

  ~device_guard() {
    if (pushed_) [[unlikely]]
      detail::pop_context();
  }

 private:
  bool pushed_ = false;
};

}  // namespace gpuenv::inline v0::cuda
