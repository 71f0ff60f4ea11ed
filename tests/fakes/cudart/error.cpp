// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Names and texts of the statuses that tests meet.
#include "fakes/cudart/state.hpp"

namespace {

struct row {
  cudaError_t status;
  const char* name;
  const char* text;
};

#define GPUENV_FAKE_ROW(status, text) \
  row { status, #status, text }
constexpr row table[] = {
    GPUENV_FAKE_ROW(cudaSuccess, "no error"),
    GPUENV_FAKE_ROW(cudaErrorInvalidValue, "invalid argument"),
    GPUENV_FAKE_ROW(cudaErrorMemoryAllocation, "out of memory"),
    GPUENV_FAKE_ROW(cudaErrorInitializationError, "initialization error"),
    GPUENV_FAKE_ROW(cudaErrorCudartUnloading, "driver shutting down"),
    GPUENV_FAKE_ROW(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    GPUENV_FAKE_ROW(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    GPUENV_FAKE_ROW(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    GPUENV_FAKE_ROW(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    GPUENV_FAKE_ROW(cudaErrorInvalidDevice, "invalid device ordinal"),
    GPUENV_FAKE_ROW(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    GPUENV_FAKE_ROW(cudaErrorNotReady, "device not ready"),
    GPUENV_FAKE_ROW(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    GPUENV_FAKE_ROW(cudaErrorLaunchFailure, "unspecified launch failure"),
    GPUENV_FAKE_ROW(cudaErrorUnknown, "unknown error"),
};
#undef GPUENV_FAKE_ROW

const row* find(cudaError_t status) {
  for (const row& entry : table) {
    if (entry.status == status) return &entry;
  }
  return nullptr;
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t status) {
  const row* found = find(status);
  return found == nullptr ? "unrecognized error code" : found->name;
}

const char* cudaGetErrorString(cudaError_t status) {
  const row* found = find(status);
  return found == nullptr ? "unrecognized error code" : found->text;
}

}  // extern "C"
