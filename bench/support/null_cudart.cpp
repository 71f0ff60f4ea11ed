// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A CUDA runtime and driver that do nothing, at once and with success, with one GPU whose context is current. Linked in
// place of the real runtime: it has to define every runtime function that the program links.
#include <cuda_runtime_api.h>

#include <cstring>
#include <string_view>

namespace {

int the_context = 0;  // only its address is used
int the_handle = 0;

int get_current(void** context) {
  *context = &the_context;
  return 0;
}
int push_current(void*) { return 0; }
int pop_current(void** context) { return get_current(context); }
int device_get(int* handle, int index) {
  *handle = index;
  return 0;
}
int primary_retain(void** context, int) { return get_current(context); }

template <class F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

cudaError_t entry_point(std::string_view name, void** function, cudaDriverEntryPointQueryResult* found) {
  *function = name == "cuCtxGetCurrent"            ? address(&get_current)
              : name == "cuCtxPushCurrent"         ? address(&push_current)
              : name == "cuCtxPopCurrent"          ? address(&pop_current)
              : name == "cuDeviceGet"              ? address(&device_get)
              : name == "cuDevicePrimaryCtxRetain" ? address(&primary_retain)
                                                   : nullptr;
  *found = *function == nullptr ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  return entry_point(name, function, found);
}
#if CUDART_VERSION < 13000
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* found) {
  return entry_point(name, function, found);
}
#endif

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::memset(properties, 0, sizeof *properties);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *free = *total = 0;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "cudaSuccess"; }
const char* cudaGetErrorString(cudaError_t) { return "no error"; }

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  *stream = reinterpret_cast<cudaStream_t>(&the_handle);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(&the_handle);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaErrorNotReady; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }

}  // extern "C"
