// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// How a product will be computed, decided on the host from shapes, layouts and options alone: the same plan gives the
// same bits. A plan is a small value; making one allocates nothing.
#pragma once

#include <gpuenv/base/export.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuenv::inline v0::linalg {

/// The arithmetic of a product. fp32 means IEEE single precision throughout; nothing narrower is ever put in its place.
enum class compute_type { fp32, fp64 };

/// Which code computes a product.
enum class product_route {
  automatic,  ///< as a request: the best route that works here
  nothing,    ///< an output without elements
  scaling,    ///< alpha or K is 0: only beta * C
  eigen,      ///< Eigen, on the CPU
  openblas,   ///< OpenBLAS, on the CPU
  cublas,     ///< cuBLAS, on the GPU
  tiled,      ///< gpuenv's own tiled kernel, on the GPU: any strides, no library
};

[[nodiscard]] GPUENV_EXPORT std::string_view to_string(compute_type type) noexcept;
[[nodiscard]] GPUENV_EXPORT std::string_view to_string(product_route route) noexcept;

struct product_plan {
  std::int64_t m = 0, n = 0, k = 0;
  compute_type compute = compute_type::fp32;
  product_route route = product_route::nothing;
  bool as_transpose = false;                             ///< cublas: C^T = B^T A^T is computed, since C is row-major
  bool transpose_left = false, transpose_right = false;  ///< cublas: of the operands in the order that it gets them

  friend bool operator==(const product_plan&, const product_plan&) = default;
};

/// "cublas fp32 1000x1000x1000, as C^T = B^T A^T, N N": m x n x k, then what cuBLAS is told.
[[nodiscard]] GPUENV_EXPORT std::string to_string(const product_plan& plan);

}  // namespace gpuenv::inline v0::linalg
