// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// From a status of the CUDA runtime or driver to an exception that says what to do.
//   cuda::check(cudaStreamSynchronize(handle), "cudaStreamSynchronize");
#pragma once

#include <gpuenv/base/error.hpp>

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>

namespace gpuenv::inline v0::cuda {

/// Codes of the CUDA runtime (cudaError_t).
[[nodiscard]] GPUENV_EXPORT const std::error_category& runtime_category() noexcept;

/// Codes of the CUDA driver (CUresult).
[[nodiscard]] GPUENV_EXPORT const std::error_category& driver_category() noexcept;

[[nodiscard]] inline std::error_code make_error_code(cudaError_t status) noexcept {
  return {static_cast<int>(status), runtime_category()};
}

/// What the reader can do about a runtime status; empty where the status says it all.
[[nodiscard]] GPUENV_EXPORT std::string hint_for(cudaError_t status);

/// Whether the process can go on using CUDA after this status. An illegal access, an assertion in a kernel or an ECC
/// error ends CUDA for the process; a bad argument, a failed launch configuration or a lack of memory does not.
[[nodiscard]] GPUENV_EXPORT recovery after(cudaError_t status) noexcept;

[[noreturn]] GPUENV_EXPORT void throw_runtime_error(cudaError_t status, std::string attempted,
                                                    std::source_location where);
[[noreturn]] GPUENV_EXPORT void throw_driver_error(int result, std::string attempted, std::source_location where);

/// Throws `error` for anything but cudaSuccess, and takes the status back from the runtime's "last error", so that
/// what is handled here is never blamed on a later call.
/// @param status    returned by the call itself, never by cudaGetLastError
/// @param attempted the call and its object
inline void check(cudaError_t status, std::string_view attempted,
                  std::source_location where = std::source_location::current()) {
  if (status == cudaSuccess) [[likely]]
    return;
  static_cast<void>(cudaGetLastError());
  throw_runtime_error(status, std::string{attempted}, where);
}

}  // namespace gpuenv::inline v0::cuda
