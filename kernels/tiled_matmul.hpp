// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "strided.hpp"

#include <cuda_runtime_api.h>

namespace gpuenv::kernels {

/// C = alpha A B + beta C, for T float or double: the readable product, for every GPU, shape, stride and alignment.
///
/// A is M x K, B is K x N, C is M x N; C must not overlap A or B, and its elements must not overlap each other. The sum
/// over k is made in T, in order of k, one fused multiply-add a step, and the result is fma(beta, c, alpha * sum): the
/// same bits as such a loop on a CPU, in every layout, and for a row the same bits whatever other rows are in the
/// batch.
///
/// As in BLAS: beta == 0 never reads C; alpha == 0 or K == 0 gives beta C and never reads A and B, which may be null;
/// M == 0 or N == 0 launches nothing. Work is put on `stream` and not waited for. Returns this launch's status alone.
template <class T>
[[nodiscard]] cudaError_t tiled_matmul(T alpha, strided<const T> a, strided<const T> b, T beta, strided<T> c,
                                       cudaStream_t stream);

}  // namespace gpuenv::kernels
