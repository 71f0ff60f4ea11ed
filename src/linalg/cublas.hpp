// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// One product through cuBLAS, with a handle per thread and device and a workspace per call.
#pragma once

#include <gpuenv/cuda/stream.hpp>
#include <gpuenv/linalg/product_plan.hpp>

#include <cstdint>

namespace gpuenv::inline v0::linalg {

/// An operand as BLAS takes it: column-major with a leading dimension, perhaps to be read as its transpose.
template <class T>
struct blas_operand {
  T* data = nullptr;
  std::int64_t leading_dimension = 1;
  bool transposed = false;
};

/// c (m x n, column-major) = alpha op(left) op(right) + beta c.
template <class T>
struct blas_product {
  std::int64_t m = 0, n = 0, k = 0;
  T alpha = 1, beta = 0;
  blas_operand<const T> left, right;
  blas_operand<T> c;
};

/// Enqueues the product. The arithmetic is IEEE: neither NVIDIA_TF32_OVERRIDE nor cuBLAS's emulation of FP32
/// and FP64 reaches it. The workspace is ordered in the stream, so that streams never share one.
void cublas_product(const blas_product<float>& p, cuda::stream_ref stream, const std::source_location& where);
void cublas_product(const blas_product<double>& p, cuda::stream_ref stream, const std::source_location& where);

}  // namespace gpuenv::inline v0::linalg
