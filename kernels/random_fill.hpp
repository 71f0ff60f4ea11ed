// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "random_value.hpp"
#include "strided.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gpuenv::kernels {

/// Sets element (i, j) to random_value<T>(kind, seed, stream_id, i * cols + j), for T float or double.
///
/// Work is put on `stream` and not waited for. Returns the status of the launch alone. Empty matrix: nothing launched.
template <class T>
[[nodiscard]] cudaError_t random_fill(strided<T> matrix, distribution kind, std::uint64_t seed, std::uint64_t stream_id,
                                      cudaStream_t stream);

}  // namespace gpuenv::kernels
