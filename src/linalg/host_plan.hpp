// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Which code computes a product on the CPU, and with how many threads.
#pragma once

#include <gpuenv/linalg/product_plan.hpp>

#include <cstdint>
#include <string>

namespace gpuenv::inline v0::linalg {

/// Decided from sizes, the CPUs that the caller may use and the environment, never from a measured time: the same
/// product gives the same bits.
struct host_plan {
  product_route route = product_route::nothing;  ///< or scaling, eigen, openblas
  int threads = 1;
  std::string library;  ///< "Eigen 3.4.0, x86-64-v4, 16 threads"; empty where none is used
  std::string note;     ///< why a library that was asked for by name is not used
};

/// What there is to decide on.
struct host_request {
  std::int64_t m = 0, n = 0, k = 0;
  bool c_by_rows = false;           ///< then C^T = B^T A^T is computed, n x m
  bool reads_factors = true;        ///< false for alpha = 0
  std::int64_t largest_stride = 1;  ///< of a, b and c, in elements
  product_route route = product_route::automatic;
};

/// @throws error: a route that no CPU has, a demanded OpenBLAS that cannot be used, a bad GPUENV_CPU_LEVEL
[[nodiscard]] host_plan plan_on_host(const host_request& request);

}  // namespace gpuenv::inline v0::linalg
