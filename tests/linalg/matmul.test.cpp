// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/matmul.hpp>
#include <gpuenv/linalg/random.hpp>
#include <gpuenv/linalg/verify.hpp>
#include "support/catch.hpp"
#include "support/matrices.hpp"

#include <limits>

using gpuenv::device_choice;
using gpuenv::errc;
using gpuenv::error;
using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

const matmul_options on_cpu{.device = device_choice::cpu()};

template <class F>
errc code_of(F&& f) {
  try {
    f();
  } catch (const error& e) {
    return static_cast<errc>(e.code().value());
  }
  return errc{};
}

template <class T>
void fill(host_matrix_view<T> m, T value) {
  for (std::int64_t i = 0; i < m.rows(); ++i) {
    for (std::int64_t j = 0; j < m.cols(); ++j) m(i, j) = value;
  }
}

}  // namespace

TEMPLATE_TEST_CASE("All eight layouts give the product by definition and leave padding alone", "[B79]", float, double) {
  using T = TestType;
  for (const auto& layout : all_layouts) {
    padded_matrix<T> a{3, 5, layout[0]};
    padded_matrix<T> b{5, 7, layout[1]};
    padded_matrix<T> c{3, 7, layout[2]};
    fill_integers(a.view(), 1);
    fill_integers(b.view(), 2);
    fill_integers(c.view(), 3);
    const auto expected = product_by_definition<T>(a.view(), b.view(), T{2}, T{-3}, c.view());
    matmul(a.view(), b.view(), c.view(), {.alpha = 2, .beta = -3, .device = device_choice::cpu()});
    CHECK(equal(c.view(), expected));
    CHECK(a.guards_intact());
    CHECK(b.guards_intact());
    CHECK(c.guards_intact());
  }
}

TEMPLATE_TEST_CASE("Operands and outputs without a stride of 1 are multiplied like any other", "[B79]", float, double) {
  using T = TestType;
  std::vector<T> memory_a(200, T{9});
  std::vector<T> memory_c(400, T{9});
  const host_matrix_view<T> a{memory_a.data(), 4, 3, 30, 2};
  const host_matrix_view<T> c{memory_c.data(), 4, 6, 50, 3};
  host_matrix<T> b{3, 6};
  fill_integers(a, 1);
  fill_integers(b.view(), 2);
  fill_integers(c, 3);
  const auto expected = product_by_definition<T>(a, b.view(), T{1}, T{2}, c);
  matmul(a, b.view(), c, {.beta = 2, .device = device_choice::cpu()});
  CHECK(equal(c, expected));
  CHECK(memory_c[1] == T{9});
}

TEMPLATE_TEST_CASE("beta = 0 never reads C, whatever it holds", "[B71]", float, double) {
  using T = TestType;
  for (const T rubbish : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    for (const auto& [m, n, k] :
         {std::array{16, 16, 16}, std::array{17, 33, 9}, std::array{1, 1, 1}, std::array{129, 65, 3}}) {
      for (const double alpha : {1.0, 0.0}) {
        host_matrix<T> a{m, k};
        host_matrix<T> b{k, n};
        host_matrix<T> c{m, n};
        fill_integers(a.view(), 1);
        fill_integers(b.view(), 2);
        fill(c.view(), rubbish);
        matmul(a.view(), b.view(), c.view(), {.alpha = alpha, .device = device_choice::cpu()});
        CHECK(equal(c, product_by_definition<T>(a.view(), b.view(), static_cast<T>(alpha), T{0}, c.view())));
      }
    }
  }
}

TEMPLATE_TEST_CASE("K = 0 gives beta C, and an output without elements gives nothing", "[B72]", float, double) {
  using T = TestType;
  for (const double beta : {0.0, 1.0, 2.0}) {
    host_matrix<T> c{4, 5};
    fill_integers(c.view(), 1);
    const host_matrix<T> before = c.clone();
    if (beta == 0) fill(c.view(), std::numeric_limits<T>::quiet_NaN());
    const host_matrix_view<const T> a{nullptr, 4, 0, 1, 1};
    const host_matrix_view<const T> b{nullptr, 0, 5, 5, 1};
    const auto info = matmul(a, b, c.view(), {.beta = beta, .device = device_choice::cpu()});
    CHECK(info.plan.route == product_route::scaling);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 5; ++j) CHECK(c(i, j) == static_cast<T>(beta) * before(i, j));
    }
  }
  CHECK(matmul(host_matrix<T>{0, 5}, host_matrix<T>{5, 3}, on_cpu).info.plan.route == product_route::nothing);
  CHECK(matmul(host_matrix<T>{4, 0}, host_matrix<T>{0, 3}, on_cpu).value(3, 2) == T{0});
}

TEST_CASE("alpha = 0 never reads A and B") {
  host_matrix<float> a{2, 2};
  fill(a.view(), std::numeric_limits<float>::quiet_NaN());
  host_matrix<float> c{2, 2};
  fill(c.view(), 3.0F);
  matmul(a.view(), a.view(), c.view(), {.alpha = 0, .beta = 2, .device = device_choice::cpu()});
  CHECK(c(1, 1) == 6.0F);
}

TEST_CASE("Shapes that do not fit are refused with all three shapes and a hint") {
  const host_matrix<float> a{3, 5};
  const host_matrix<float> b{7, 5};
  host_matrix<float> c{3, 7};
  try {
    matmul(a.view(), b.view(), c.view(), on_cpu);
    FAIL("nothing was thrown");
  } catch (const error& e) {
    CHECK(e.code() == errc::shape_mismatch);
    const std::string text = e.what();
    CHECK(text.find("a is 3x5, b is 7x5, c is 3x7") != std::string::npos);
    CHECK(text.find("b.transposed()") != std::string::npos);
  }
}

TEST_CASE("An output that shares memory with an input is refused, one between its columns is not") {
  host_matrix<float> m{8, 8};
  const auto v = m.view();
  const auto left = v.block(0, 0, 4, 4);
  CHECK(code_of([&] { matmul(left, left, left, on_cpu); }) == errc::overlap);
  CHECK(code_of([&] { matmul(left, left, v.block(3, 3, 4, 4), on_cpu); }) == errc::overlap);
  CHECK(code_of([&] { matmul(v.block(3, 3, 4, 4), left, v.block(0, 1, 4, 4), on_cpu); }) == errc::overlap);
  CHECK_NOTHROW(matmul(left, left, v.block(0, 4, 4, 4), on_cpu));
  CHECK_NOTHROW(matmul(left, left, v.block(4, 0, 4, 4), on_cpu));
  CHECK_NOTHROW(matmul(v.block(0, 4, 4, 4), left, v.block(4, 4, 4, 4).transposed(), on_cpu));
  // A block of other strides in the same range of addresses counts as overlapping: better refused than wrong.
  const host_matrix_view<float> every_other{m.data() + 1, 4, 4, 16, 2};
  CHECK(code_of([&] { matmul(left, left, every_other, on_cpu); }) == errc::overlap);
}

TEST_CASE("Without a choice the product runs somewhere and says where and why") {
  const auto a = random_matrix<float>(20, 30, {.seed = 1});
  const auto b = random_matrix<float>(30, 10, {.seed = 1, .sequence = 1});
  const auto [c, info] = matmul(a, b);
  CHECK(info.plan.m == 20);
  CHECK(info.plan.n == 10);
  CHECK(info.plan.k == 30);
  CHECK_FALSE(info.device.empty());
  if (!info.on_gpu) CHECK_FALSE(info.notes.empty());
  CHECK(info.seconds.size() == 1);
  CHECK(verify({.a = a, .b = b}, c).passed());
}

TEST_CASE("Repeating a product that adds to its output is refused") {
  host_matrix<float> a{2, 2};
  host_matrix<float> c{2, 2};
  CHECK(code_of([&] {
          matmul(a.view(), a.view(), c.view(), {.beta = 1, .device = device_choice::cpu(), .repeat = 2});
        }) == errc::invalid_argument);
  CHECK(matmul(a.view(), a.view(), c.view(), {.device = device_choice::cpu(), .repeat = 3}).seconds.size() == 3);
}

TEST_CASE("A GPU route cannot be asked for on the CPU") {
  host_matrix<float> a{2, 2};
  host_matrix<float> c{2, 2};
  CHECK(code_of([&] {
          matmul(a.view(), a.view(), c.view(), {.device = device_choice::cpu(), .route = product_route::cublas});
        }) == errc::invalid_argument);
}

TEST_CASE("The same product gives the same bits each time") {
  const auto a = random_matrix<float>(65, 129, {.seed = 4});
  const auto b = random_matrix<float>(129, 33, {.seed = 4, .sequence = 1});
  const auto first = matmul(a, b, on_cpu).value.clone();
  for (int run = 0; run < 3; ++run) CHECK(same_bits(first, matmul(a, b, on_cpu).value));
}

TEST_CASE("Many random shapes and layouts are verified on the CPU", "[B79][B83]") {
  std::uint64_t state = 12345;
  const auto draw = [&](std::uint64_t most) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>((state >> 33) % most);
  };
  for (int round = 0; round < 200; ++round) {
    const std::int64_t m = 1 + draw(40);
    const std::int64_t n = 1 + draw(40);
    const std::int64_t k = draw(50);
    padded_matrix<double> a{m, k, draw(2) == 0, draw(4), draw(3)};
    padded_matrix<double> b{k, n, draw(2) == 0, draw(4), draw(3)};
    padded_matrix<double> c{m, n, draw(2) == 0, draw(4), draw(3)};
    fill_random(a.view(), {.seed = state});
    fill_random(b.view(), {.seed = state, .sequence = 1});
    matmul(a.view(), b.view(), c.view(), on_cpu);
    const auto v = verify({.a = a.view(), .b = b.view()}, host_matrix_view<const double>{c.view()});
    INFO(v);
    CHECK(v.passed());
    CHECK(c.guards_intact());
  }
}

TEST_CASE("Factors that the element type cannot hold, and a beta without a C, are refused") {
  const host_matrix<float> a{2, 2};
  host_matrix<float> c{2, 2};
  for (const double factor : {1e-60, 1e60, -1e60}) {
    CHECK(code_of([&] { matmul(a.view(), a.view(), c.view(), {.alpha = factor, .device = device_choice::cpu()}); }) ==
          errc::invalid_argument);
    CHECK(code_of([&] { matmul(a.view(), a.view(), c.view(), {.beta = factor, .device = device_choice::cpu()}); }) ==
          errc::invalid_argument);
  }
  CHECK(code_of([&] { static_cast<void>(matmul(a, a, {.beta = 1})); }) == errc::invalid_argument);
  const host_matrix<double> d{2, 2};
  CHECK_NOTHROW(matmul(d, d, {.alpha = 1e-60, .device = device_choice::cpu()}));
}
