// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/judgement.hpp"

#include <gpuenv/base/error.hpp>
#include "philox.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace gpuenv::inline v0::linalg {
namespace {

/// How sure a right product is of passing each statistical test.
constexpr double false_alarm = 1e-9;

/// gamma_q = q u / (1 - q u), infinite from q u = 1 on (Higham 2002, section 3.1).
double gamma(std::int64_t roundings, double unit_roundoff) {
  const double product = static_cast<double>(roundings) * unit_roundoff;
  return product < 1 ? product / (1 - product) : std::numeric_limits<double>::infinity();
}

/// The error of the reference over (|A||B|): FP64 sums for floats, Dot2's for doubles.
double reference_error(const claim& c, std::int64_t roundings) {
  const double plain = gamma(roundings, std::numeric_limits<double>::epsilon() / 2);
  return c.is_double ? plain * plain : plain;
}

/// The 2-norm of a row. Squares that leave the range of double are replaced by the 1-norm, which is never smaller.
double norm_of(const kernels::row_sum& row) {
  const bool in_range = row.squares > 1e-280 && row.squares < 1e300;
  return in_range ? std::sqrt(row.squares) : row.magnitudes;
}

double frobenius_of(std::span<const kernels::row_sum> rows) {
  double norm = 0;
  for (const kernels::row_sum& row : rows) norm = std::hypot(norm, norm_of(row));
  return norm;
}

double largest_row_of(std::span<const kernels::row_sum> rows) {
  double largest = 0;
  for (const kernels::row_sum& row : rows) largest = std::max(largest, row.magnitudes);
  return largest;
}

/// Multiply-adds of a full verification.
double work_of(const claim& c) {
  return static_cast<double>(c.m) * static_cast<double>(c.n) * static_cast<double>(std::max<std::int64_t>(1, c.k));
}

std::int64_t non_finite_in(std::span<const kernels::row_sum> rows) {
  std::int64_t count = 0;
  for (const kernels::row_sum& row : rows) count += row.non_finite;
  return count;
}

}  // namespace

template <class T>
claim claim_of(std::int64_t m, std::int64_t n, std::int64_t k, double alpha, double beta) {
  using limits = std::numeric_limits<T>;
  return {m, n, k, alpha, beta, limits::epsilon() / 2, limits::denorm_min(), limits::max(), sizeof(T) == 8};
}
template claim claim_of<float>(std::int64_t, std::int64_t, std::int64_t, double, double);
template claim claim_of<double>(std::int64_t, std::int64_t, std::int64_t, double, double);

kernels::error_bound bound_of(const claim& c) {
  // Roundings on the longest way to an element: its product, k - 1 additions, alpha, beta, the last addition.
  const std::int64_t roundings = c.k + 3;
  const double underflow = static_cast<double>(roundings) * c.smallest * std::max(1.0, std::fabs(c.alpha));
  const double elements = std::max(1.0, static_cast<double>(c.m) * static_cast<double>(c.n));
  return {gamma(roundings, c.unit_roundoff) + reference_error(c, roundings), c.unit_roundoff, underflow, c.largest,
          std::sqrt(2 * std::log(2 * elements / false_alarm))};
}

void conclude(verification& v, const kernels::comparison_totals& totals) {
  v.checked = totals.count;
  v.non_finite_equal = totals.non_finite_equal;
  v.non_finite_differs = totals.non_finite_mismatch;
  v.overflow_possible = totals.overflow_possible;
  v.beyond_bound = totals.beyond_bound;
  v.beyond_precision = totals.beyond_precision;
  v.worst_ratio = totals.worst_ratio;
  v.worst = {totals.worst_row, totals.worst_col};
  v.first_bad = {totals.first_bad_row, totals.first_bad_col};
  const auto compared = static_cast<double>(totals.count - totals.non_finite_mismatch - totals.non_finite_equal -
                                            totals.overflow_possible);
  if (compared > 0) {
    // An element without cause stays below two deviations, or has its own (judge_element); so does the mean square.
    v.rms_units = std::sqrt(totals.sum_squared_units / compared);
    v.rms_limit = 2 * std::sqrt(totals.sum_expected_units / compared);
  }
  if (totals.sum_squared_error > 0) {  // NaN where the squares leave the range of double
    v.relative_error = std::sqrt(totals.sum_squared_error / totals.sum_squared_reference);
  }
  if (v.method == verify_method::sample) v.miss_probability = std::pow(0.99, static_cast<double>(totals.count));
}

void conclude(verification& v, const claim& claim, const freivalds_measurement& measured) {
  v.checked = claim.m * measured.vectors;
  v.miss_probability = std::ldexp(1.0, -measured.vectors);
  const std::int64_t in_operands = non_finite_in(measured.a) + non_finite_in(measured.b) + non_finite_in(measured.c0);
  if (in_operands > 0) {
    v.problem = std::to_string(in_operands) +
                " operand elements are not finite, and vectors of +-1 prove nothing then: use full or sample";
    return;
  }
  v.non_finite_differs = non_finite_in(measured.c);

  const double alpha = std::fabs(claim.alpha);
  const double beta = std::fabs(claim.beta);
  const double k = static_cast<double>(claim.k);
  const double norm_b = frobenius_of(measured.b);
  const double sum_b = largest_row_of(measured.b);
  const double tests = std::max(1.0, static_cast<double>(v.checked));
  const double lambda = std::sqrt(2 * std::log(2 * tests / false_alarm));
  const double evaluation = 4 * reference_error(claim, claim.k + claim.n + 8);
  const double underflow = static_cast<double>(claim.n) * bound_of(claim).floor;
  for (std::int64_t i = 0; i < claim.m; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const kernels::row_sum none{};
    const kernels::row_sum& a = measured.a.empty() ? none : measured.a[row];
    const kernels::row_sum& c0 = measured.c0.empty() ? none : measured.c0[row];
    // The row's error times x is a sum of independent roundings, each below u times a partial sum that Cauchy and
    // Schwarz bound: sub-Gaussian, with deviation u sqrt((k + 4) alpha^2 |a_i|^2 |B|_F^2 + 3 beta^2 |c0_i|^2). The
    // thresholds depend on the operands alone: what C holds cannot raise them.
    const double deviation = claim.unit_roundoff * std::hypot(std::sqrt(k + 4) * alpha * norm_of(a) * norm_b,
                                                              std::sqrt(3.0) * beta * norm_of(c0));
    const double threshold =
        lambda * deviation + underflow + evaluation * (alpha * a.magnitudes * sum_b + beta * c0.magnitudes);
    v.detectable = std::max(v.detectable, threshold);
    const auto residuals = measured.residuals.subspan(row * static_cast<std::size_t>(measured.vectors),
                                                      static_cast<std::size_t>(measured.vectors));
    // So written that a NaN is beyond its threshold.
    if (!std::all_of(residuals.begin(), residuals.end(), [&](double r) { return std::fabs(r) <= threshold; })) {
      if (v.rows_beyond++ == 0) v.first_bad = {i, -1};
    }
  }
  const double rms_c =
      frobenius_of(measured.c) / std::sqrt(std::max(1.0, static_cast<double>(claim.m) * static_cast<double>(claim.n)));
  if (rms_c > 0 && std::isfinite(rms_c)) v.relative_detectable = v.detectable / rms_c;
  if (!std::isfinite(v.detectable)) {
    v.problem = "the operands' magnitudes leave the range of double, and no threshold can be given: use full or sample";
  }
}

void add_precision(verification& v, const verification& sampled) {
  v.sampled = sampled.checked;
  v.beyond_bound = sampled.beyond_bound;
  v.beyond_precision = sampled.beyond_precision;
  v.worst_ratio = sampled.worst_ratio;
  v.worst = sampled.worst;
  v.rms_units = sampled.rms_units;
  v.rms_limit = sampled.rms_limit;
  v.relative_error = sampled.relative_error;
  if (v.first_bad.row < 0) v.first_bad = sampled.first_bad;
}

verify_method deciding_method(const verification& v, const verify_options& options, const claim& c, double full_limit) {
  const bool is_settled = v.problem.empty() && v.rows_beyond == 0 && v.non_finite_differs == 0;
  if (options.method != verify_method::automatic || v.method != verify_method::freivalds || is_settled) return v.method;
  return work_of(c) <= 100 * full_limit ? verify_method::full : verify_method::sample;
}

void check_options(const verify_options& options, const std::source_location& where) {
  if (options.vectors < 1 || options.vectors > kernels::max_sign_vectors) {
    throw error{errc::invalid_argument, "verify: " + std::to_string(options.vectors) + " vectors",
                "use 1 to " + std::to_string(kernels::max_sign_vectors), recovery::possible, where};
  }
  if (options.samples < 1) {
    throw error{errc::invalid_argument, "verify: " + std::to_string(options.samples) + " samples", "use 1 or more",
                recovery::possible, where};
  }
}

verify_method chosen_method(const verify_options& options, const claim& c, double full_limit) {
  if (options.method == verify_method::sample && work_of(c) <= full_limit &&
      static_cast<double>(options.samples) >= static_cast<double>(c.m) * static_cast<double>(c.n)) {
    return verify_method::full;  // drawing more elements than there are
  }
  if (options.method != verify_method::automatic) return options.method;
  const double work =
      static_cast<double>(c.m) * static_cast<double>(c.n) * static_cast<double>(std::max<std::int64_t>(1, c.k));
  return work <= full_limit ? verify_method::full : verify_method::freivalds;
}

element_place sampled_place(const verify_options& options, std::int64_t s, std::int64_t rows, std::int64_t cols) {
  constexpr std::uint64_t sequence = 0x73616d706c65;  // "sample": apart from the matrices' own sequences
  const kernels::philox_block bits = kernels::philox4x32(static_cast<std::uint64_t>(s), sequence, options.seed);
  const std::uint64_t row = (std::uint64_t{bits.word[1]} << 32) | bits.word[0];
  const std::uint64_t col = (std::uint64_t{bits.word[3]} << 32) | bits.word[2];
  return {static_cast<std::int64_t>(row % static_cast<std::uint64_t>(rows)),
          static_cast<std::int64_t>(col % static_cast<std::uint64_t>(cols))};
}

}  // namespace gpuenv::inline v0::linalg
