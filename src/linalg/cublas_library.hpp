// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// cuBLAS, found and loaded at run time: nothing of gpuenv is linked to it.
#pragma once

#include <gpuenv/base/export.hpp>

#include <cublas_v2.h>

#include <string>

namespace gpuenv::inline v0::linalg {

struct cublas_library {
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasSetWorkspace_v2) set_workspace = nullptr;
  decltype(&cublasGemmEx_64) gemm = nullptr;
  std::string path;     ///< where it was loaded from
  std::string version;  ///< "13.1.0"
  std::string problem;  ///< why it cannot be used; empty when it can

  [[nodiscard]] bool usable() const noexcept { return problem.empty(); }

  /// Loads at the first call: GPUENV_CUBLAS, else the library of this build's CUDA major version on the loader's path,
  /// beside a loaded CUDA runtime, under CUDA_PATH and CUDA_HOME, and in the toolkit's usual place. GPUENV_CUBLAS=none
  /// does without. Never throws for a missing library.
  [[nodiscard]] static const cublas_library& get();
};

}  // namespace gpuenv::inline v0::linalg
