// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What a user of cuBLAS writes to do as `gpuenv matmul 1000 --verify full --verify-on cpu` does: two random matrices on
// the GPU, their product, and its verification against FP64 on the CPU: every error within gamma_k (|A||B|),
// gamma_k = k u / (1 - k u) (Higham, Accuracy and Stability of Numerical Algorithms, 3.5).
#include "peers/fp64_check.hpp"

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s\n", cublasGetStatusString(status));
  std::exit(1);
}

/// A hash of the index (splitmix64), its upper 24 bits as a number in [-1, 1).
__global__ void fill(float* out, int count, unsigned long long seed) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  unsigned long long z = seed + 0x9e3779b97f4a7c15ULL * static_cast<unsigned long long>(i + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  out[i] = static_cast<float>(static_cast<int>(z >> 40)) * 0x1p-23f - 1.0f;
}

}  // namespace

int main() {
  constexpr int n = 1000, count = n * n;
  float *a = nullptr, *b = nullptr, *c = nullptr;
  check(cudaMalloc(&a, count * sizeof(float)));
  check(cudaMalloc(&b, count * sizeof(float)));
  check(cudaMalloc(&c, count * sizeof(float)));
  fill<<<(count + 255) / 256, 256>>>(a, count, 1);
  fill<<<(count + 255) / 256, 256>>>(b, count, 2);
  check(cudaGetLastError());

  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle));
  const float one = 1, zero = 0;
  check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n));

  std::vector<float> host_a(count), host_b(count), host_c(count);
  check(cudaMemcpy(host_a.data(), a, count * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(host_b.data(), b, count * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(host_c.data(), c, count * sizeof(float), cudaMemcpyDeviceToHost));

  const double worst = gpuenv_bench::worst_error_ratio(host_a.data(), host_b.data(), host_c.data(), n);
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s: %d x %d, worst error %.3g of the bound, verified %s\n", properties.name, n, n, worst,
              worst <= 1 ? "yes" : "no");
  cublasDestroy(handle);
  return worst <= 1 ? 0 : 1;
}
