// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comparison.hpp"
#include "groups.hpp"
#include "product_problem.hpp"
#include "strided.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

namespace gpuenv::kernels {

/// C is judged in tiles of this size.
inline constexpr int compare_tile_rows = 64, compare_tile_cols = 32;

/// Records (of comparison_totals) that compare() needs as workspace for a C of rows x cols, on any GPU. At most 1024:
/// enough blocks of threads to fill any GPU, few enough records for one block to merge. Zero for an empty C.
constexpr std::int64_t compare_workspace(std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t max_records = 1024;
  return std::min(max_records, groups_of(compare_tile_rows, rows) * groups_of(compare_tile_cols, cols));
}

/// Checks every element of C against alpha A B + beta C0, for T float or double, and writes the verdict to *totals.
///
/// The reference is made in the same pass and never stored: in FP64 for float, in double-double for double, with the
/// magnitude |A| |B| beside it in FP64. `workspace` and `totals` are device memory. The result has the same bits each
/// time and on each GPU: no atomics, and the number of partial results depends on the shape of C alone.
///
/// Work is put on `stream` and not waited for. Returns the first launch status that is not cudaSuccess.
template <class T>
[[nodiscard]] cudaError_t compare(const product_problem<T>& problem, strided<const T> c, const error_bound& bound,
                                  comparison_totals* workspace, comparison_totals* totals, cudaStream_t stream);

/// Merges `count` records into *totals, in an order that depends on `count` alone; no records give the totals of
/// nothing. All pointers are device memory. Returns the status of the launch.
[[nodiscard]] cudaError_t merge_totals(const comparison_totals* records, std::int64_t count, comparison_totals* totals,
                                       cudaStream_t stream);

}  // namespace gpuenv::kernels
