// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Where destructors say what they cannot throw.
#pragma once

#include <gpuenv/base/export.hpp>

#include <cuda_runtime_api.h>

#include <string_view>

namespace gpuenv::inline v0::cuda {

/// Called from destructors and clean-up code, possibly from several threads at once; must not throw.
using report_sink = void (*)(std::string_view line) noexcept;

/// Sets where clean-up failures are reported and returns the sink before. nullptr is silence; the default writes the
/// line to standard error.
GPUENV_EXPORT report_sink set_report_sink(report_sink sink) noexcept;

namespace detail {

/// Reports a failed clean-up call. Silent for success and while CUDA shuts down at the end of the process. A fault
/// that ends CUDA for the process makes every later call fail with the same code: that is reported once.
GPUENV_EXPORT void report_failure(cudaError_t status, const char* attempted) noexcept;

/// For destructors: takes the status back from the runtime's "last error" and reports it.
inline void clean_up(cudaError_t status, const char* attempted) noexcept {
  if (status == cudaSuccess) [[likely]]
    return;
  static_cast<void>(cudaGetLastError());
  report_failure(status, attempted);
}

}  // namespace detail
}  // namespace gpuenv::inline v0::cuda
