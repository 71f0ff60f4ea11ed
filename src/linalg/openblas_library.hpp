// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// OpenBLAS, found and loaded at run time: nothing of gpuenv is linked to it.
#pragma once

#include <string>

namespace gpuenv::inline v0::linalg {

struct openblas_library {
  // The C interface of BLAS with 32-bit sizes; its enumerations are ints.
  using sgemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a,
                         int a_leading, const float* b, int b_leading, float beta, float* c, int c_leading);
  using dgemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha,
                         const double* a, int a_leading, const double* b, int b_leading, double beta, double* c,
                         int c_leading);

  sgemm multiply_floats = nullptr;
  dgemm multiply_doubles = nullptr;
  int (*threads)() = nullptr;
  void (*set_threads)(int) = nullptr;
  bool is_ours = false;       ///< it was not in the process before: its number of threads is nobody else's setting
  bool is_asked_for = false;  ///< GPUENV_OPENBLAS names it
  std::string version;        ///< "0.3.21"
  std::string path;           ///< where it was loaded from
  std::string problem;        ///< why it cannot be used; empty when it can

  [[nodiscard]] bool usable() const noexcept { return problem.empty(); }

  /// Loads at the first call: GPUENV_OPENBLAS, else libopenblas.so.0 on the loader's path. GPUENV_OPENBLAS=none does
  /// without. Never throws for a missing library.
  [[nodiscard]] static const openblas_library& get();
};

}  // namespace gpuenv::inline v0::linalg
