// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// gpuenv's headers in a .cu file, beside a kernel of the user's own that works on gpuenv's memory.
#include <gpuenv/gpuenv.hpp>

#include <cstdio>
#include <vector>

namespace {

__global__ void double_all(float* data, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) data[i] *= 2;
}

}  // namespace

int main() {
  namespace cuda = gpuenv::cuda;
  if (const auto gpu = cuda::availability(); !gpu.ready()) {
    std::printf("skipped: %s\n", gpu.message().c_str());
    return 77;
  }
  constexpr int size = 1000;
  const cuda::stream stream{cuda::device_ref{0}};
  std::vector<float> host(size, 21.0F);
  cuda::device_buffer<float> data{stream, size};
  cuda::copy(host, data, stream);
  double_all<<<(size + 255) / 256, 256, 0, stream.get()>>>(data.data(), size);
  cuda::check(cudaGetLastError(), "launch double_all");
  cuda::copy(data, host, stream);
  stream.synchronize();
  const auto a = gpuenv::linalg::random_device_matrix<float>(stream, 50, 50);
  const auto c = gpuenv::linalg::matmul(a, a, stream);
  const bool is_right = gpuenv::linalg::verify(gpuenv::linalg::device_problem<float>{a, a}, c, stream).passed();
  for (const float x : host) {
    if (x != 42.0F) return 1;
  }
  return is_right ? 0 : 1;
}
