// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Compiled with -ffp-contract=off: the sums are the GPU's, bit for bit where they are made in the same order.
#include <gpuenv/linalg/verify.hpp>
#include "linalg/judgement.hpp"
#include "linalg/parallel.hpp"
#include "linalg/product_checks.hpp"
#include "linalg/reference_strip.hpp"
#include "linalg/strided_view.hpp"
#include "reference_sum.hpp"

#include <chrono>
#include <type_traits>
#include <vector>

namespace gpuenv::inline v0::linalg {
namespace {

using kernels::comparison_totals;

/// About a second of one core with AVX2; for doubles three times that.
constexpr double full_limit = 3e9;

template <class T>
kernels::product_problem<T> as_kernel_problem(const problem<T>& p) {
  return {static_cast<T>(p.alpha), as_strided(p.a), as_strided(p.b), static_cast<T>(p.beta), as_strided(p.c0)};
}

/// Columns j0 to j0 + strip_width of B in FP64, zeros behind the last.
template <class T>
void pack_panel(const kernels::strided<const T>& b, std::int64_t first_col, std::vector<double>& panel) {
  panel.assign(static_cast<std::size_t>(b.rows * strip_width), 0.0);
  const std::int64_t width = std::min(strip_width, b.cols - first_col);
  for (std::int64_t p = 0; p < b.rows; ++p) {
    for (std::int64_t j = 0; j < width; ++j) panel[static_cast<std::size_t>(p * strip_width + j)] = b(p, first_col + j);
  }
}

/// Element `j` of a strip as the shared code knows it.
template <class T>
kernels::reference_sum<T> reference_at(const reference_strip& strip, std::int64_t j) {
  kernels::reference_sum<T> reference{};
  if constexpr (std::is_same_v<T, float>) {
    reference.sum = strip.sum[j];
  } else {
    reference.sum = {strip.sum[j], strip.low[j]};
  }
  reference.magnitude = strip.magnitude[j];
  reference.squares = strip.squares[j];
  reference.walk = strip.walk[j];
  return reference;
}

/// One strip of columns, all rows.
template <class T>
comparison_totals judge_strip(const kernels::product_problem<T>& problem, const kernels::strided<const T>& c,
                              const kernels::error_bound& bound, std::int64_t first_col) {
  comparison_totals totals;
  const std::int64_t width = std::min(strip_width, c.cols - first_col);
  const std::int64_t k = problem.reads_factors() ? problem.a.cols : 0;
  std::vector<double> panel;
  std::vector<double> row(static_cast<std::size_t>(k));
  if (k != 0) pack_panel(problem.b, first_col, panel);
  for (std::int64_t i = 0; i < c.rows; ++i) {
    reference_strip strip;
    for (std::int64_t p = 0; p < k; ++p) row[static_cast<std::size_t>(p)] = problem.a(i, p);
    if constexpr (std::is_same_v<T, float>) {
      reference_of_floats(row.data(), panel.data(), k, strip);
    } else {
      reference_of_doubles(row.data(), panel.data(), k, strip);
    }
    for (std::int64_t j = 0; j < width; ++j) {
      kernels::judge_product(totals, i, first_col + j, c(i, first_col + j), problem, reference_at<T>(strip, j), bound);
    }
  }
  return totals;
}

template <class T>
void verify_full(verification& v, const kernels::product_problem<T>& problem, const kernels::strided<const T>& c,
                 const claim& claim) {
  const std::int64_t strips = (c.cols + strip_width - 1) / strip_width;
  std::vector<comparison_totals> parts(static_cast<std::size_t>(strips));
  const kernels::error_bound bound = bound_of(claim);
  for_each_block(strips, [&](std::int64_t strip) {
    parts[static_cast<std::size_t>(strip)] = judge_strip(problem, c, bound, strip * strip_width);
  });
  comparison_totals totals;
  for (const comparison_totals& part : parts) merge(totals, part);
  conclude(v, totals);
}

template <class T>
void verify_sample(verification& v, const kernels::product_problem<T>& problem, const kernels::strided<const T>& c,
                   const claim& claim, const verify_options& options) {
  comparison_totals totals;
  const kernels::error_bound bound = bound_of(claim);
  for (std::int64_t s = 0; s < options.samples && c.rows != 0 && c.cols != 0; ++s) {
    const element_place at = sampled_place(options, s, c.rows, c.cols);
    kernels::judge_product(totals, at.row, at.col, c(at.row, at.col), problem,
                           kernels::reference_of_element(problem, at.row, at.col), bound);
  }
  conclude(v, totals);
}

template <class T>
void verify_freivalds(verification& v, const kernels::product_problem<T>& problem, const kernels::strided<const T>& c,
                      const claim& claim, const verify_options& options) {
  constexpr std::uint64_t sequence = 0x7369676e73;  // "signs"
  constexpr std::int64_t rows_per_block = 64;
  const auto blocks = [&](std::int64_t rows, const auto& work) {
    for_each_block((rows + rows_per_block - 1) / rows_per_block, [&](std::int64_t block) {
      work(block * rows_per_block, std::min(rows, (block + 1) * rows_per_block));
    });
  };
  const auto sums_of = [&](const kernels::strided<const T>& m) {
    std::vector<kernels::row_sum> sums(static_cast<std::size_t>(m.rows));
    blocks(m.rows, [&](std::int64_t begin, std::int64_t end) { kernels::host::row_sums(m, sums.data(), begin, end); });
    return sums;
  };

  const int vectors = options.vectors;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(c.cols));
  kernels::host::sign_words(words.data(), options.seed, sequence, 0, c.cols);
  std::vector<kernels::wide<T>> y;
  std::vector<kernels::row_sum> sums_a;
  std::vector<kernels::row_sum> sums_b;
  if (problem.reads_factors()) {
    y.resize(static_cast<std::size_t>(problem.b.rows * vectors));
    blocks(problem.b.rows, [&](std::int64_t begin, std::int64_t end) {
      kernels::host::sign_product(problem.b, words.data(), vectors, y.data(), begin, end);
    });
    sums_a = sums_of(problem.a);
    sums_b = sums_of(problem.b);
  }
  const auto sums_c0 = problem.reads_c0() ? sums_of(problem.c0) : std::vector<kernels::row_sum>{};
  std::vector<double> residuals(static_cast<std::size_t>(c.rows * vectors));
  blocks(c.rows, [&](std::int64_t begin, std::int64_t end) {
    kernels::host::residual(problem, c, words.data(), vectors, y.data(), residuals.data(), begin, end);
  });
  conclude(v, claim, {vectors, residuals, sums_a, sums_b, sums_c0, sums_of(c)});
}

template <class T>
verification run(const problem<T>& p, host_matrix_view<const T> c, const verify_options& options,
                 const std::source_location& where) {
  const auto start = std::chrono::steady_clock::now();
  check_options(options, where);
  check_shapes(describe("a", p.a), describe("b", p.b), describe("c", c), where);
  const kernels::product_problem<T> problem = as_kernel_problem(p);
  if (problem.reads_c0()) check_same_shape(describe("c0", p.c0), describe("c", c), where);

  const claim claim = claim_of<T>(c.rows(), c.cols(), p.a.cols(), static_cast<T>(p.alpha), static_cast<T>(p.beta));
  const auto judged_by = [&](verify_method method) {
    verification v;
    v.m = claim.m;
    v.n = claim.n;
    v.k = claim.k;
    v.method = method;
    if (c.empty()) return v;  // nothing to check, and nothing wrong
    switch (method) {
      case verify_method::full: verify_full(v, problem, as_strided(c), claim); break;
      case verify_method::sample: verify_sample(v, problem, as_strided(c), claim, options); break;
      case verify_method::freivalds: verify_freivalds(v, problem, as_strided(c), claim, options); break;
      default: break;
    }
    return v;
  };
  verification v = judged_by(chosen_method(options, claim, full_limit));
  if (const auto decider = deciding_method(v, options, claim, full_limit); decider != v.method) v = judged_by(decider);
  if (v.method == verify_method::freivalds && v.problem.empty()) add_precision(v, judged_by(verify_method::sample));
  v.seconds = std::chrono::duration<double>{std::chrono::steady_clock::now() - start}.count();
  return v;
}

}  // namespace

verification verify(const problem<float>& claim, host_matrix_view<const float> c, const verify_options& options,
                    std::source_location where) {
  return run(claim, c, options, where);
}

verification verify(const problem<double>& claim, host_matrix_view<const double> c, const verify_options& options,
                    std::source_location where) {
  return run(claim, c, options, where);
}

}  // namespace gpuenv::inline v0::linalg
