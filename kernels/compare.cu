// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"
#include "launch.hpp"
#include "reference_sum.hpp"
#include "tile_product.cuh"

namespace gpuenv::kernels {
namespace {

/// Four or five doubles a sum: patches of 4 x 4 would not fit into a thread's registers.
using shape = tile_shape<compare_tile_rows, compare_tile_cols, 4, 2>;

/// A place in shared memory for the totals of each thread of a block, where they leave the registers to the sums.
/// Bytes, since a shared variable may have no constructor, and comparison_totals has one for its -1s.
struct block_totals {
  alignas(comparison_totals) unsigned char storage[shape::threads * sizeof(comparison_totals)];
};

/// The calling thread's totals, empty.
__device__ comparison_totals& own_totals(block_totals& block) {
  auto& own = reinterpret_cast<comparison_totals*>(block.storage)[threadIdx.x];
  own = comparison_totals{};
  return own;
}

/// Merges the totals of all threads and lets thread 0 write the result. A tree of fixed form: 128 pairs, then 64, ...
/// (M. Harris, "Optimizing parallel reduction in CUDA", 2007). Sums of doubles depend on the order of addition, and
/// this order never changes.
__device__ void write_merged(block_totals& block, comparison_totals* result) {
  auto* const records = reinterpret_cast<comparison_totals*>(block.storage);
  const int thread = static_cast<int>(threadIdx.x);
  for (int half = shape::threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) merge(records[thread], records[thread + half]);
  }
  if (thread == 0) *result = records[0];
}

/// A block makes the reference of tile after tile in registers and judges C there; its record is all that it writes.
template <class T>
__global__ void __launch_bounds__(shape::threads)
    compare_kernel(product_problem<T> problem, strided<const T> c, error_bound bound, comparison_totals* records) {
  __shared__ tile_storage<shape, double> storage;  // converted on the way in: once an element, not once a product
  __shared__ block_totals block;
  comparison_totals& totals = own_totals(block);

  for_each_tile<shape>(c.rows, c.cols, [&](std::int64_t first_row, std::int64_t first_col) {
    patch<shape, reference_sum<T>> sum = {};
    if (problem.reads_factors()) {
      add_tile_product(sum, storage, problem.a, problem.b.transposed(), first_row, first_col);
    }
    for_each_in_patch<shape>(sum, first_row, first_col, c.rows, c.cols,
                             [&](std::int64_t row, std::int64_t col, const reference_sum<T>& product) {
                               judge_product(totals, row, col, c(row, col), problem, product, bound);
                             });
  });
  write_merged(block, &records[blockIdx.x]);
}

/// One block merges the records of all. With no records it writes the totals of nothing.
__global__ void __launch_bounds__(shape::threads)
    merge_kernel(const comparison_totals* records, std::int64_t count, comparison_totals* result) {
  __shared__ block_totals block;
  comparison_totals& totals = own_totals(block);
  for (std::int64_t i = threadIdx.x; i < count; i += shape::threads) merge(totals, records[i]);
  write_merged(block, result);
}

}  // namespace

cudaError_t merge_totals(const comparison_totals* records, std::int64_t count, comparison_totals* totals,
                         cudaStream_t stream) {
  return launch(merge_kernel, 1, shape::threads, stream, records, count, totals);
}

template <class T>
cudaError_t compare(const product_problem<T>& problem, strided<const T> c, const error_bound& bound,
                    comparison_totals* workspace, comparison_totals* totals, cudaStream_t stream) {
  const std::int64_t records = compare_workspace(c.rows, c.cols);
  if (records > 0) {
    const cudaError_t status = launch(compare_kernel<T>, records, shape::threads, stream, problem, c, bound, workspace);
    if (status != cudaSuccess) return status;
  }
  return merge_totals(workspace, records, totals, stream);
}

template cudaError_t compare(const product_problem<float>&, strided<const float>, const error_bound&,
                             comparison_totals*, comparison_totals*, cudaStream_t);
template cudaError_t compare(const product_problem<double>&, strided<const double>, const error_bound&,
                             comparison_totals*, comparison_totals*, cudaStream_t);

}  // namespace gpuenv::kernels
