// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "launch.hpp"
#include "product_problem.hpp"
#include "tile_product.cuh"
#include "tiled_matmul.hpp"

namespace gpuenv::kernels {
namespace {

using shape = tile_shape<64, 64>;

/// One tile of C a block, or several where the grid could not hold them all.
template <class T>
__global__ void __launch_bounds__(shape::threads)
    tiled_matmul_kernel(T alpha, strided<const T> a, strided<const T> b_transposed, T beta, strided<T> c) {
  __shared__ tile_storage<shape, T> storage;

  for_each_tile<shape>(c.rows, c.cols, [&](std::int64_t first_row, std::int64_t first_col) {
    patch<shape, T> sum = {};
    add_tile_product(sum, storage, a, b_transposed, first_row, first_col);

    for_each_in_patch<shape>(sum, first_row, first_col, c.rows, c.cols,
                             [&](std::int64_t row, std::int64_t col, T product) {
                               T& element = c(row, col);
                               element = beta == T{0} ? alpha * product : fma_rn(beta, element, alpha * product);
                             });
  });
}

}  // namespace

template <class T>
cudaError_t tiled_matmul(T alpha, strided<const T> a, strided<const T> b, T beta, strided<T> c, cudaStream_t stream) {
  if (c.rows == 0 || c.cols == 0) return cudaSuccess;

  // An empty sum is zero whatever alpha is, and reads nothing.
  if (alpha == T{0} || a.cols == 0) {
    if (beta == T{1}) return cudaSuccess;  // C is beta C already
    alpha = 0;
    a.cols = b.rows = 0;
  }

  // The lanes of a warp write along a row of C. Where C lies by columns, its transpose lies by rows, and
  // C^T = B^T A^T is the same product with the same order of k, so every layout of C is written in whole sectors.
  if (!c.is_row_major()) {
    const strided<const T> a_transposed = a.transposed();
    a = b.transposed();
    b = a_transposed;
    c = c.transposed();
  }
  return launch(tiled_matmul_kernel<T>, tile_count<shape>(c.rows, c.cols), shape::threads, stream, alpha, a,
                b.transposed(), beta, c);
}

template cudaError_t tiled_matmul(float, strided<const float>, strided<const float>, float, strided<float>,
                                  cudaStream_t);
template cudaError_t tiled_matmul(double, strided<const double>, strided<const double>, double, strided<double>,
                                  cudaStream_t);

}  // namespace gpuenv::kernels
