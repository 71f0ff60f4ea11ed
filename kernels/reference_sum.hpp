// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comparison.hpp"
#include "double_double.hpp"
#include "host_device.hpp"
#include "product_problem.hpp"
#include "rounded.hpp"

#include <cmath>
#include <cstdint>

namespace gpuenv::kernels {

/// What a full verification adds up for one element of A B: the sum of a b, and what tells how far rounding may take
/// it.
///
/// A sum of K terms in working precision makes a rounding error of at most u |s_q| at each partial sum s_q; if those
/// errors are independent with mean zero (N. Higham and T. Mary, SIAM J. Sci. Comput. 41, 2019), the variance of the
/// whole is at most u^2 times the sum of s_q^2. `walk` is that sum for the order 0, 1, ... K-1. Other codes add in
/// other orders; for a random one the expected sum follows from the total S and the squares Q of the terms alone:
///     S^2 (K+1)(2K+1) / (6K) + (Q - S^2/K) (K+1) / 6
/// (mean and variance of a sample without replacement, summed over its size). The larger of the two is taken, and Q
/// added for the rounding of the products where they are not fused.
template <class T>
struct reference_sum {
  wide<T> sum;
  double magnitude;  ///< sum of |a b|
  double squares;    ///< sum of (a b)^2
  double walk;       ///< sum of the squares of the partial sums
};

template <class T>
GPUENV_HD inline void accumulate(reference_sum<T>& reference, double a, double b) {
  accumulate(reference.sum, a, b);
  const double product = mul_rn(a, b), partial = to_pair(reference.sum).hi;
  reference.magnitude = add_rn(reference.magnitude, std::fabs(product));
  reference.squares = fma_rn(product, product, reference.squares);
  reference.walk = fma_rn(partial, partial, reference.walk);
}

/// The variance of the sum's rounding error over u^2, for K > 0 terms; never negative.
template <class T>
GPUENV_HD inline double variance_of(const reference_sum<T>& reference, std::int64_t terms) {
  const double k = static_cast<double>(terms), total = to_double(reference.sum), square = mul_rn(total, total);
  const double spread = sub_rn(reference.squares, div_rn(square, k));
  const double random_order = add_rn(mul_rn(square, div_rn(mul_rn(k + 1, 2 * k + 1), 6 * k)),
                                     mul_rn(spread > 0 ? spread : 0, div_rn(k + 1, 6)));
  return add_rn(reference.walk > random_order ? reference.walk : random_order, reference.squares);
}

/// Plain loops in T on one element: in order with fused multiply-adds, and with 1 to 32 partial
/// sums that take turns, as vector units and threads have them. Slow, and asked for rarely; not inlined, so that it
/// takes no registers from those who never ask.
template <class T>
struct plain_loops {
  const product_problem<T>& problem;
  std::int64_t row, col;
  double_double reference;

  GPUENV_HD double error_of(T sum) const {
    T value = 0;
    if (problem.reads_factors()) value = mul_rn(problem.alpha, sum);
    if (problem.reads_c0()) value = fma_rn(problem.beta, problem.c0(row, col), value);
    return std::fabs(sub_rn(sub_rn(static_cast<double>(value), reference.hi), reference.lo));
  }

  GPUENV_HD __attribute__((noinline)) loop_behaviour operator()() const {
    const std::int64_t terms = problem.reads_factors() ? problem.a.cols : 0;
    T fused = 0;
    for (std::int64_t k = 0; k < terms; ++k) fused = fma_rn(problem.a(row, k), problem.b(k, col), fused);
    loop_behaviour largest{error_of(fused), 0};
    for (int lanes = 1; lanes <= 32; lanes *= 2) {
      T partial[32] = {};
      double walk = 0;
      for (std::int64_t k = 0; k < terms; ++k) {
        T& own = partial[k % lanes];
        own = add_rn(own, mul_rn(problem.a(row, k), problem.b(k, col)));
        walk = fma_rn(static_cast<double>(own), static_cast<double>(own), walk);
      }
      T sum = 0;
      for (int lane = 0; lane < lanes; ++lane) sum = add_rn(sum, partial[lane]);
      const double error = error_of(sum);
      if (!(error <= largest.error)) largest.error = error;
      if (walk > largest.variance) largest.variance = walk;
    }
    const double alpha = problem.alpha;
    largest.variance = mul_rn(mul_rn(alpha, alpha), largest.variance);
    return largest;
  }
};

/// Completes A B to alpha A B + beta C0 at (row, col) and judges the computed element against it.
template <class T>
GPUENV_HD inline void judge_product(comparison_totals& totals, std::int64_t row, std::int64_t col, T computed,
                                    const product_problem<T>& problem, const reference_sum<T>& product,
                                    const error_bound& bound) {
  wide<T> value{};
  expectation expected{};
  if (problem.reads_factors()) {
    const double alpha = problem.alpha;
    value = scaled(product.sum, alpha);
    expected.magnitude = mul_rn(std::fabs(alpha), product.magnitude);
    expected.reach = product.magnitude;
    expected.variance = mul_rn(mul_rn(alpha, alpha), variance_of(product, problem.a.cols));
  }
  if (problem.reads_c0()) {
    const double beta = problem.beta, c0 = problem.c0(row, col), term = mul_rn(beta, c0);
    accumulate(value, beta, c0);
    expected.magnitude = add_rn(expected.magnitude, std::fabs(term));
    expected.variance = fma_rn(term, term, expected.variance);
  }
  expected.value = to_pair(value);
  if (expected.magnitude > expected.reach) expected.reach = expected.magnitude;
  // alpha times the sum, and the last addition: each rounds something of the size of the result.
  const double nearest = to_double(expected.value);
  expected.variance = fma_rn(mul_rn(2, nearest), nearest, expected.variance);
  judge_element(totals, row, col, computed, expected, bound, plain_loops<T>{problem, row, col, expected.value});
}

/// The sums of one element alone, in the order of k.
template <class T>
GPUENV_HD inline reference_sum<T> reference_of_element(const product_problem<T>& problem, std::int64_t row,
                                                       std::int64_t col) {
  reference_sum<T> reference{};
  if (!problem.reads_factors()) return reference;
  for (std::int64_t k = 0; k < problem.a.cols; ++k) accumulate(reference, problem.a(row, k), problem.b(k, col));
  return reference;
}

}  // namespace gpuenv::kernels
