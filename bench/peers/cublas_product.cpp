// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "peers/cublas_product.hpp"

#include <stdexcept>
#include <string>

namespace gpuenv_bench {
namespace {

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw std::runtime_error{std::string{call} + ": " + cublasGetStatusString(status)};
  }
}

}  // namespace

cublas_product::cublas_product(cudaStream_t stream) {
  check(cublasCreate(&handle_), "cublasCreate");
  check(cublasSetStream(handle_, stream), "cublasSetStream");
}

cublas_product::~cublas_product() { cublasDestroy(handle_); }

void cublas_product::operator()(const float* a, const float* b, float* c, int m, int n, int k) {
  const float one = 1, zero = 0;
  check(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n), "cublasSgemm");
}

void cublas_product::operator()(const double* a, const double* b, double* c, int m, int n, int k) {
  const double one = 1, zero = 0;
  check(cublasDgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n), "cublasDgemm");
}

}  // namespace gpuenv_bench
