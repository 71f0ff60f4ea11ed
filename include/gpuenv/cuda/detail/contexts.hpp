// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The contexts that gpuenv works in: the primary one of each device. The runtime alone cannot change the current device
// without making a context for it, so the driver is asked; it is found through the runtime, and never linked.
#pragma once

#include <gpuenv/base/export.hpp>

#include <array>
#include <atomic>
#include <source_location>

struct CUctx_st;

namespace gpuenv::inline v0::cuda::detail {

inline constexpr int most_devices = 128;

/// What is known without asking: null until the driver is loaded, and for devices that were not used yet.
struct context_table {
  std::atomic<int (*)(CUctx_st**)> get_current{nullptr};
  std::array<std::atomic<CUctx_st*>, most_devices> primary{};
};

GPUENV_EXPORT extern constinit context_table contexts;

/// Makes the primary context of `device` if there is none yet (it stays until the process ends), and current unless it
/// is. Returns whether the context was pushed, and must be popped.
/// @throws error naming the device when the context cannot be made (no driver, no memory, exclusive mode).
[[nodiscard]] GPUENV_EXPORT bool push_primary_context(int device, const std::source_location& where);

GPUENV_EXPORT void pop_context() noexcept;

/// The way that is taken nearly always: the device is known, and its context current. Two loads and one driver call.
[[nodiscard]] inline bool is_current(int device) noexcept {
  if (device < 0 || device >= most_devices) [[unlikely]]
    return false;
  CUctx_st* const wanted = contexts.primary[static_cast<std::size_t>(device)].load(std::memory_order_acquire);
  if (wanted == nullptr) [[unlikely]]
    return false;
  CUctx_st* current = nullptr;
  return contexts.get_current.load(std::memory_order_relaxed)(&current) == 0 && current == wanted;
}

}  // namespace gpuenv::inline v0::cuda::detail
