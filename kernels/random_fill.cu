// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"
#include "launch.hpp"
#include "random_fill.hpp"

namespace gpuenv::kernels {
namespace {

constexpr int threads = 256;

/// One element a thread. Threads are numbered in the order of memory, so that the 32 of a warp write neighbours; the
/// number of the random value follows the row-major index, so that the layout does not change the matrix.
template <class T>
__global__ void __launch_bounds__(threads)
    random_fill_kernel(strided<T> matrix, distribution kind, std::uint64_t seed, std::uint64_t stream_id) {
  const bool by_row = matrix.is_row_major();
  const std::int64_t line = by_row ? matrix.cols : matrix.rows, count = matrix.rows * matrix.cols;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * threads;

  for (std::int64_t place = first; place < count; place += step) {
    const std::int64_t across = place / line, along = place % line;
    const std::int64_t row = by_row ? across : along, col = by_row ? along : across;
    const auto index = static_cast<std::uint64_t>(row * matrix.cols + col);
    matrix(row, col) = random_value<T>(kind, seed, stream_id, index);
  }
}

}  // namespace

template <class T>
cudaError_t random_fill(strided<T> matrix, distribution kind, std::uint64_t seed, std::uint64_t stream_id,
                        cudaStream_t stream) {
  const std::int64_t count = matrix.rows * matrix.cols;
  if (count == 0) return cudaSuccess;
  return launch(random_fill_kernel<T>, groups_of(threads, count), threads, stream, matrix, kind, seed, stream_id);
}

template cudaError_t random_fill(strided<float>, distribution, std::uint64_t, std::uint64_t, cudaStream_t);
template cudaError_t random_fill(strided<double>, distribution, std::uint64_t, std::uint64_t, cudaStream_t);

}  // namespace gpuenv::kernels
