// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The driver functions that the runtime hands out, by the version of the interface that is asked for.
#include "fakes/cudart/state.hpp"

#include <string_view>

namespace fake {
namespace {

/// A driver function: its faults and its place in the log are those of a runtime call, its last error is not.
template <class Body>
int driver_call(const char* call, Body body) {
  const std::scoped_lock lock{the_machine().mutex};
  const cudaError_t status = enter(call, needs::nothing);
  return status == cudaSuccess ? body() : static_cast<int>(status);
}

constexpr int invalid_context = 201;
constexpr int not_supported = 801;

int context_get_current(CUctx_st** context) {
  return driver_call("cuCtxGetCurrent", [&] {
    const auto& contexts = this_thread().contexts;
    *context = contexts.empty() ? nullptr : contexts.back();
    return 0;
  });
}

int context_push_current(CUctx_st* context) {
  return driver_call("cuCtxPushCurrent", [&] {
    if (context == nullptr || !context->active) return invalid_context;
    this_thread().contexts.push_back(context);
    return 0;
  });
}

int context_pop_current(CUctx_st** context) {
  return driver_call("cuCtxPopCurrent", [&] {
    auto& contexts = this_thread().contexts;
    if (contexts.empty()) return invalid_context;
    *context = contexts.back();
    contexts.pop_back();
    return 0;
  });
}

int device_get(int* handle, int index) {
  return driver_call("cuDeviceGet", [&] {
    *handle = index;
    return is_gpu(index) ? 0 : static_cast<int>(cudaErrorInvalidDevice);
  });
}

int primary_context_retain(CUctx_st** context, int handle) {
  return driver_call("cuDevicePrimaryCtxRetain", [&] {
    *context = make_context(handle);
    return 0;
  });
}

/// What the plain symbols of old interfaces do here: whoever binds one of them fails.
int old_interface() { return not_supported; }

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

void* find_driver_function(std::string_view name, unsigned version) {
  // Contexts came to be per process with CUDA 4.0 ("cuCtxPushCurrent_v2"), primary ones with 7.0.
  if (version < 7000) return address(&old_interface);
  if (name == "cuCtxGetCurrent") return address(&context_get_current);
  if (name == "cuCtxPushCurrent") return address(&context_push_current);
  if (name == "cuCtxPopCurrent") return address(&context_pop_current);
  if (name == "cuDeviceGet") return address(&device_get);
  if (name == "cuDevicePrimaryCtxRetain") return address(&primary_context_retain);
  return nullptr;
}

cudaError_t entry_point(const char* name, void** function, unsigned version, cudaDriverEntryPointQueryResult* found) {
  *function = find_driver_function(name, version);
  if (found != nullptr) {
    *found = *function == nullptr ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace fake

using fake::needs;
using fake::runtime_call;

extern "C" {

#if CUDART_VERSION >= 12050
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  return runtime_call("cudaGetDriverEntryPointByVersion", needs::nothing,
                      [&] { return fake::entry_point(name, function, version, found); });
}
#endif

#if CUDART_VERSION < 13000
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* found) {
  return runtime_call("cudaGetDriverEntryPoint", needs::nothing,
                      [&] { return fake::entry_point(name, function, CUDART_VERSION, found); });
}
#endif

}  // extern "C"
