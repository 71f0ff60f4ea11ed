// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host_device.hpp"
#include "strided.hpp"

namespace gpuenv::kernels {

/// What was to be computed: C = alpha A B + beta C0. Whoever checks a product needs all of it.
///
/// As in BLAS, beta == 0 means that C0 is not read (c0.data may be null): fresh memory may hold NaN, and 0 * NaN is
/// NaN. A and B are not read when alpha == 0 or there is nothing to sum; the result is then beta C0 whatever alpha is.
template <class T>
struct product_problem {
  T alpha;
  strided<const T> a, b;
  T beta;
  strided<const T> c0;

  GPUENV_HD bool reads_factors() const { return alpha != T{0} && a.cols != 0; }
  GPUENV_HD bool reads_c0() const { return beta != T{0}; }
};

}  // namespace gpuenv::kernels
