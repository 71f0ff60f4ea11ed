// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Can this process use a GPU, and if not, why not and what helps.
//   if (auto gpu = cuda::availability(); !gpu.ready()) std::cerr << gpu.message() << '\n';
#pragma once

#include <gpuenv/base/finding.hpp>

#include <optional>
#include <string>

namespace gpuenv::inline v0::cuda {

enum class gpu_status {
  ready,                  ///< at least one device can be opened
  no_driver,              ///< libcuda.so.1 is not on the loader's path
  driver_too_old,         ///< the driver's CUDA version is below this build's runtime
  stub_library,           ///< the toolkit's link-time stub was loaded instead of the driver
  no_device,              ///< the driver works and finds no GPU
  hidden_by_environment,  ///< CUDA_VISIBLE_DEVICES or CUDA_DEVICE_ORDER leaves no device
  forked_after_start,     ///< this process was forked from one that had started CUDA
  unusable,               ///< the driver refuses for another reason; `driver_code` says which
};

[[nodiscard]] GPUENV_EXPORT std::string_view to_string(gpu_status status) noexcept;

struct availability_result {
  gpu_status status = gpu_status::unusable;
  int driver_code = 0;      ///< CUresult of the call that decided, 0 when none failed
  int device_count = 0;     ///< devices that CUDA lists
  int driver_version = 0;   ///< of the driver, as CUDA counts: 13000 is 13.0; 0 when unknown
  int runtime_version = 0;  ///< of the CUDA runtime that gpuenv was built with
  std::string cause;        ///< one sentence
  std::string fix;          ///< what to do; empty when ready

  [[nodiscard]] bool ready() const noexcept { return status == gpu_status::ready; }
  /// Cause and fix in one line.
  [[nodiscard]] std::string message() const { return fix.empty() ? cause : cause + "; " + fix; }
  [[nodiscard]] GPUENV_EXPORT finding to_finding() const;
};

/// What the probe looks at; every member has the real machine as its default and can be replaced in a test.
struct availability_options {
  std::string driver_library = "libcuda.so.1";  ///< name or path for dlopen
  std::string root = "/";                       ///< before /dev, /proc and the container's marker files
  std::optional<std::string> visible_devices;   ///< CUDA_VISIBLE_DEVICES as the driver will read it
  std::optional<std::string> device_order;      ///< CUDA_DEVICE_ORDER likewise

  /// The defaults, with both variables taken from this process's environment.
  [[nodiscard]] GPUENV_EXPORT static availability_options from_process();
};

/// Asks the driver (this starts it: cuInit; no context is made) and explains its answer. Never throws for what it
/// finds, and caches nothing: until CUDA has started, a changed environment changes the answer.
[[nodiscard]] GPUENV_EXPORT availability_result availability(const availability_options& options);
[[nodiscard]] GPUENV_EXPORT availability_result availability();

}  // namespace gpuenv::inline v0::cuda
