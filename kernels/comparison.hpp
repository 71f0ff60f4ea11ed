// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The verdict on a matrix, element by element. GPU and CPU both judge with this code.

#include "double_double.hpp"
#include "host_device.hpp"
#include "rounded.hpp"

#include <cmath>
#include <cstdint>

namespace gpuenv::kernels {

/// What error is allowed. With magnitude_ij = |alpha| (|A| |B|)_ij + |beta| |C0|_ij an element may be off by
/// gamma * magnitude + floor; its error is also measured in units of unit_roundoff * magnitude + floor. The floor
/// stands for underflow: it keeps the bound from vanishing where the magnitude is subnormal or zero. `largest` is the
/// largest finite number of C's type. `improbable` is the number of standard deviations that no element of a right C
/// reaches, but for a chance that was decided on.
struct error_bound {
  double gamma, unit_roundoff, floor, largest, improbable;
};

/// What a verdict on one element needs to know of it.
struct expectation {
  double_double value;  ///< the reference
  double magnitude;     ///< |alpha| (|A| |B|)_ij + |beta| |C0|_ij
  double reach;         ///< what no partial sum exceeds, in any order
  double variance;      ///< of the computed element's rounding error, over unit_roundoff^2, at most
};

/// How plain loops in C's own type behave on one element: the largest error that one made, and the largest variance
/// (over unit_roundoff^2) that the sizes of their partial sums allow.
struct loop_behaviour {
  double error, variance;
};

/// Counts, sums and the worst case over the elements judged so far. Plain data: copied from the device as bytes.
struct comparison_totals {
  std::int64_t count = 0;                       ///< elements judged; the other counts are parts of it
  std::int64_t non_finite_mismatch = 0;         ///< NaN, +Inf or -Inf on one side, and something else on the other
  std::int64_t non_finite_equal = 0;            ///< the same non-finite class on both sides
  std::int64_t overflow_possible = 0;           ///< C is not finite, the reference is, and a partial sum may overflow
  std::int64_t beyond_bound = 0;                ///< both finite, error above the bound
  std::int64_t beyond_precision = 0;            ///< within the bound, but no arithmetic of this precision errs so much
  double worst_ratio = 0;                       ///< largest |error| / bound; NaN counts as larger than all else
  std::int64_t worst_row = -1, worst_col = -1;  ///< where; -1 while every error is zero
  std::int64_t first_bad_row = -1,
               first_bad_col = -1;  ///< first mismatch or element beyond bound or precision, row by row
  double sum_squared_units = 0;     ///< the sums run over elements finite on both sides
  double sum_expected_units = 0;    ///< what sum_squared_units is for roundings of C's own precision, at most
  double sum_squared_error = 0;
  double sum_squared_reference = 0;
};

enum class value_class { finite, nan, positive_infinity, negative_infinity };

template <class T>
GPUENV_HD constexpr value_class classify(T x) {
  if (x != x) return value_class::nan;
  if (x - x == 0) return value_class::finite;  // Inf - Inf is NaN
  return x > 0 ? value_class::positive_infinity : value_class::negative_infinity;
}

namespace detail {

/// Whether (row, col) comes before the other place in reading order. -1 is "no place", which comes last.
GPUENV_HD inline bool is_before(std::int64_t row, std::int64_t col, std::int64_t other_row, std::int64_t other_col) {
  if (row < 0 || other_row < 0) return row >= 0;
  return row != other_row ? row < other_row : col < other_col;
}

/// Keeps the larger ratio. `candidate > worst` alone would drop a NaN, and keep one only by luck.
GPUENV_HD inline void note_ratio(comparison_totals& totals, double ratio, std::int64_t row, std::int64_t col) {
  const bool is_nan = ratio != ratio, worst_is_nan = totals.worst_ratio != totals.worst_ratio;
  const bool is_worse = is_nan ? !worst_is_nan : ratio > totals.worst_ratio;
  const bool is_tie = is_nan ? worst_is_nan : ratio == totals.worst_ratio && ratio != 0;
  if (!is_worse && !(is_tie && is_before(row, col, totals.worst_row, totals.worst_col))) return;
  totals.worst_ratio = ratio;
  totals.worst_row = row;
  totals.worst_col = col;
}

GPUENV_HD inline void note_bad(comparison_totals& totals, std::int64_t row, std::int64_t col) {
  if (!is_before(row, col, totals.first_bad_row, totals.first_bad_col)) return;
  totals.first_bad_row = row;
  totals.first_bad_col = col;
}

/// part / whole, where nothing of nothing is nothing.
GPUENV_HD inline double ratio_of(double part, double whole) { return part == 0 ? 0 : div_rn(part, whole); }

}  // namespace detail

/// The mean square that the error of an element has in units, at most. Squares of very large and very small numbers
/// leave the range of double; what stays is that the error is below the bound itself.
GPUENV_HD inline double expected_squared_units(const expectation& expected, double unit, const error_bound& bound) {
  if (unit == 0) return 0;
  const double underflow = div_rn(bound.floor, unit);
  const bool in_range = expected.variance > 1e-280 && expected.variance < 1e280;
  const double roundings = in_range ? div_rn(mul_rn(bound.unit_roundoff, sqrt_rn(expected.variance)), unit)
                           : expected.magnitude > 0 ? div_rn(bound.gamma, bound.unit_roundoff)
                                                    : 0;
  return fma_rn(roundings, roundings, mul_rn(underflow, underflow));
}

/// Judges one element and adds the verdict to totals.
///
/// Non-finite values are compared by class. A C that overflowed is allowed where the reference is that large, or where
/// some order of summation passes through sums that large. Finite values are compared by |computed - reference| against
/// the bound; the difference is taken from hi first, which is exact where the two are close, so the reference's lo is
/// not lost.
///
/// An error of more than two deviations is rare on data whose roundings are independent. Where it occurs, the data may
/// be of another kind (constants, rank one, alternating signs), on which roundings add up: then `plain_loops()` is
/// asked how plain loops of this precision behave on the element. Their deviation, and four times their error, are as
/// good as expected.
template <class T, class PlainLoops>
GPUENV_HD inline void judge_element(comparison_totals& totals, std::int64_t row, std::int64_t col, T computed,
                                    const expectation& expected, const error_bound& bound,
                                    const PlainLoops& plain_loops) {
  ++totals.count;
  const double_double reference = expected.value;
  const double nearest = to_double(reference);
  const value_class is = classify(computed), should_be = classify(nearest);
  if (is != value_class::finite || should_be != value_class::finite) {
    if (is == should_be) {
      ++totals.non_finite_equal;
    } else if (should_be == value_class::finite && expected.reach > 0.99 * bound.largest) {
      ++totals.overflow_possible;
    } else {
      ++totals.non_finite_mismatch;
      detail::note_bad(totals, row, col);
    }
    return;
  }

  const double error = std::fabs(sub_rn(sub_rn(static_cast<double>(computed), reference.hi), reference.lo));
  const double allowed = fma_rn(bound.gamma, expected.magnitude, bound.floor);
  const double unit = fma_rn(bound.unit_roundoff, expected.magnitude, bound.floor);
  const double units = detail::ratio_of(error, unit);
  if (!(error <= allowed)) {  // so written that a NaN in either is beyond the bound
    ++totals.beyond_bound;
    detail::note_bad(totals, row, col);
  }
  detail::note_ratio(totals, detail::ratio_of(error, allowed), row, col);
  totals.sum_squared_units = fma_rn(units, units, totals.sum_squared_units);
  double expected_units = sqrt_rn(expected_squared_units(expected, unit, bound));
  if (units > 2 * expected_units) {
    const loop_behaviour loops = plain_loops();
    const double deviation = detail::ratio_of(mul_rn(bound.unit_roundoff, sqrt_rn(loops.variance)), unit);
    if (deviation > expected_units) expected_units = deviation;
    const double by_loops = mul_rn(4, detail::ratio_of(loops.error, unit));
    if (units > bound.improbable * expected_units && units > by_loops && error <= allowed) {
      ++totals.beyond_precision;
      detail::note_bad(totals, row, col);
    }
    if (by_loops > expected_units) expected_units = by_loops;
  }
  totals.sum_expected_units = fma_rn(expected_units, expected_units, totals.sum_expected_units);
  totals.sum_squared_error = fma_rn(error, error, totals.sum_squared_error);
  totals.sum_squared_reference = fma_rn(nearest, nearest, totals.sum_squared_reference);
}

/// Adds the totals of other elements. Counts, worst and first do not depend on the order of merging; the last bits of
/// the sums do, so whoever wants the same bits each time merges in a fixed order.
GPUENV_HD inline void merge(comparison_totals& totals, const comparison_totals& other) {
  totals.count += other.count;
  totals.non_finite_mismatch += other.non_finite_mismatch;
  totals.non_finite_equal += other.non_finite_equal;
  totals.overflow_possible += other.overflow_possible;
  totals.beyond_bound += other.beyond_bound;
  totals.beyond_precision += other.beyond_precision;
  detail::note_ratio(totals, other.worst_ratio, other.worst_row, other.worst_col);
  detail::note_bad(totals, other.first_bad_row, other.first_bad_col);
  totals.sum_squared_units = add_rn(totals.sum_squared_units, other.sum_squared_units);
  totals.sum_expected_units = add_rn(totals.sum_expected_units, other.sum_expected_units);
  totals.sum_squared_error = add_rn(totals.sum_squared_error, other.sum_squared_error);
  totals.sum_squared_reference = add_rn(totals.sum_squared_reference, other.sum_squared_reference);
}

}  // namespace gpuenv::kernels
