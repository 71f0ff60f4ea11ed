// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comparison.hpp"
#include "product_problem.hpp"
#include "strided.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gpuenv::kernels {

/// An element of C that is to be judged.
struct sample_place {
  std::int64_t row, col;
};

/// As compare(), for `count` places alone. `places` and `workspace` are device memory of `count` elements each. One
/// thread makes one reference, in the order of k: some thousand places are enough for a statement and too few to be
/// worth more.
template <class T>
[[nodiscard]] cudaError_t compare_sample(const product_problem<T>& problem, strided<const T> c,
                                         const error_bound& bound, const sample_place* places, std::int64_t count,
                                         comparison_totals* workspace, comparison_totals* totals, cudaStream_t stream);

}  // namespace gpuenv::kernels
