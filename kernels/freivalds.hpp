// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "freivalds_rows.hpp"
#include "product_problem.hpp"
#include "strided.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gpuenv::kernels {

/// Freivalds' check on the GPU; freivalds_rows.hpp explains it. In order: sign_words, sign_product of B, residual, and
/// row_sums of whatever the thresholds need; then the host reads R and the sums, and judges.
///
/// All pointers are device memory that the caller owns. `count` is 1 to max_sign_vectors. T is float or double. Work is
/// put on `stream` and not waited for; each function returns the status of its launch alone, and launches nothing if
/// there is nothing to compute. Same bits as namespace host, each time, on each GPU.

/// words[j] for j < length.
[[nodiscard]] cudaError_t sign_words(std::uint32_t* words, std::int64_t length, std::uint64_t seed,
                                     std::uint64_t stream_id, cudaStream_t stream);

/// Y = B X, K x count, row-major. `words` has N words.
template <class T>
[[nodiscard]] cudaError_t sign_product(strided<const T> b, const std::uint32_t* words, int count, wide<T>* y,
                                       cudaStream_t stream);

/// R = alpha A Y + beta C0 X - C X, M x count, row-major. Y may be null where A and B are not read; b.data is not used.
template <class T>
[[nodiscard]] cudaError_t residual(const product_problem<T>& problem, strided<const T> c, const std::uint32_t* words,
                                   int count, const wide<T>* y, double* r, cudaStream_t stream);

/// sums[i] over row i; the Frobenius norm of a matrix is the root of the sum of their squares.
template <class T>
[[nodiscard]] cudaError_t row_sums(strided<const T> matrix, row_sum* sums, cudaStream_t stream);

}  // namespace gpuenv::kernels
