// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/product_grid.hpp"

#include "support/catch.hpp"

using gpuenv::linalg::grid_of;
using gpuenv::linalg::index_range;
using gpuenv::linalg::product_grid;

namespace {

constexpr std::int64_t sizes[] = {1, 2, 15, 16, 17, 100, 129, 511, 1000, 4097, 100000};
constexpr int cpu_counts[] = {1, 2, 3, 7, 16, 61, 256};

/// Ranges lie behind each other, hold something, and end at `length`.
template <class F>
bool covers(std::int64_t length, std::int64_t parts, F&& range) {
  std::int64_t at = 0;
  for (std::int64_t part = 0; part < parts; ++part) {
    const index_range r = range(part);
    if (r.begin != at || r.size() < 1) return false;
    at = r.end;
  }
  return at == length;
}

}  // namespace

TEST_CASE("Blocks cover C once, whatever its shape and the number of CPUs") {
  for (const std::int64_t m : sizes) {
    for (const std::int64_t n : sizes) {
      for (const std::int64_t k : {std::int64_t{1}, std::int64_t{300}, std::int64_t{5000}}) {
        for (const int cpus : cpu_counts) {
          const product_grid grid = grid_of(m, n, k, cpus);
          INFO(m << 'x' << n << 'x' << k << " on " << cpus << ": " << grid.row_parts << 'x' << grid.col_parts);
          REQUIRE(covers(m, grid.row_parts, [&](std::int64_t part) { return grid.rows(part); }));
          REQUIRE(covers(n, grid.col_parts, [&](std::int64_t part) { return grid.cols(part * grid.row_parts); }));
          REQUIRE(grid.threads >= 1);
          REQUIRE(grid.threads <= std::min<std::int64_t>(cpus, grid.blocks()));
        }
      }
    }
  }
}

TEST_CASE("Small products run on one thread, large ones on all") {
  CHECK(grid_of(50, 50, 50, 16).threads == 1);
  for (const int cpus : {2, 7, 16, 64}) {
    for (const std::int64_t n : {512, 1000, 2048, 4096}) {
      const product_grid grid = grid_of(n, n, n, cpus);
      INFO(n << " on " << cpus);
      CHECK(grid.threads == cpus);
      // No thread waits for more than an eighth of the time, if all blocks took as long as the largest.
      std::int64_t largest = 0;
      for (std::int64_t block = 0; block < grid.blocks(); ++block) {
        largest = std::max(largest, grid.rows(block).size() * grid.cols(block).size());
      }
      const std::int64_t rounds = (grid.blocks() + cpus - 1) / cpus;
      CHECK(static_cast<double>(rounds * largest * cpus) * 7 / 8 <= static_cast<double>(n * n));
    }
  }
}
