// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/eigen_product.hpp"

#include "linalg/tested_product.hpp"
#include "support/catch.hpp"

#include <array>
#include <thread>

using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

std::vector<cpu_level> levels_here() {
  std::vector<cpu_level> levels;
  for (int level = 0; level <= static_cast<int>(detected_cpu_level()); ++level) {
    levels.push_back(static_cast<cpu_level>(level));
  }
  return levels;
}

template <class T>
void multiply(cpu_level level, const product_grid& grid, tested_product<T>& product) {
  eigen_product(cpu_kernels::of(level), grid, product.block, product.beta);
}

/// As the product decides, on 1 and on 7 CPUs, and in far more blocks than it would cut.
template <class T>
std::vector<product_grid> grids_of(const tested_product<T>& product) {
  const auto& [m, n, k] = product_shape{product.block.m, product.block.n, product.block.k};
  product_grid many{m, n, 1, 1, 5};
  many.row_parts = (m + product_grid::row_unit - 1) / product_grid::row_unit;
  many.col_parts = (n + product_grid::col_unit - 1) / product_grid::col_unit;
  return {grid_of(m, n, k, 1), grid_of(m, n, k, 7), many};
}

}  // namespace

TEMPLATE_TEST_CASE("Every instruction set of this CPU multiplies within the derived bound, however C is cut", "[B79]",
                   float, double) {
  using T = TestType;
  for (const cpu_level level : levels_here()) {
    for (int which = 0; which < 3; ++which) {
      INFO(to_string(level) << ", grid " << which);
      CHECK(wrong_products<T>([&](tested_product<T>& product) {
              multiply(level, grids_of(product)[static_cast<std::size_t>(which)], product);
            }) == 0);
    }
  }
}

TEMPLATE_TEST_CASE("The comparison with the definition finds one wrong element", "", float, double) {
  tested_product<TestType> product{{64, 129, 33}, true, false, 5, TestType{1}, TestType{-2.5}};
  multiply(cpu_level::baseline, grid_of(64, 129, 33, 1), product);
  REQUIRE(product.is_right());
  TestType& element = product.c[static_cast<std::size_t>(63 + 128 * product.block.c_leading)];
  element += 64 * (33 + 4) * std::numeric_limits<TestType>::epsilon();
  CHECK_FALSE(product.is_right());
}

TEMPLATE_TEST_CASE("With beta = 0 the kernels overwrite whatever C holds", "[B71]", float, double) {
  using T = TestType;
  for (const cpu_level level : levels_here()) {
    for (const T rubbish : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
      for (const product_shape& shape : product_shapes) {
        tested_product<T> product{shape, true, false, 0, T{1}, T{0}};
        product.restart_with(rubbish);
        multiply(level, grids_of(product).back(), product);
        INFO(to_string(level) << ' ' << shape.m << 'x' << shape.n << 'x' << shape.k);
        CHECK(product.is_right());
      }
    }
  }
}

TEMPLATE_TEST_CASE("One grid gives one result bit for bit, on any number of threads and of callers", "", float,
                   double) {
  using T = TestType;
  for (const cpu_level level : levels_here()) {
    tested_product<T> first{{251, 127, 61}, false, true, 1, T{-0.75}, T{-2.5}};
    product_grid grid = grids_of(first).back();
    multiply(level, grid, first);
    CHECK(first.is_right());
    for (const int threads : {1, 2, 3, 16}) {
      grid.threads = threads;
      tested_product<T> again{{251, 127, 61}, false, true, 1, T{-0.75}, T{-2.5}};
      multiply(level, grid, again);
      CHECK(again.has_bits_of(first.c));
    }
    std::array<int, 4> differing{};
    std::vector<std::thread> callers;
    for (int& count : differing) {
      callers.emplace_back([&] {
        tested_product<T> again{{251, 127, 61}, false, true, 1, T{-0.75}, T{-2.5}};
        for (int round = 0; round < 20; ++round) {
          again.restart();
          multiply(level, grid, again);
          if (!again.has_bits_of(first.c)) ++count;
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
    for (const int count : differing) CHECK(count == 0);
  }
}
