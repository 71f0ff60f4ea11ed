// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What is known about a product that ran: where, by which route, how long, and what the reader should know.
#pragma once

#include <gpuenv/linalg/product_plan.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace gpuenv::inline v0::linalg {

struct product_info {
  product_plan plan;
  bool on_gpu = false;
  std::string device;   ///< "GPU 0 (NVIDIA H200)" or the CPU's name
  std::string uuid;     ///< of the GPU; empty on the CPU
  std::string library;  ///< "cuBLAS 13.1.0", "Eigen 3.4.0, x86-64-v4, 16 threads"; empty for gpuenv's own code
  /// Seconds of each run of the product alone, operands in place: device time on a GPU, wall time on the CPU.
  std::vector<double> seconds;
  double total_seconds = 0;        ///< wall time of the whole call: transfers and set-up included
  std::vector<std::string> notes;  ///< why the CPU, which variables were found and have no effect, ...

  /// The median of all runs but the first, which is cold, or of the only one; 0 when nothing ran.
  [[nodiscard]] GPUENV_EXPORT double median_seconds() const;
  /// 2 m n k useful operations over the median time, in 1e12 a second; 0 when nothing ran.
  [[nodiscard]] GPUENV_EXPORT double teraflops() const;
};

/// A few lines for people.
GPUENV_EXPORT std::ostream& operator<<(std::ostream& out, const product_info& info);

}  // namespace gpuenv::inline v0::linalg
