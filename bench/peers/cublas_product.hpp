// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// cuBLAS called directly, as its user does: one handle, one stream, default math (IEEE FP32, FP64).
#pragma once

#include <cublas_v2.h>

namespace gpuenv_bench {

class cublas_product {
 public:
  /// A handle on the current device that works in `stream`, which must outlive it.
  explicit cublas_product(cudaStream_t stream);
  cublas_product(const cublas_product&) = delete;
  cublas_product& operator=(const cublas_product&) = delete;
  ~cublas_product();

  /// c = a b in device memory, row-major, dense; a is m x k, b is k x n. Returns before the work is done.
  void operator()(const float* a, const float* b, float* c, int m, int n, int k);
  void operator()(const double* a, const double* b, double* c, int m, int n, int k);

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace gpuenv_bench
