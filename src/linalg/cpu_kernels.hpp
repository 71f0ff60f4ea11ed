// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Which of the compiled kernels CPU products use.
#pragma once

#include "linalg/cpu_kernel.hpp"
#include "linalg/cpu_level.hpp"

#include <string>

namespace gpuenv::inline v0::linalg {

struct cpu_kernels {
  void (*multiply_floats)(const product_block<float>&);
  void (*multiply_doubles)(const product_block<double>&);

  void operator()(const product_block<float>& block) const { multiply_floats(block); }
  void operator()(const product_block<double>& block) const { multiply_doubles(block); }

  /// Those of a level that this build has code for.
  [[nodiscard]] static const cpu_kernels& of(cpu_level level) noexcept;
};

/// "Eigen 3.4.0": the Eigen that is compiled in.
[[nodiscard]] std::string eigen_version();

}  // namespace gpuenv::inline v0::linalg
