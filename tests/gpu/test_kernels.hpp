// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that tests need: slow ones, and ones that fail. Each returns the status of its launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace gpuenv_test {

/// Keeps one thread of the device busy for `nanoseconds`.
cudaError_t spin(std::int64_t nanoseconds, cudaStream_t stream);
/// Waits `nanoseconds`, then sets all elements: a write that comes late.
cudaError_t late_fill(float* data, std::size_t size, float value, std::int64_t nanoseconds, cudaStream_t stream);
/// Adds up how many elements differ from `value` into *differing.
cudaError_t count_differing(const float* data, std::size_t size, float value, unsigned long long* differing,
                            cudaStream_t stream);
cudaError_t write_to_null(cudaStream_t stream);
cudaError_t fail_assertion(cudaStream_t stream);
cudaError_t launch_too_many_threads(cudaStream_t stream);

}  // namespace gpuenv_test
