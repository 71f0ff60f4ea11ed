// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "test_kernels.hpp"

#undef NDEBUG
#include <cassert>

namespace gpuenv_test {
namespace {

__device__ void wait_for(std::int64_t nanoseconds) {
  std::uint64_t start = 0;
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < static_cast<std::uint64_t>(nanoseconds));
}

__global__ void spin_kernel(std::int64_t nanoseconds) { wait_for(nanoseconds); }

__global__ void late_fill_kernel(float* data, std::size_t size, float value, std::int64_t nanoseconds) {
  wait_for(nanoseconds);
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) data[i] = value;
}

__global__ void count_kernel(const float* data, std::size_t size, float value, unsigned long long* differing) {
  unsigned long long mine = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    if (!(data[i] == value)) ++mine;
  }
  if (mine != 0) atomicAdd(differing, mine);
}

__global__ void null_kernel(float* nowhere) { *nowhere = 1; }

__global__ void assert_kernel() { assert(blockIdx.x != 0); }

template <class... P, class... A>
cudaError_t launch(void (*kernel)(P...), int blocks, int threads, cudaStream_t stream, A... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace

cudaError_t spin(std::int64_t nanoseconds, cudaStream_t stream) {
  return launch(spin_kernel, 1, 1, stream, nanoseconds);
}

cudaError_t late_fill(float* data, std::size_t size, float value, std::int64_t nanoseconds, cudaStream_t stream) {
  return launch(late_fill_kernel, 64, 256, stream, data, size, value, nanoseconds);
}

cudaError_t count_differing(const float* data, std::size_t size, float value, unsigned long long* differing,
                            cudaStream_t stream) {
  return launch(count_kernel, 64, 256, stream, data, size, value, differing);
}

cudaError_t write_to_null(cudaStream_t stream) {
  return launch(null_kernel, 1, 1, stream, static_cast<float*>(nullptr));
}

cudaError_t fail_assertion(cudaStream_t stream) { return launch(assert_kernel, 1, 1, stream); }

cudaError_t launch_too_many_threads(cudaStream_t stream) {
  return launch(spin_kernel, 1, 4096, stream, std::int64_t{0});
}

}  // namespace gpuenv_test
