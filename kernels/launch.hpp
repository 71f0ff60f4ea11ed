// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace gpuenv::kernels {

/// Starts a kernel on a one-dimensional grid and returns the status of this launch, no other.
///
/// kernel<<<...>>> and cudaGetLastError would also fetch, and clear, an error that the caller left pending.
///
/// A grid has at most 2^31 - 1 blocks along x (65535 along y and z, which we never use). More are cut to that, so every
/// kernel here strides over its work by the grid.
template <class... Parameters, class... Arguments>
[[nodiscard]] cudaError_t launch(void (*kernel)(Parameters...), std::int64_t blocks, int threads, cudaStream_t stream,
                                 Arguments&&... arguments) {
  constexpr std::int64_t max_blocks = 0x7FFFFFFF;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(std::min(blocks, max_blocks)));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...);
}

}  // namespace gpuenv::kernels
