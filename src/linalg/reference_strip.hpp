// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The inner loop of full verification on the CPU: for a row of A and `strip_width` columns of B, everything that a
// verdict needs, in one pass. The same sums as kernels/reference_sum.hpp makes, laid out for vector units.
#pragma once

#include <cstdint>

namespace gpuenv::inline v0::linalg {

inline constexpr std::int64_t strip_width = 16;

/// For column j of the strip: the sum of a b as sum + low, and the sums that kernels::reference_sum explains.
struct reference_strip {
  double sum[strip_width] = {};
  double low[strip_width] = {};
  double magnitude[strip_width] = {};
  double squares[strip_width] = {};
  double walk[strip_width] = {};
};

/// @param row   k elements of A
/// @param panel k x strip_width elements of B, row-major
/// Products of floats are exact in FP64, and a plain FP64 sum is reference enough.
void reference_of_floats(const double* row, const double* panel, std::int64_t k, reference_strip& result);

/// Products of doubles are kept as pairs (double-double, Dot2 of Ogita, Rump and Oishi 2005).
void reference_of_doubles(const double* row, const double* panel, std::int64_t k, reference_strip& result);

}  // namespace gpuenv::inline v0::linalg
