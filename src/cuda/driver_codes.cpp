// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/driver_codes.hpp"

#include <array>

namespace gpuenv::inline v0::cuda {
namespace {

struct row {
  int code;
  const char* text;
};

constexpr std::array table{
    row{1, "invalid value (CUDA_ERROR_INVALID_VALUE)"},
    row{2, "out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
    row{3, "not initialized, or forked after start (CUDA_ERROR_NOT_INITIALIZED)"},
    row{4, "driver shutting down (CUDA_ERROR_DEINITIALIZED)"},
    row{34, "stub library instead of the driver (CUDA_ERROR_STUB_LIBRARY)"},
    row{46, "device unavailable (CUDA_ERROR_DEVICE_UNAVAILABLE)"},
    row{100, "no CUDA-capable device (CUDA_ERROR_NO_DEVICE)"},
    row{101, "invalid device ordinal (CUDA_ERROR_INVALID_DEVICE)"},
    row{201, "invalid context (CUDA_ERROR_INVALID_CONTEXT)"},
    row{209, "no kernel image for this device (CUDA_ERROR_NO_BINARY_FOR_GPU)"},
    row{214, "uncorrectable ECC error (CUDA_ERROR_ECC_UNCORRECTABLE)"},
    row{222, "PTX newer than the driver (CUDA_ERROR_UNSUPPORTED_PTX_VERSION)"},
    row{304, "operating system call failed (CUDA_ERROR_OPERATING_SYSTEM)"},
    row{500, "symbol not found (CUDA_ERROR_NOT_FOUND)"},
    row{700, "illegal address in a kernel (CUDA_ERROR_ILLEGAL_ADDRESS)"},
    row{709, "context is destroyed (CUDA_ERROR_CONTEXT_IS_DESTROYED)"},
    row{719, "launch failure (CUDA_ERROR_LAUNCH_FAILED)"},
    row{802, "system not ready (CUDA_ERROR_SYSTEM_NOT_READY)"},
    row{803, "driver and kernel module differ (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)"},
    row{804, "compatibility mode not supported on this device (CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE)"},
    row{999, "unknown error (CUDA_ERROR_UNKNOWN)"},
};

}  // namespace

std::string driver_code_text(int code) {
  for (const row& entry : table) {
    if (entry.code == code) return entry.text;
  }
  return "CUresult " + std::to_string(code);
}

}  // namespace gpuenv::inline v0::cuda
