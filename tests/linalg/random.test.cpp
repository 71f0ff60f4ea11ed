// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/random.hpp>
#include "support/catch.hpp"
#include "support/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

template <class To, class From>
To bits(From value) {
  To result{};
  static_assert(sizeof result == sizeof value);
  std::memcpy(&result, &value, sizeof result);
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("A matrix depends on seed and place alone, not on its layout", "", float, double) {
  using T = TestType;
  for (const auto values : {distribution::uniform, distribution::normal}) {
    const auto dense = random_matrix<T>(13, 17, {values, 42, 3});
    padded_matrix<T> columns{13, 17, false};
    fill_random(columns.view(), {values, 42, 3});
    CHECK(same_bits(dense, columns.view()));
    CHECK(columns.guards_intact());
    CHECK(same_bits(dense, random_matrix<T>(13, 17, {values, 42, 3})));
    CHECK_FALSE(same_bits(dense, random_matrix<T>(13, 17, {values, 43, 3})));
    CHECK_FALSE(same_bits(dense, random_matrix<T>(13, 17, {values, 42, 4})));
  }
}

TEST_CASE("The first values of seed 1 never change: they are part of the interface") {
  const auto u = random_matrix<float>(1, 2, {distribution::uniform, 1, 0});
  const auto n = random_matrix<double>(1, 2, {distribution::normal, 1, 0});
  // Philox4x32-10 of counter (index, sequence) and key (seed), made again with a few lines of Python; the normal values
  // are statistics.NormalDist().inv_cdf of the same bits, but for the last place.
  CHECK(bits<std::uint32_t>(u(0, 0)) == 0x3f650a0eU);
  CHECK(bits<std::uint32_t>(u(0, 1)) == 0x3f5fc5ccU);
  CHECK(bits<std::uint64_t>(n(0, 0)) == 0x3ff407827c9b8c2eU);
  CHECK(bits<std::uint64_t>(n(0, 1)) == 0x3ff256344ddbc08bU);
  CHECK(n(0, 0) == Approx(1.2518334262356448).epsilon(1e-15));
  CHECK(n(0, 1) == Approx(1.1460459748596201).epsilon(1e-15));
}

TEMPLATE_TEST_CASE("Uniform values fill [0, 1) evenly", "", float, double) {
  const auto m = random_matrix<TestType>(1000, 1000, {distribution::uniform, 5, 0});
  double sum = 0;
  double squares = 0;
  std::int64_t outside = 0;
  for (std::int64_t i = 0; i < m.size(); ++i) {
    const double x = m.data()[i];
    if (!(x >= 0 && x < 1)) ++outside;
    sum += x;
    squares += x * x;
  }
  CHECK(outside == 0);
  // Mean 1/2 and mean square 1/3; a million values: standard errors sqrt(1/12)/1000 and sqrt(4/45)/1000, six of each.
  CHECK(std::fabs(sum / 1e6 - 0.5) < 6 * 0.289e-3);
  CHECK(std::fabs(squares / 1e6 - 1.0 / 3) < 6 * 0.299e-3);
}

TEMPLATE_TEST_CASE("Normal values have the moments and the tails of the normal distribution", "", float, double) {
  const auto m = random_matrix<TestType>(1000, 1000, {distribution::normal, 5, 0});
  double moment[5] = {};
  double beyond_three = 0;
  for (std::int64_t i = 0; i < m.size(); ++i) {
    const double x = m.data()[i];
    for (int order = 1; order <= 4; ++order) moment[order] += std::pow(x, order) / 1e6;
    if (std::fabs(x) > 3) ++beyond_three;
  }
  // Standard errors for a million values: 1, sqrt 2, sqrt 15, sqrt 96 thousandths; six of each.
  CHECK(std::fabs(moment[1]) < 6e-3);
  CHECK(std::fabs(moment[2] - 1) < 6 * 1.42e-3);
  CHECK(std::fabs(moment[3]) < 6 * 3.88e-3);
  CHECK(std::fabs(moment[4] - 3) < 6 * 9.80e-3);
  // P(|x| > 3) = 0.0026998; standard error of the count sqrt(2693) = 52.
  CHECK(std::fabs(beyond_three - 2699.8) < 6 * 52);
}

TEST_CASE("Two sequences of one seed are not correlated") {
  const auto a = random_matrix<double>(500, 500, {distribution::normal, 5, 0});
  const auto b = random_matrix<double>(500, 500, {distribution::normal, 5, 1});
  double dot = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) dot += a.data()[i] * b.data()[i];
  CHECK(std::fabs(dot / 250000) < 6 / 500.0);
}
