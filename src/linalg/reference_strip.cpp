// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Compiled with -O3 -ffp-contract=off. Both loops exist twice: for the baseline, and for CPUs with AVX2 and FMA, where
// they run 3 and 7 times faster. Only these functions hold such code; nothing with external linkage is shared.
#include "linalg/reference_strip.hpp"

#include <cmath>

namespace gpuenv::inline v0::linalg {
namespace {

[[gnu::always_inline]] inline void note_product(reference_strip& s, std::int64_t j, double product) {
  s.magnitude[j] += std::fabs(product);
  s.squares[j] += product * product;
  s.walk[j] += s.sum[j] * s.sum[j];
}

[[gnu::always_inline]] inline void add_floats(const double* __restrict row, const double* __restrict panel,
                                              std::int64_t k, reference_strip& result) {
  reference_strip s;
  for (std::int64_t p = 0; p < k; ++p) {
    const double* b = panel + p * strip_width;
    for (std::int64_t j = 0; j < strip_width; ++j) {
      const double product = row[p] * b[j];
      s.sum[j] += product;
      note_product(s, j, product);
    }
  }
  result = s;
}

[[gnu::always_inline]] inline void add_doubles(const double* __restrict row, const double* __restrict panel,
                                               std::int64_t k, reference_strip& result) {
  reference_strip s;
  for (std::int64_t p = 0; p < k; ++p) {
    const double* b = panel + p * strip_width;
    for (std::int64_t j = 0; j < strip_width; ++j) {
      const double product = row[p] * b[j];
      const double lost_in_product = std::fma(row[p], b[j], -product);
      const double before = s.sum[j];
      const double sum = before + product;  // Knuth's two-sum: what the addition loses is exact
      const double added = sum - before;
      const double lost_in_sum = (before - (sum - added)) + (product - added);
      s.sum[j] = sum;
      s.low[j] += lost_in_product + lost_in_sum;
      note_product(s, j, product);
    }
  }
  result = s;
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void add_floats_avx2(const double* row, const double* panel, std::int64_t k,
                                                 reference_strip& result) {
  add_floats(row, panel, k, result);
}
[[gnu::target("avx2,fma")]] void add_doubles_avx2(const double* row, const double* panel, std::int64_t k,
                                                  reference_strip& result) {
  add_doubles(row, panel, k, result);
}
bool has_avx2() noexcept { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

}  // namespace

void reference_of_floats(const double* row, const double* panel, std::int64_t k, reference_strip& result) {
#if defined(__x86_64__)
  if (has_avx2()) return add_floats_avx2(row, panel, k, result);
#endif
  add_floats(row, panel, k, result);
}

void reference_of_doubles(const double* row, const double* panel, std::int64_t k, reference_strip& result) {
#if defined(__x86_64__)
  if (has_avx2()) return add_doubles_avx2(row, panel, k, result);
#endif
  add_doubles(row, panel, k, result);
}

}  // namespace gpuenv::inline v0::linalg
