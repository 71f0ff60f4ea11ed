// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/device_matmul.hpp>
#include "linalg/cublas_library.hpp"

namespace gpuenv::inline v0::linalg {
namespace {

class cublas_category_type final : public named_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "cublas"; }
  [[nodiscard]] std::string message(int value) const override {
    switch (value) {
      case CUBLAS_STATUS_NOT_INITIALIZED: return "not initialized (CUBLAS_STATUS_NOT_INITIALIZED)";
      case CUBLAS_STATUS_ALLOC_FAILED: return "allocation failed (CUBLAS_STATUS_ALLOC_FAILED)";
      case CUBLAS_STATUS_INVALID_VALUE: return "invalid value (CUBLAS_STATUS_INVALID_VALUE)";
      case CUBLAS_STATUS_ARCH_MISMATCH: return "device too old (CUBLAS_STATUS_ARCH_MISMATCH)";
      case CUBLAS_STATUS_MAPPING_ERROR: return "mapping error (CUBLAS_STATUS_MAPPING_ERROR)";
      case CUBLAS_STATUS_EXECUTION_FAILED: return "execution failed (CUBLAS_STATUS_EXECUTION_FAILED)";
      case CUBLAS_STATUS_INTERNAL_ERROR: return "internal error (CUBLAS_STATUS_INTERNAL_ERROR)";
      case CUBLAS_STATUS_NOT_SUPPORTED: return "not supported (CUBLAS_STATUS_NOT_SUPPORTED)";
      default: return "cuBLAS status " + std::to_string(value);
    }
  }
};

}  // namespace

const std::error_category& cublas_category() noexcept {
  static const auto* const instance = new cublas_category_type;  // outlives every static object that may fail
  return *instance;
}

}  // namespace gpuenv::inline v0::linalg
