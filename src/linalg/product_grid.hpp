// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// How a product on the CPU is cut into blocks of C, and how many threads are worth starting: from sizes and the number
// of CPUs alone, so that the same product gives the same bits.
#pragma once

#include <algorithm>
#include <cstdint>

namespace gpuenv::inline v0::linalg {

struct index_range {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return end - begin; }
};

/// Part `part` of `parts` nearly equal parts of [0, length), cut at multiples of `unit`.
[[nodiscard]] constexpr index_range part_of(std::int64_t length, std::int64_t unit, std::int64_t part,
                                            std::int64_t parts) noexcept {
  const std::int64_t units = (length + unit - 1) / unit;
  const auto cut = [&](std::int64_t p) {
    return std::min(length, (units / parts * p + units % parts * p / parts) * unit);
  };
  return {cut(part), cut(part + 1)};
}

struct product_grid {
  static constexpr std::int64_t row_unit = 16;  ///< a vector of floats, two of doubles
  static constexpr std::int64_t col_unit = 4;   ///< columns that Eigen's inner loop takes at a time

  std::int64_t m = 0, n = 0;
  std::int64_t row_parts = 1, col_parts = 1;
  int threads = 1;

  [[nodiscard]] constexpr std::int64_t blocks() const noexcept { return row_parts * col_parts; }
  [[nodiscard]] constexpr index_range rows(std::int64_t block) const noexcept {
    return part_of(m, row_unit, block % row_parts, row_parts);
  }
  [[nodiscard]] constexpr index_range cols(std::int64_t block) const noexcept {
    return part_of(n, col_unit, block / row_parts, col_parts);
  }
};

/// The grid for an m x n product over k (all positive) on at most `cpus` threads.
[[nodiscard]] constexpr product_grid grid_of(std::int64_t m, std::int64_t n, std::int64_t k, int cpus) noexcept {
  // Costs in multiply-adds, as measured on 2 cores of a Zen 4 and 16 of a Sapphire Rapids.
  constexpr double worth_a_thread = 4e5;  // waking it
  constexpr double packing_row = 6;       // copying an element of a into the order of the inner loop; rows cost more,
  constexpr double packing_col = 4;       // because Eigen reads them again for every few hundred columns
  constexpr double per_block = 2e4;
  // Threads are held up: by others, by a neighbour on their core. So much of a block is waited for at the end.
  constexpr double waiting = 0.25;
  // More rows leave the second-level cache.
  constexpr std::int64_t most_rows = 512;
  constexpr std::int64_t most_cols = 1024;

  const double depth = static_cast<double>(k);
  const double work = static_cast<double>(m) * static_cast<double>(n) * depth;
  const auto worth = static_cast<std::int64_t>(std::min(1e6, work / worth_a_thread));
  const std::int64_t row_units = (m + product_grid::row_unit - 1) / product_grid::row_unit;
  const std::int64_t col_units = (n + product_grid::col_unit - 1) / product_grid::col_unit;
  const std::int64_t threads = std::clamp<std::int64_t>(worth, 1, std::max(1, cpus));

  const auto largest = [](std::int64_t units, std::int64_t parts, std::int64_t unit) {
    return static_cast<double>((units + parts - 1) / parts * unit);
  };
  product_grid best{m, n, 1, 1, 1};
  double best_cost = 0;
  const std::int64_t most_blocks = threads == 1 ? 1 : 4 * threads;
  for (std::int64_t row_parts = 1; row_parts <= std::min(row_units, most_blocks); ++row_parts) {
    for (std::int64_t col_parts = 1; col_parts <= std::min(col_units, most_blocks / row_parts); ++col_parts) {
      const double rows = largest(row_units, row_parts, product_grid::row_unit);
      const double cols = largest(col_units, col_parts, product_grid::col_unit);
      const auto rounds = static_cast<double>((row_parts * col_parts + threads - 1) / threads);
      const double cost = (rounds + (threads == 1 ? 0 : waiting)) *
                          (rows * cols * depth + (packing_row * rows + packing_col * cols) * depth + per_block);
      if (best_cost != 0 && cost >= best_cost) continue;
      best_cost = cost;
      best.row_parts = row_parts;
      best.col_parts = col_parts;
    }
  }
  best.threads = static_cast<int>(std::min(threads, best.blocks()));
  best.row_parts *= (m - 1) / (best.row_parts * most_rows) + 1;
  best.col_parts *= (n - 1) / (best.col_parts * most_cols) + 1;
  return best;
}

}  // namespace gpuenv::inline v0::linalg
