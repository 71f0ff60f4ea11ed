// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/device_random.hpp>
#include "support/catch.hpp"
#include "support/matrices.hpp"

using namespace gpuenv::cuda;
using namespace gpuenv::linalg;
using namespace gpuenv_test;

TEMPLATE_TEST_CASE("The GPU's random numbers are the CPU's, bit for bit", "", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  for (const auto values : {distribution::uniform, distribution::normal}) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xfedcba9876543210}}) {
      const random_options options{values, seed, seed + 5};
      const auto on_host = random_matrix<T>(701, 811, options);
      CHECK(same_bits(on_host, download(random_device_matrix<T>(s, 701, 811, options), s)));
      device_matrix<T> columns{s, 701, 811, storage_order::column_major};
      fill_random(columns.view(), s, options);
      CHECK(same_bits(on_host, download(columns, s)));
    }
  }
}

TEST_CASE("Five million normal numbers agree, tails included", "[slow]") {
  const stream s{device_ref{0}};
  const random_options options{distribution::normal, 99, 0};
  CHECK(same_bits(random_matrix<double>(2500, 2000, options),
                  download(random_device_matrix<double>(s, 2500, 2000, options), s)));
}

TEST_CASE("A block of a device matrix is filled and its surroundings are not") {
  const stream s{device_ref{0}};
  auto m = upload(host_matrix<float>{20, 30}, s);
  fill_random(m.view().block(3, 4, 5, 6), s, {.seed = 2});
  const auto host = download(m, s);
  CHECK(same_bits(host.view().block(3, 4, 5, 6), random_matrix<float>(5, 6, {.seed = 2})));
  CHECK(host(2, 4) == 0.0F);
  CHECK(host(3, 10) == 0.0F);
  CHECK(host(8, 9) == 0.0F);
}
