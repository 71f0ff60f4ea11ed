// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// From sums to a verdict: error bounds, the limit that tells precisions apart, and Freivalds' thresholds. Pure
// functions on the host, used by the CPU's and the GPU's verification alike; docs/verification.md derives them.
#pragma once

#include <gpuenv/linalg/verification.hpp>
#include "comparison.hpp"
#include "freivalds_rows.hpp"

#include <cstdint>
#include <source_location>
#include <span>

namespace gpuenv::inline v0::linalg {

/// What the bounds depend on, whatever the element type.
struct claim {
  std::int64_t m = 0, n = 0, k = 0;
  double alpha = 1, beta = 0;
  double unit_roundoff = 0;  ///< of C's type: 2^-24 or 2^-53
  double smallest = 0;       ///< smallest positive number of C's type
  double largest = 0;        ///< largest finite number of C's type
  bool is_double = false;    ///< then the reference is made of pairs, with the error gamma^2
};

template <class T>
[[nodiscard]] claim claim_of(std::int64_t m, std::int64_t n, std::int64_t k, double alpha, double beta);

/// The any-order bound of an element, its unit, and what underflow adds.
[[nodiscard]] kernels::error_bound bound_of(const claim& c);

/// full and sample: the verdict from what all judged elements came to.
void conclude(verification& v, const kernels::comparison_totals& totals);

/// What freivalds has measured: `residuals` is m x vectors, row-major; one row_sum for every row of A, B, C0 and C
/// (c0 empty where it is not read, a and b empty where they are not).
struct freivalds_measurement {
  int vectors = 0;
  std::span<const double> residuals;
  std::span<const kernels::row_sum> a, b, c0, c;
};

void conclude(verification& v, const claim& claim, const freivalds_measurement& measured);

/// Refuses options that make no sense. @throws error naming the value and the range.
void check_options(const verify_options& options, const std::source_location& where);

/// full where it costs no more than `full_limit` multiply-adds, else freivalds.
[[nodiscard]] verify_method chosen_method(const verify_options& options, const claim& c, double full_limit);

/// Puts what a sample of elements says of precision beside what vectors say of the whole.
void add_precision(verification& v, const verification& sampled);

/// Where the caller left the method open and vectors raised a doubt, full decides (sample where that would take too
/// long); else v.method.
[[nodiscard]] verify_method deciding_method(const verification& v, const verify_options& options, const claim& c,
                                            double full_limit);

/// Where the s-th sample lies.
[[nodiscard]] element_place sampled_place(const verify_options& options, std::int64_t s, std::int64_t rows,
                                          std::int64_t cols);

}  // namespace gpuenv::inline v0::linalg
