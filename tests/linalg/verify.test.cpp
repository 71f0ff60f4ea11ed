// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/matmul.hpp>
#include <gpuenv/linalg/random.hpp>
#include <gpuenv/linalg/verify.hpp>
#include "support/catch.hpp"
#include "support/products.hpp"

#include <limits>
#include <utility>

using gpuenv::device_choice;
using gpuenv::errc;
using gpuenv::error;
using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

/// (|A||B|) at one element: the measure of a planted fault.
template <class T>
double magnitude_at(const multiplied<T>& p, std::int64_t i, std::int64_t j) {
  double sum = 0;
  for (std::int64_t x = 0; x < p.a.cols(); ++x) sum += std::fabs(double{p.a(i, x)} * double{p.b(x, j)});
  return sum;
}

/// The product in TF32: both operands rounded to 11 significant bits, summed in FP32.
host_matrix<float> tf32_product(const host_matrix<float>& a, const host_matrix<float>& b) {
  const auto rounded = [](const host_matrix<float>& m) {
    host_matrix<float> r = m.clone();
    for (std::int64_t i = 0; i < r.rows(); ++i) {
      for (std::int64_t j = 0; j < r.cols(); ++j) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &r(i, j), 4);
        bits = (bits + 0x1000U) & ~0x1fffU;
        std::memcpy(&r(i, j), &bits, 4);
      }
    }
    return r;
  };
  return matmul(rounded(a), rounded(b), {.device = device_choice::cpu()}).value;
}

}  // namespace

TEMPLATE_TEST_CASE("A right product passes by every method", "", float, double) {
  const auto p = random_product<TestType>(65, 47, 129);
  for (const auto& options : {full, sample, freivalds}) {
    const auto v = verify({.a = p.a, .b = p.b}, p.c, options);
    INFO(v);
    CHECK(v.passed());
    CHECK(v.method == options.method);
  }
}

TEMPLATE_TEST_CASE("Full verification finds one planted element of 100 u (|A||B|)", "", float, double) {
  using T = TestType;
  // 100 u lies outside gamma_K for K below about 90.
  auto p = random_product<T>(50, 40, 60);
  REQUIRE(verify({.a = p.a, .b = p.b}, p.c, full).passed());
  const double u = std::numeric_limits<T>::epsilon() / 2;
  p.c(31, 17) += static_cast<T>(100 * u * magnitude_at(p, 31, 17));
  const auto v = verify({.a = p.a, .b = p.b}, p.c, full);
  INFO(v);
  CHECK(v.beyond_bound == 1);
  CHECK(v.first_bad.row == 31);
  CHECK(v.first_bad.col == 17);
  CHECK_FALSE(v.passed());
}

TEMPLATE_TEST_CASE("Full verification finds one planted element of 100 u (|A||B|) at K = 4000 too", "", float, double) {
  using T = TestType;
  // Inside gamma_K here: the precision line finds it, since 100 squared is far from what a small C can average away.
  auto p = random_product<T>(12, 9, 4000);
  const double u = std::numeric_limits<T>::epsilon() / 2;
  REQUIRE(verify({.a = p.a, .b = p.b}, p.c, full).passed());
  p.c(3, 4) += static_cast<T>(100 * u * magnitude_at(p, 3, 4));
  const auto v = verify({.a = p.a, .b = p.b}, p.c, full);
  INFO(v);
  CHECK(v.within_bound());
  CHECK_FALSE(v.at_precision());
  CHECK_FALSE(v.passed());
}

TEST_CASE("TF32 in place of FP32 is told apart on normal data, although it is within the bound", "[B75]") {
  for (const std::int64_t k : {64, 1000, 4096}) {
    const auto p = random_product<float>(40, 30, k);
    const auto v = verify({.a = p.a, .b = p.b}, tf32_product(p.a, p.b), full);
    INFO(v);
    CHECK_FALSE(v.at_precision());
    CHECK(v.rms_units > 20 * verify({.a = p.a, .b = p.b}, p.c, full).rms_units);
    CHECK_FALSE(verify({.a = p.a, .b = p.b}, tf32_product(p.a, p.b), sample).passed());
  }
}

TEST_CASE("Positive data pass too, although their errors grow with K") {
  for (const std::int64_t k : {1, 2, 17, 64, 1000, 5000}) {
    const auto p = random_product<float>(33, 29, k, distribution::uniform);
    const auto v = verify({.a = p.a, .b = p.b}, p.c, full);
    INFO("K = " << k << "\n" << v);
    CHECK(v.passed());
  }
}

TEMPLATE_TEST_CASE("alpha, beta and C0 belong to the problem", "", float, double) {
  using T = TestType;
  const auto a = random_matrix<T>(30, 20, {.seed = 1});
  const auto b = random_matrix<T>(20, 25, {.seed = 2});
  const auto c0 = random_matrix<T>(30, 25, {.seed = 3});
  auto c = c0.clone();
  matmul(a.view(), b.view(), c.view(), {.alpha = 1.7, .beta = -0.3, .device = device_choice::cpu()});
  for (const auto& options : {full, sample, freivalds}) {
    const auto right = verify({.a = a, .b = b, .alpha = 1.7, .beta = -0.3, .c0 = c0}, c, options);
    INFO(right);
    CHECK(right.passed());
    CHECK_FALSE(verify({.a = a, .b = b, .alpha = 1.7, .beta = -0.4, .c0 = c0}, c, options).passed());
    CHECK_FALSE(verify({.a = a, .b = b, .alpha = 1.8, .beta = -0.3, .c0 = c0}, c, options).passed());
    CHECK_FALSE(verify({.a = a, .b = b, .alpha = 1.7}, c, options).passed());
  }
}

TEST_CASE("An empty sum is verified: beta C0, and nothing at all", "[B72]") {
  const host_matrix<float> a{3, 0};
  const host_matrix<float> b{0, 4};
  host_matrix<float> c{3, 4};
  for (const auto& options : {full, sample, freivalds}) {
    CHECK(verify({.a = a, .b = b}, c, options).passed());
    CHECK(verify({.a = host_matrix<float>{0, 2}, .b = host_matrix<float>{2, 4}}, host_matrix<float>{0, 4}, options)
              .passed());
  }
  c(1, 1) = 1;
  for (const auto& options : {full, freivalds}) CHECK_FALSE(verify({.a = a, .b = b}, c, options).passed());
}

TEMPLATE_TEST_CASE("Freivalds finds a planted error of four thresholds in any element", "", float, double) {
  using T = TestType;
  auto p = random_product<T>(120, 90, 200);
  const auto clean = verify({.a = p.a, .b = p.b}, p.c, freivalds);
  INFO(clean);
  REQUIRE(clean.passed());
  REQUIRE(clean.detectable > 0);
  CHECK(clean.miss_probability == std::ldexp(1.0, -20));
  for (int place = 0; place < 50; ++place) {
    const std::int64_t i = place * 37 % 120;
    const std::int64_t j = place * 53 % 90;
    const T before = p.c(i, j);
    p.c(i, j) += static_cast<T>(4 * clean.detectable);
    const auto v = verify({.a = p.a, .b = p.b}, p.c, freivalds);
    CHECK(v.rows_beyond == 1);
    CHECK(v.first_bad.row == i);
    p.c(i, j) = before;
  }
}

TEST_CASE("Freivalds finds two columns that were exchanged, and a product in the wrong layout") {
  auto p = random_product<float>(64, 64, 64);
  for (std::int64_t i = 0; i < 64; ++i) std::swap(p.c(i, 3), p.c(i, 40));
  CHECK_FALSE(verify({.a = p.a, .b = p.b}, p.c, freivalds).passed());
  const auto q = random_product<float>(64, 64, 64);
  CHECK_FALSE(verify({.a = q.a, .b = q.b}, q.c.view().transposed(), freivalds).passed());
}

TEST_CASE("Freivalds passes right products of many seeds: no false alarms") {
  const auto p = random_product<float>(70, 60, 300, distribution::uniform);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto v = verify({.a = p.a, .b = p.b}, p.c, {.method = verify_method::freivalds, .seed = seed});
    INFO(v);
    CHECK(v.passed());
  }
}

TEST_CASE("NaN and Inf are compared by kind and place, and none is lost") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  auto p = random_product<float>(20, 15, 10);
  p.a(4, 2) = inf;
  p.b(7, 9) = nan;
  p.c = matmul(p.a, p.b, {.device = device_choice::cpu()}).value;
  const auto v = verify({.a = p.a, .b = p.b}, p.c, full);
  INFO(v);
  CHECK(v.passed());
  CHECK(v.non_finite_equal == 15 + 20 - 1);

  p.c(0, 9) = 1;  // was NaN
  p.c(4, 0) = -p.c(4, 0);
  p.c(1, 1) = nan;
  const auto bad = verify({.a = p.a, .b = p.b}, p.c, full);
  CHECK(bad.non_finite_differs == 3);
  CHECK(bad.first_bad.row == 0);
  CHECK(bad.first_bad.col == 9);
  CHECK_FALSE(bad.passed());
  CHECK_FALSE(verify({.a = p.a, .b = p.b}, p.c, freivalds).passed());
}

TEST_CASE("A C that is all NaN fails by every method") {
  auto p = random_product<double>(10, 10, 10);
  for (std::int64_t i = 0; i < 10; ++i) {
    for (std::int64_t j = 0; j < 10; ++j) p.c(i, j) = std::numeric_limits<double>::quiet_NaN();
  }
  for (const auto& options : {full, sample, freivalds})
    CHECK_FALSE(verify({.a = p.a, .b = p.b}, p.c, options).passed());
}

TEMPLATE_TEST_CASE("The edges of the range are judged, not drowned: largest, subnormal, graded", "", float, double) {
  using T = TestType;
  using limits = std::numeric_limits<T>;
  const auto scaled = [](host_matrix<T> m, T factor) {
    for (std::int64_t i = 0; i < m.rows(); ++i) {
      for (std::int64_t j = 0; j < m.cols(); ++j) m(i, j) *= factor;
    }
    return m;
  };
  const auto check = [&](const host_matrix<T>& a, const host_matrix<T>& b, bool freivalds_can) {
    auto c = matmul(a, b, {.device = device_choice::cpu()}).value;
    const auto v = verify({.a = a, .b = b}, c, full);
    INFO(v);
    CHECK(v.passed());
    const auto f = verify({.a = a, .b = b}, c, freivalds);
    INFO(f);
    CHECK(f.passed() == freivalds_can);
    CHECK((freivalds_can || !f.problem.empty() || f.non_finite_differs > 0));
  };
  const auto a = random_matrix<T>(16, 24, {.seed = 1});
  const auto b = random_matrix<T>(24, 12, {.seed = 2});
  check(scaled(a.clone(), limits::min() / 64), b, true);  // subnormal operands
  check(scaled(a.clone(), std::sqrt(limits::min())), scaled(b.clone(), std::sqrt(limits::min())), true);
  // Thresholds are sums of |a||b| in double, which 24 products near the largest double leave.
  check(scaled(a.clone(), limits::max() / 64), scaled(b.clone(), T(1) / 64), sizeof(T) == 4);
  auto graded = a.clone();
  for (std::int64_t i = 0; i < 16; ++i) {
    for (std::int64_t j = 0; j < 24; ++j) graded(i, j) = std::ldexp(graded(i, j), static_cast<int>(i * 5 - j * 2));
  }
  check(graded, b, true);
  // Products overflow: Inf where the reference is Inf, and NaN or Inf where partial sums may. Products of doubles do so
  // in the reference as well: Inf - Inf is NaN there, and Inf stays Inf where multiplication and addition are fused, as
  // from x86-64-v3 on; verification does not know which of the two the product had.
  if (sizeof(T) == 4) check(scaled(a.clone(), limits::max() / 4), scaled(b.clone(), limits::max() / 4), false);
}

TEST_CASE("Cancelling pairs and integers pass") {
  host_matrix<float> a{9, 64};
  host_matrix<float> b{64, 8};
  fill_random(a.view(), {.seed = 5});
  fill_random(b.view(), {.seed = 6});
  for (std::int64_t i = 0; i < 9; ++i) {
    for (std::int64_t p = 0; p < 64; p += 2) a(i, p + 1) = -a(i, p);
  }
  for (std::int64_t p = 0; p < 64; p += 2) {
    for (std::int64_t j = 0; j < 8; ++j) b(p + 1, j) = b(p, j);
  }
  auto c = matmul(a, b, {.device = device_choice::cpu()}).value;
  CHECK(verify({.a = a, .b = b}, c, full).passed());
  fill_integers(a.view(), 1);
  fill_integers(b.view(), 2);
  c = matmul(a, b, {.device = device_choice::cpu()}).value;
  const auto v = verify({.a = a, .b = b}, c, full);
  CHECK(v.passed());
  CHECK(v.rms_units == 0.0);
}

TEST_CASE("The automatic method is full where that is cheap and Freivalds beyond") {
  const auto small = random_product<float>(20, 20, 20);
  CHECK(verify({.a = small.a, .b = small.b}, small.c).method == verify_method::full);
  const auto large = random_product<float>(1800, 1800, 1000);
  const auto v = verify({.a = large.a, .b = large.b}, large.c);
  INFO(v);
  CHECK(v.method == verify_method::freivalds);
  CHECK(v.passed());
}

TEST_CASE("The automatic method decides in full where vectors raise a doubt") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  auto p = random_product<float>(1500, 1500, 1400);
  REQUIRE(verify({.a = p.a, .b = p.b}, p.c).method == verify_method::freivalds);
  for (const float wrong : {inf, -inf, std::numeric_limits<float>::quiet_NaN(), 1e30F}) {
    const float before = std::exchange(p.c(700, 33), wrong);
    const auto v = verify({.a = p.a, .b = p.b}, p.c);
    INFO(v);
    CHECK(v.method == verify_method::full);
    CHECK(v.first_bad.row == 700);
    CHECK(v.first_bad.col == 33);
    CHECK_FALSE(v.passed());
    CHECK_FALSE(verify({.a = p.a, .b = p.b}, p.c, freivalds).passed());
    p.c(700, 33) = before;
  }
  p.a(5, 5) = inf;  // vectors prove nothing then
  p.c = matmul(p.a, p.b, {.device = device_choice::cpu()}).value;
  const auto v = verify({.a = p.a, .b = p.b}, p.c);
  INFO(v);
  CHECK(v.method == verify_method::full);
  CHECK(v.passed());
}

TEMPLATE_TEST_CASE("One element of 100 u (|A||B|) among a million is found", "", float, double) {
  using T = TestType;
  auto p = random_product<T>(1000, 1000, 1000);
  p.c(123, 456) += static_cast<T>(100 * std::numeric_limits<T>::epsilon() / 2 * magnitude_at(p, 123, 456));
  const auto v = verify({.a = p.a, .b = p.b}, p.c, full);
  INFO(v);
  CHECK(v.beyond_precision == 1);
  CHECK(v.first_bad.row == 123);
  CHECK(v.first_bad.col == 456);
  CHECK_FALSE(v.passed());
}

TEST_CASE("Freivalds' vectors cannot see TF32, the sample beside them does", "[B75]") {
  const auto p = random_product<float>(200, 150, 4096);
  const auto right = verify({.a = p.a, .b = p.b}, p.c, freivalds);
  INFO(right);
  CHECK(right.passed());
  CHECK(right.sampled == 1024);
  const auto v = verify({.a = p.a, .b = p.b}, tf32_product(p.a, p.b), freivalds);
  INFO(v);
  CHECK(v.rows_beyond == 0);
  CHECK_FALSE(v.passed());
}

TEMPLATE_TEST_CASE("Data on which roundings add up pass: constants, rank one, alternating signs", "", float, double) {
  using T = TestType;
  for (const std::int64_t k : {63, 64, 300, 1000}) {
    host_matrix<T> a{40, k};
    host_matrix<T> b{k, 30};
    const auto check = [&](const char* family) {
      const auto c = matmul(a, b, {.device = device_choice::cpu()}).value;
      for (const auto& options : {full, sample}) {
        const auto v = verify({.a = a, .b = b}, c, options);
        INFO(family << ", K = " << k << '\n' << v);
        CHECK(v.passed());
      }
    };
    for (std::int64_t i = 0; i < a.size(); ++i) a.data()[i] = T(0.7);
    for (std::int64_t i = 0; i < b.size(); ++i) b.data()[i] = T(1);
    check("constants");
    for (std::int64_t i = 0; i < b.size(); ++i) b.data()[i] = T(0.1);
    check("two constants");
    for (std::int64_t p = 0; p < k; ++p) {
      for (std::int64_t i = 0; i < 40; ++i) a(i, p) = T(1) / static_cast<T>(i + 3);
      for (std::int64_t j = 0; j < 30; ++j) b(p, j) = T(1) / static_cast<T>(j + 7);
    }
    check("rank one");
    fill_random(a.view(), {distribution::uniform, 3, 0});
    for (std::int64_t p = 0; p < k; ++p) {
      for (std::int64_t j = 0; j < 30; ++j) b(p, j) = p % 2 == 0 ? T(1) : T(-1);
    }
    check("alternating signs");
    const auto v = matmul(a, b.view().block(0, 0, k, 1), {.device = device_choice::cpu()}).value;
    CHECK(verify({.a = a, .b = b.view().block(0, 0, k, 1)}, v, full).passed());
  }
}

TEST_CASE("TF32 on constants is refused although plain loops err much there", "[B75]") {
  host_matrix<float> a{40, 300};
  host_matrix<float> b{300, 30};
  for (std::int64_t i = 0; i < a.size(); ++i) a.data()[i] = 0.7F;
  for (std::int64_t i = 0; i < b.size(); ++i) b.data()[i] = 0.1F;
  const auto v = verify({.a = a, .b = b}, tf32_product(a, b), full);
  INFO(v);
  CHECK_FALSE(v.passed());
}

TEST_CASE("Empty matrices of any other size are verified at once", "[B72]") {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const host_matrix<float> a{huge, 0};
  const host_matrix<float> b{0, 0};
  for (const auto& options : {full, sample, freivalds}) {
    CHECK(verify({.a = a, .b = b}, random_matrix<float>(huge, 0), options).passed());
  }
}

TEST_CASE("Options out of range and shapes that do not fit are errors, a wrong C is not") {
  const host_matrix<float> a{2, 3};
  const host_matrix<float> b{3, 4};
  const host_matrix<float> c{2, 4};
  const auto code = [&](const verify_options& options, const host_matrix<float>& result) {
    try {
      static_cast<void>(verify({.a = a, .b = b}, result, options));
    } catch (const error& e) {
      return static_cast<errc>(e.code().value());
    }
    return errc{};
  };
  CHECK(code({.vectors = 33}, c) == errc::invalid_argument);
  CHECK(code({.vectors = 0}, c) == errc::invalid_argument);
  CHECK(code({.samples = 0}, c) == errc::invalid_argument);
  CHECK(code({}, host_matrix<float>{2, 5}) == errc::shape_mismatch);
  CHECK(code({}, c) == errc{});
  CHECK_THROWS_AS(parse_verify_method("allclose"), error);
  CHECK(parse_verify_method("freivalds") == verify_method::freivalds);
}

TEST_CASE("Nothing is checked when nothing is asked for") {
  const auto v = verify({.a = host_matrix<float>{2, 2}, .b = host_matrix<float>{2, 2}}, host_matrix<float>{2, 2},
                        {.method = verify_method::none});
  CHECK(v.checked == 0);
  CHECK(v.passed());
}
