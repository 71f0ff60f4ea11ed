// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/detail/contexts.hpp>
#include <gpuenv/cuda/error.hpp>

#include <cuda_runtime_api.h>

#include <mutex>

namespace gpuenv::inline v0::cuda::detail {
namespace {

/// CUDA 12.5 added the form with a version and CUDA 13 took the other away; the versioned symbol is bound either way.
void* entry_point(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  constexpr auto attempted = "load the CUDA driver";
#if CUDART_VERSION >= 12050
  constexpr unsigned oldest_interface = 12000;
  check(cudaGetDriverEntryPointByVersion(name, &function, oldest_interface, cudaEnableDefault, &found), attempted);
#else
  check(cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found), attempted);
#endif
  if (found != cudaDriverEntryPointSuccess || function == nullptr) {
    throw error{errc::not_supported, std::string{attempted} + ": it has no " + name, "update the driver"};
  }
  return function;
}

struct driver_table {
  int (*get_current)(CUctx_st**);
  int (*push_current)(CUctx_st*);
  int (*pop_current)(CUctx_st**);
  int (*device_get)(int*, int);
  int (*primary_retain)(CUctx_st**, int);
};

template <class F>
void load(F& target, const char* name) {
  target = reinterpret_cast<F>(entry_point(name));
}

const driver_table& driver() {
  static const driver_table table = [] {
    driver_table t{};
    load(t.get_current, "cuCtxGetCurrent");
    load(t.push_current, "cuCtxPushCurrent");
    load(t.pop_current, "cuCtxPopCurrent");
    load(t.device_get, "cuDeviceGet");
    load(t.primary_retain, "cuDevicePrimaryCtxRetain");
    return t;
  }();
  return table;
}

CUctx_st* primary_context(int device, const std::source_location& where) {
  static std::mutex making;
  if (device < 0 || device >= most_devices) {
    throw error{errc::out_of_range, "GPU " + std::to_string(device) + " is not a device index of this process",
                "use 0 to " + std::to_string(most_devices - 1), recovery::possible, where};
  }
  auto& known = contexts.primary[static_cast<std::size_t>(device)];
  if (CUctx_st* context = known.load(std::memory_order_acquire)) return context;
  const std::scoped_lock lock{making};
  if (CUctx_st* context = known.load(std::memory_order_acquire)) return context;
  const std::string attempted = "open GPU " + std::to_string(device);
  const driver_table& calls = driver();
  int handle = 0;
  if (const int code = calls.device_get(&handle, device); code != 0) throw_driver_error(code, attempted, where);
  CUctx_st* context = nullptr;
  if (const int code = calls.primary_retain(&context, handle); code != 0) throw_driver_error(code, attempted, where);
  contexts.get_current.store(calls.get_current, std::memory_order_relaxed);
  known.store(context, std::memory_order_release);
  return context;
}

}  // namespace

constinit context_table contexts;

bool push_primary_context(int device, const std::source_location& where) {
  CUctx_st* const wanted = primary_context(device, where);
  CUctx_st* current = nullptr;
  if (driver().get_current(&current) == 0 && current == wanted) return false;
  if (const int code = driver().push_current(wanted); code != 0) {
    throw_driver_error(code, "make GPU " + std::to_string(device) + " current", where);
  }
  return true;
}

void pop_context() noexcept {
  CUctx_st* ignored = nullptr;
  driver().pop_current(&ignored);
}

}  // namespace gpuenv::inline v0::cuda::detail
