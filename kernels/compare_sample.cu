// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"
#include "compare_sample.hpp"
#include "groups.hpp"
#include "launch.hpp"
#include "reference_sum.hpp"

namespace gpuenv::kernels {
namespace {

constexpr int threads = 32;  // few places: spread them over the multiprocessors

template <class T>
__global__ void __launch_bounds__(threads)
    compare_sample_kernel(product_problem<T> problem, strided<const T> c, error_bound bound, const sample_place* places,
                          std::int64_t count, comparison_totals* records) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < count; i += stride) {
    const sample_place at = places[i];
    comparison_totals totals;
    judge_product(totals, at.row, at.col, c(at.row, at.col), problem, reference_of_element(problem, at.row, at.col),
                  bound);
    records[i] = totals;
  }
}

}  // namespace

template <class T>
cudaError_t compare_sample(const product_problem<T>& problem, strided<const T> c, const error_bound& bound,
                           const sample_place* places, std::int64_t count, comparison_totals* workspace,
                           comparison_totals* totals, cudaStream_t stream) {
  if (count > 0) {
    const cudaError_t status = launch(compare_sample_kernel<T>, groups_of(threads, count), threads, stream, problem, c,
                                      bound, places, count, workspace);
    if (status != cudaSuccess) return status;
  }
  return merge_totals(workspace, count, totals, stream);
}

template cudaError_t compare_sample(const product_problem<float>&, strided<const float>, const error_bound&,
                                    const sample_place*, std::int64_t, comparison_totals*, comparison_totals*,
                                    cudaStream_t);
template cudaError_t compare_sample(const product_problem<double>&, strided<const double>, const error_bound&,
                                    const sample_place*, std::int64_t, comparison_totals*, comparison_totals*,
                                    cudaStream_t);

}  // namespace gpuenv::kernels
