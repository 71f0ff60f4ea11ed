// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "freivalds.hpp"
#include "groups.hpp"
#include "launch.hpp"
#include "tile_product.cuh"

namespace gpuenv::kernels {
namespace {

/// As wide as the most vectors there can be: one column of tiles then covers the result, and each factor is read once.
using shape = tile_shape<64, max_sign_vectors>;

template <class T>
using storage_for = tile_storage<shape, double, wide<T>>;

__global__ void sign_words_kernel(std::uint32_t* words, std::int64_t length, std::uint64_t seed,
                                  std::uint64_t stream_id) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; j < length; j += step) {
    words[j] = sign_word(seed, stream_id, j);
  }
}

template <class T>
__global__ void __launch_bounds__(shape::threads)
    sign_product_kernel(strided<const T> b, const std::uint32_t* words, int count, wide<T>* y) {
  __shared__ storage_for<T> storage;
  const sign_operand<wide<T>> signs{words, count, b.cols, 1};

  for_each_tile<shape>(b.rows, count, [&](std::int64_t first_row, std::int64_t first_vector) {
    patch<shape, wide<T>> sum = {};
    add_tile_product(sum, storage, b, signs, first_row, first_vector);
    for_each_in_patch<shape>(sum, first_row, first_vector, b.rows, count,
                             [&](std::int64_t k, std::int64_t v, wide<T> value) { y[k * count + v] = value; });
  });
}

template <class T>
__global__ void __launch_bounds__(shape::threads)
    residual_kernel(product_problem<T> problem, strided<const T> c, const std::uint32_t* words, int count,
                    const wide<T>* y, double* r) {
  __shared__ storage_for<T> storage;
  const strided<const wide<T>> y_transposed{y, count, problem.a.cols, 1, count};
  const sign_operand<wide<T>> plus_beta{words, count, c.cols, problem.beta}, minus_one{words, count, c.cols, -1};

  for_each_tile<shape>(c.rows, count, [&](std::int64_t first_row, std::int64_t first_vector) {
    patch<shape, wide<T>> sum = {};
    if (problem.reads_factors()) {
      add_tile_product(sum, storage, problem.a, y_transposed, first_row, first_vector);
      for (auto& row : sum) {
        for (auto& value : row) value = scaled(value, problem.alpha);
      }
    }
    if (problem.reads_c0()) add_tile_product(sum, storage, problem.c0, plus_beta, first_row, first_vector);
    add_tile_product(sum, storage, c, minus_one, first_row, first_vector);
    for_each_in_patch<shape>(
        sum, first_row, first_vector, c.rows, count,
        [&](std::int64_t i, std::int64_t v, wide<T> value) { r[i * count + v] = to_double(value); });
  });
}

/// A block takes 64 rows. Its threads fetch a slab together, neighbours from neighbouring addresses in either layout;
/// then 64 of them add up one row each. The additions of a row stay in order, and memory, not they, sets the pace.
template <class T>
__global__ void __launch_bounds__(shape::threads) row_sums_kernel(strided<const T> matrix, row_sum* sums) {
  __shared__ slab<double, shape::rows, 2 * shape::depth> values;
  const int own = static_cast<int>(threadIdx.x);

  for_each_tile<shape>(matrix.rows, 1, [&](std::int64_t first_row, std::int64_t) {
    row_sum sum{};
    for (std::int64_t first_col = 0; first_col < matrix.cols; first_col += 2 * shape::depth) {
      fill<shape::threads>(values, matrix, first_row, first_col);
      __syncthreads();
      if (own < shape::rows) {
        for (const auto& line : values.at) add_element(sum, line[own]);  // zeros beyond the edge add nothing
      }
      __syncthreads();
    }
    if (own < shape::rows && first_row + own < matrix.rows) sums[first_row + own] = sum;
  });
}

}  // namespace

cudaError_t sign_words(std::uint32_t* words, std::int64_t length, std::uint64_t seed, std::uint64_t stream_id,
                       cudaStream_t stream) {
  constexpr int threads = 256;
  if (length == 0) return cudaSuccess;
  return launch(sign_words_kernel, groups_of(threads, length), threads, stream, words, length, seed, stream_id);
}

template <class T>
cudaError_t sign_product(strided<const T> b, const std::uint32_t* words, int count, wide<T>* y, cudaStream_t stream) {
  if (b.rows == 0) return cudaSuccess;
  return launch(sign_product_kernel<T>, tile_count<shape>(b.rows, count), shape::threads, stream, b, words, count, y);
}

template <class T>
cudaError_t residual(const product_problem<T>& problem, strided<const T> c, const std::uint32_t* words, int count,
                     const wide<T>* y, double* r, cudaStream_t stream) {
  if (c.rows == 0) return cudaSuccess;
  return launch(residual_kernel<T>, tile_count<shape>(c.rows, count), shape::threads, stream, problem, c, words, count,
                y, r);
}

template <class T>
cudaError_t row_sums(strided<const T> matrix, row_sum* sums, cudaStream_t stream) {
  if (matrix.rows == 0) return cudaSuccess;
  return launch(row_sums_kernel<T>, tile_count<shape>(matrix.rows, 1), shape::threads, stream, matrix, sums);
}

template cudaError_t sign_product(strided<const float>, const std::uint32_t*, int, double*, cudaStream_t);
template cudaError_t sign_product(strided<const double>, const std::uint32_t*, int, double_double*, cudaStream_t);
template cudaError_t residual(const product_problem<float>&, strided<const float>, const std::uint32_t*, int,
                              const double*, double*, cudaStream_t);
template cudaError_t residual(const product_problem<double>&, strided<const double>, const std::uint32_t*, int,
                              const double_double*, double*, cudaStream_t);
template cudaError_t row_sums(strided<const float>, row_sum*, cudaStream_t);
template cudaError_t row_sums(strided<const double>, row_sum*, cudaStream_t);

}  // namespace gpuenv::kernels
