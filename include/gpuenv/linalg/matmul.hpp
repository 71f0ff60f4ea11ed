// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The product of two host matrices, wherever it runs best: C = alpha A B + beta C.
//   auto [c, info] = matmul(a, b);                                   // a GPU if there is one, else the CPU
//   auto info = matmul(a, b, c.view(), {.alpha = 2, .beta = 1, .device = device_choice::cpu()});
// Products of device matrices stand in device_matmul.hpp.
#pragma once

#include <gpuenv/base/device_choice.hpp>
#include <gpuenv/linalg/host_matrix.hpp>
#include <gpuenv/linalg/product_info.hpp>

namespace gpuenv::inline v0::linalg {

struct matmul_options {
  double alpha = 1;  ///< converted to the element type
  double beta = 0;   ///< converted to the element type; 0: C is written and never read
  device_choice device = automatic;
  product_route route = product_route::automatic;
  int repeat = 1;  ///< runs of the product on the same operands, each timed; more than 1 needs beta = 0
};

/// c = alpha a b + beta c. a is m x k, b is k x n, c is m x n, in any memory order. With k = 0 or alpha = 0, c becomes
/// beta c. Without `device` given: on a GPU when one is usable, else on the CPU, and info says which and why. A GPU
/// that lacks the memory is an error, never a silent change to the CPU.
/// @throws error before anything runs: shapes that do not fit, c overlapping a or b, a demanded GPU that cannot be used
GPUENV_EXPORT product_info matmul(host_matrix_view<const float> a, host_matrix_view<const float> b,
                                  host_matrix_view<float> c, const matmul_options& options = {},
                                  std::source_location where = std::source_location::current());
GPUENV_EXPORT product_info matmul(host_matrix_view<const double> a, host_matrix_view<const double> b,
                                  host_matrix_view<double> c, const matmul_options& options = {},
                                  std::source_location where = std::source_location::current());

template <class T>
struct product {
  host_matrix<T> value;
  product_info info;
};

/// A new row-major matrix alpha a b. Anything that a host view can be made of will do, Eigen's matrices among them.
template <host_matrix_like A, host_matrix_like B>
requires std::is_same_v<scalar_of<A>, scalar_of<B>>
[[nodiscard]] product<scalar_of<A>> matmul(const A& a, const B& b, const matmul_options& options = {},
                                           std::source_location where = std::source_location::current()) {
  using T = scalar_of<A>;
  if (options.beta != 0) {
    throw error{errc::invalid_argument,
                "matmul: beta is " + std::to_string(options.beta) + ", and there is no C to add to",
                "pass the C to add to as third argument", recovery::possible, where};
  }
  const host_matrix_view<const T> left = detail::view_of(a);
  const host_matrix_view<const T> right = detail::view_of(b);
  product<T> result{host_matrix<T>{left.rows(), right.cols(), storage_order::row_major, where}, {}};
  result.info = matmul(left, right, result.value.view(), options, where);
  return result;
}

}  // namespace gpuenv::inline v0::linalg
