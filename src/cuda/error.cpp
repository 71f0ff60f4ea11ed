// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/version.hpp>
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/error.hpp>
#include "cuda/driver_codes.hpp"

namespace gpuenv::inline v0::cuda {
namespace {

class runtime_category_type final : public named_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "cudart"; }
  [[nodiscard]] std::string message(int value) const override {
    const auto status = static_cast<cudaError_t>(value);
    return std::string{cudaGetErrorString(status)} + " (" + cudaGetErrorName(status) + ')';
  }
};

class driver_category_type final : public named_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "cuda-driver"; }
  [[nodiscard]] std::string message(int value) const override { return driver_code_text(value); }
};

/// Codes whose true cause the runtime cannot tell: the probe can (no driver, old driver, no GPU, hidden, forked).
bool asks_for_probe(cudaError_t status) noexcept {
  switch (status) {
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
    case cudaErrorStubLibrary:
    case cudaErrorInitializationError:
    case cudaErrorInvalidDevice:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorUnknown: return true;
    default: return false;
  }
}

}  // namespace

const std::error_category& runtime_category() noexcept {
  static const auto* const instance = new runtime_category_type;  // outlives every static object that may fail
  return *instance;
}

const std::error_category& driver_category() noexcept {
  static const auto* const instance = new driver_category_type;
  return *instance;
}

std::string hint_for(cudaError_t status) {
  switch (status) {
    case cudaErrorInvalidValue: return "an argument of the call is outside what CUDA takes";
    case cudaErrorMemoryAllocation:
      return "free memory on this GPU, use smaller sizes, or choose a GPU with more free memory";
    case cudaErrorInitializationError:
      return "CUDA does not work in a process forked after CUDA was used: start workers with exec";
    case cudaErrorInvalidConfiguration: return "a kernel was launched with a grid or block that the device refuses";
    case cudaErrorDevicesUnavailable:
      return "the GPU is in exclusive compute mode and in use, or prohibited: see `nvidia-smi -q -d COMPUTE`";
    case cudaErrorInvalidResourceHandle:
      return "a stream or event was destroyed, or belongs to another device than the call";
    case cudaErrorNoKernelImageForDevice:
      return "gpuenv was built for " + std::string{built_architectures()} +
             ": rebuild it with -DCMAKE_CUDA_ARCHITECTURES=<compute capability of this GPU>";
    case cudaErrorUnsupportedPtxVersion:
      return "the driver is older than the toolkit that compiled the device code: update the driver, or build for this "
             "GPU's own architecture (-DCMAKE_CUDA_ARCHITECTURES)";
    case cudaErrorECCUncorrectable: return "the GPU's memory is damaged: drain the machine and reset the GPU";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorIllegalInstruction:
      return "a kernel failed; it may be one started by an earlier call: find it with compute-sanitizer, or with "
             "CUDA_LAUNCH_BLOCKING=1";
    case cudaErrorSystemNotReady: return "start nvidia-fabricmanager, of the driver's own version";
    case cudaErrorSystemDriverMismatch:
      return "the kernel module and libcuda have different versions: reboot, or reload the driver";
    case cudaErrorCompatNotSupportedOnDevice:
      return "a forward-compatibility libcuda was loaded on a GPU that does not take it: remove the compat folder from "
             "the loader's path";
    case cudaErrorUnknown: return "reload nvidia_uvm (after a suspend, say), then look at the kernel log for Xid lines";
    default: return {};
  }
}

recovery after(cudaError_t status) noexcept {
  switch (status) {
    case cudaErrorInitializationError:  // forked after start
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice: return recovery::restart_process;
    default: break;
  }
  // Newer toolkits' names: cudaErrorContained, cudaErrorTensorMemoryLeak.
  const int value = static_cast<int>(status);
  return value == 226 || value == 721 ? recovery::restart_process : recovery::possible;
}

void throw_runtime_error(cudaError_t status, std::string attempted, std::source_location where) {
  std::string hint = hint_for(status);
  if (asks_for_probe(status)) {
    if (const auto seen = availability(); !seen.ready()) hint = seen.message();
  }
  throw error{make_error_code(status), std::move(attempted), std::move(hint), after(status), where};
}

void throw_driver_error(int result, std::string attempted, std::source_location where) {
  // The values of CUresult and cudaError_t agree wherever both exist, and so do the hints.
  const auto status = static_cast<cudaError_t>(result);
  throw error{{result, driver_category()}, std::move(attempted), hint_for(status), after(status), where};
}

}  // namespace gpuenv::inline v0::cuda
