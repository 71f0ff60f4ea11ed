// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Sums with about 106 bits out of 53-bit numbers: the yardstick for FP64 products, whose own error a plain double
/// cannot see. Sources:
///   two_sum: D. Knuth, "The Art of Computer Programming" 2, section 4.2.2, theorem B
///   fast_two_sum, and the idea of the pair: T. Dekker, "A floating-point technique for extending the available
///     precision", Numerische Mathematik 18 (1971)
///   add: Y. Hida, X. Li, D. Bailey, "Algorithms for quad-double precision floating point arithmetic", ARITH-15 (2001)
///   accumulate: T. Ogita, S. Rump, S. Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005), Dot2

#include "host_device.hpp"
#include "rounded.hpp"

#include <type_traits>

namespace gpuenv::kernels {

/// The unevaluated sum hi + lo, lo small against hi.
struct double_double {
  double hi, lo;
};

/// a + b without error: hi is the rounded sum, lo what the rounding lost.
GPUENV_HD inline double_double two_sum(double a, double b) {
  const double sum = add_rn(a, b), b_in_sum = sub_rn(sum, a), a_in_sum = sub_rn(sum, b_in_sum);
  return {sum, add_rn(sub_rn(a, a_in_sum), sub_rn(b, b_in_sum))};
}

/// As two_sum, in half the operations, for |a| >= |b|.
GPUENV_HD inline double_double fast_two_sum(double a, double b) {
  const double sum = add_rn(a, b);
  return {sum, sub_rn(b, sub_rn(sum, a))};
}

/// a * b without error, unless lo falls below the smallest subnormal: fma rounds a * b - hi, which is exact.
GPUENV_HD inline double_double two_product(double a, double b) {
  const double product = mul_rn(a, b);
  return {product, fma_rn(a, b, -product)};
}

/// a + b with a relative error below 2^-104, where |lo| is at most half a unit in the last place of hi. The bound is
/// from M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks of double-word
/// arithmetic", ACM TOMS 44 (2017), algorithm 6: 3 u^2.
GPUENV_HD inline double_double add(double_double a, double_double b) {
  const double_double high = two_sum(a.hi, b.hi), low = two_sum(a.lo, b.lo);
  const double_double sum = fast_two_sum(high.hi, add_rn(high.lo, low.hi));
  return fast_two_sum(sum.hi, add_rn(sum.lo, low.lo));
}

/// sum += a * b, the step of a dot product; one overload for each kind of sum, so that loops need not care.
GPUENV_HD inline void accumulate(float& sum, float a, float b) { sum = fma_rn(a, b, sum); }
GPUENV_HD inline void accumulate(double& sum, double a, double b) { sum = fma_rn(a, b, sum); }

/// The compensated step. After n steps from zero the pair differs from the exact sum of a b by at most
/// gamma_n^2 * (sum of |a| |b|), gamma_n = n u / (1 - n u), u = 2^-53 (Dot2, proposition 5.5, before the last
/// rounding), plus 5 n smallest subnormals if products underflow. For n = 16384 that is 2^-78 of the magnitude:
/// invisible to FP64.
///
/// hi goes through exactly the values of a plain double loop and is never corrected. So when the sum overflows or meets
/// Inf or NaN, hi holds what IEEE arithmetic says, although lo is NaN by then (Inf - Inf).
GPUENV_HD inline void accumulate(double_double& sum, double a, double b) {
  const double_double product = two_product(a, b), total = two_sum(sum.hi, product.hi);
  sum = {total.hi, add_rn(sum.lo, add_rn(total.lo, product.lo))};
}

GPUENV_HD inline void accumulate(double_double& sum, double a, double_double b) {
  accumulate(sum, a, b.hi);
  sum.lo = fma_rn(a, b.lo, sum.lo);
}

/// factor * x.
GPUENV_HD inline double scaled(double x, double factor) { return mul_rn(x, factor); }
GPUENV_HD inline double_double scaled(double_double x, double factor) {
  const double_double product = two_product(x.hi, factor);
  return {product.hi, fma_rn(x.lo, factor, product.lo)};
}

/// The nearest double to x; for a sum that met Inf or NaN, what a plain double loop would have given.
GPUENV_HD inline double to_double(double x) { return x; }
GPUENV_HD inline double to_double(double_double x) {
  const bool lo_is_finite = x.lo - x.lo == 0;
  return lo_is_finite ? add_rn(x.hi, x.lo) : x.hi;
}

/// A sum of either kind as a pair.
GPUENV_HD inline double_double to_pair(double x) { return {x, 0}; }
GPUENV_HD inline double_double to_pair(double_double x) { return x; }

/// The double x as a sum of either kind.
template <class Value>
GPUENV_HD inline Value from_double(double x) {
  if constexpr (std::is_same_v<Value, double_double>) {
    return {x, 0};
  } else {
    return x;
  }
}

/// The type in which products of T are checked: products of floats are exact in double.
template <class T>
using wide = std::conditional_t<std::is_same_v<T, float>, double, double_double>;

}  // namespace gpuenv::kernels
