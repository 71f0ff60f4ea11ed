// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Devices, contexts and the last error.
#include "fakes/cudart/state.hpp"

#include <cstring>
#include <utility>

namespace fake {
namespace {

cudaError_t injected(std::string_view call) {
  machine& m = the_machine();
  if (const auto found = m.faults.find(call); found != m.faults.end()) {
    const cudaError_t status = found->second.status;
    if (--found->second.times == 0) m.faults.erase(found);
    return status;
  }
  return m.predicate ? m.predicate(call) : cudaSuccess;
}

}  // namespace

bool is_gpu(int index) { return index >= 0 && static_cast<std::size_t>(index) < the_machine().gpus.size(); }

CUctx_st* make_context(int index) {
  CUctx_st& context = the_machine().contexts.at(static_cast<std::size_t>(index));
  if (!context.active) ++context.times_made;
  context.active = true;
  return &context;
}

int gpu_of_current_context() {
  const thread_state& thread = this_thread();
  return thread.contexts.empty() ? thread.ordinal : thread.contexts.back()->gpu;
}

cudaError_t enter(const char* call, needs what) {
  machine& m = the_machine();
  thread_state& thread = this_thread();
  m.calls.emplace_back(call);
  if (m.unloading) return cudaErrorCudartUnloading;
  if (const cudaError_t status = injected(call); status != cudaSuccess) return status;
  if (what != needs::nothing && m.lost != cudaSuccess) return m.lost;
  if (what == needs::a_context && thread.contexts.empty()) {
    m.silent_contexts.push_back(std::string{call} + " on GPU " + std::to_string(thread.ordinal));
    thread.contexts.push_back(make_context(thread.ordinal));
  }
  return cudaSuccess;
}

}  // namespace fake

using fake::needs;
using fake::runtime_call;
using fake::the_machine;
using fake::this_thread;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return runtime_call("cudaGetDeviceCount", needs::nothing, [&] {
    *count = static_cast<int>(the_machine().gpus.size());
    return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* index) {
  return runtime_call("cudaGetDevice", needs::nothing, [&] {
    *index = fake::gpu_of_current_context();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int index) {
  return runtime_call("cudaSetDevice", needs::a_gpu, [&] {
    if (!fake::is_gpu(index)) return cudaErrorInvalidDevice;
    this_thread().ordinal = index;
    fake::make_current(index);  // since CUDA 12 the call makes the context
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int index) {
  return runtime_call("cudaGetDeviceProperties", needs::nothing, [&] {
    if (!fake::is_gpu(index)) return cudaErrorInvalidDevice;
    const fake::gpu_description& gpu = fake::gpu(index);
    *properties = {};
    gpu.name.copy(properties->name, sizeof properties->name - 1);
    std::memcpy(properties->uuid.bytes, gpu.uuid.data(), gpu.uuid.size());
    properties->pciDomainID = gpu.pci_domain;
    properties->pciBusID = gpu.pci_bus;
    properties->pciDeviceID = gpu.pci_device;
    properties->totalGlobalMem = gpu.memory_bytes;
    properties->major = 9;
    properties->multiProcessorCount = 132;
    properties->warpSize = 32;
    properties->maxThreadsPerMultiProcessor = 2048;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int index) {
  return runtime_call("cudaDeviceGetAttribute", needs::nothing, [&] {
    if (!fake::is_gpu(index)) return cudaErrorInvalidDevice;
    switch (which) {
      case cudaDevAttrConcurrentManagedAccess: *value = fake::gpu(index).concurrent_managed_access; break;
      case cudaDevAttrMemoryPoolsSupported: *value = fake::gpu(index).memory_pools; break;
      case cudaDevAttrL2CacheSize: *value = 50 << 20; break;
      case cudaDevAttrClockRate: return cudaErrorInvalidValue;  // left the properties, may leave the attributes
      default: *value = 1; break;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return runtime_call("cudaDeviceSynchronize", needs::a_context, [] {
    fake::run_all_of_gpu(fake::gpu_of_current_context());
    return cudaSuccess;
  });
}

cudaError_t cudaGetLastError() {
  const std::scoped_lock lock{the_machine().mutex};
  the_machine().calls.emplace_back("cudaGetLastError");
  return std::exchange(this_thread().last_error, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() { return this_thread().last_error; }

}  // extern "C"
