// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/device_matmul.hpp>
#include <gpuenv/linalg/device_random.hpp>
#include <gpuenv/linalg/device_verify.hpp>
#include <gpuenv/linalg/matmul.hpp>
#include <gpuenv/linalg/verify.hpp>
#include "support/catch.hpp"
#include "support/products.hpp"

#include <limits>

using gpuenv::device_choice;
using namespace gpuenv::cuda;
using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

/// Verifies host matrices on the GPU.
template <class T>
verification on_gpu(const multiplied<T>& p, const verify_options& options, const stream& s) {
  const auto a = upload(p.a, s);
  const auto b = upload(p.b, s);
  const auto c = upload(p.c, s);
  return verify(device_problem<T>{a, b}, c, s, options);
}

/// Everything but time, place and the last bits of sums.
void check_agree(const verification& gpu, const verification& cpu) {
  INFO("GPU: " << gpu << "\nCPU: " << cpu);
  CHECK(gpu.on_gpu);
  CHECK_FALSE(cpu.on_gpu);
  CHECK(gpu.passed() == cpu.passed());
  CHECK(gpu.checked == cpu.checked);
  CHECK(gpu.non_finite_equal == cpu.non_finite_equal);
  CHECK(gpu.non_finite_differs == cpu.non_finite_differs);
  CHECK(gpu.overflow_possible == cpu.overflow_possible);
  CHECK(gpu.beyond_bound == cpu.beyond_bound);
  CHECK(gpu.rows_beyond == cpu.rows_beyond);
  CHECK(gpu.worst.row == cpu.worst.row);
  CHECK(gpu.worst.col == cpu.worst.col);
  CHECK(gpu.first_bad.row == cpu.first_bad.row);
  CHECK(gpu.first_bad.col == cpu.first_bad.col);
  CHECK(gpu.worst_ratio == Approx(cpu.worst_ratio).epsilon(1e-12));
  CHECK(gpu.rms_units == Approx(cpu.rms_units).epsilon(1e-9));
  CHECK(gpu.rms_limit == Approx(cpu.rms_limit).epsilon(1e-9));
  CHECK(gpu.detectable == Approx(cpu.detectable).epsilon(1e-12));
}

}  // namespace

TEMPLATE_TEST_CASE("CPU and GPU come to one verdict by every method and shape", "", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  for (const auto& [m, n, k] :
       {std::array{1, 1, 1}, std::array{17, 33, 9}, std::array{129, 65, 1}, std::array{130, 97, 301}}) {
    for (const auto values : {distribution::normal, distribution::uniform}) {
      auto p = random_product<T>(m, n, k, values);
      for (const auto& options : {full, sample, freivalds}) {
        check_agree(on_gpu(p, options, s), verify({.a = p.a, .b = p.b}, p.c, options));
      }
      p.c(m / 2, n / 2) += 1;
      for (const auto& options : {full, freivalds}) {
        const auto v = on_gpu(p, options, s);
        CHECK_FALSE(v.passed());
        check_agree(v, verify({.a = p.a, .b = p.b}, p.c, options));
      }
    }
  }
}

TEMPLATE_TEST_CASE("The GPU finds one planted element of 100 u (|A||B|)", "", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  auto p = random_product<T>(300, 200, 60);
  REQUIRE(on_gpu(p, full, s).passed());
  double magnitude = 0;
  for (std::int64_t x = 0; x < 60; ++x) magnitude += std::fabs(double{p.a(31, x)} * double{p.b(x, 170)});
  p.c(31, 170) += static_cast<T>(100 * std::numeric_limits<T>::epsilon() / 2 * magnitude);
  const auto v = on_gpu(p, full, s);
  INFO(v);
  CHECK(v.beyond_bound == 1);
  CHECK(v.first_bad.row == 31);
  CHECK(v.first_bad.col == 170);
}

TEMPLATE_TEST_CASE("Freivalds on the GPU finds four thresholds in any element", "", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  auto p = random_product<T>(120, 90, 200);
  const auto clean = on_gpu(p, freivalds, s);
  REQUIRE(clean.passed());
  for (int place = 0; place < 30; ++place) {
    const std::int64_t i = place * 37 % 120;
    const std::int64_t j = place * 53 % 90;
    const T before = p.c(i, j);
    p.c(i, j) += static_cast<T>(4 * clean.detectable);
    const auto v = on_gpu(p, freivalds, s);
    CHECK(v.rows_beyond == 1);
    CHECK(v.first_bad.row == i);
    p.c(i, j) = before;
  }
}

TEST_CASE("Every memory order and alpha, beta, C0 are verified on the GPU", "[B79]") {
  const stream s{device_ref{0}};
  for (const auto& layout : all_layouts) {
    const auto order = [](bool row_major) {
      return row_major ? storage_order::row_major : storage_order::column_major;
    };
    device_matrix<float> a{s, 65, 43, order(layout[0])};
    device_matrix<float> b{s, 43, 70, order(layout[1])};
    device_matrix<float> c{s, 65, 70, order(layout[2])};
    device_matrix<float> c0{s, 65, 70};
    fill_random(a.view(), s, {.seed = 1});
    fill_random(b.view(), s, {.seed = 2});
    fill_random(c.view(), s, {.seed = 3});
    fill_random(c0.view(), s, {.seed = 3});
    matmul(a.view(), b.view(), c.view(), s, {.alpha = 1.5, .beta = -0.7});
    for (const auto& options : {full, sample, freivalds}) {
      const auto v = verify(device_problem<float>{a, b, 1.5, -0.7, c0}, c, s, options);
      INFO(v);
      CHECK(v.passed());
      CHECK_FALSE(verify(device_problem<float>{a, b, 1.5, -0.8, c0}, c, s, options).passed());
    }
  }
}

TEST_CASE("NaN and Inf are judged alike on both sides") {
  const stream s{device_ref{0}};
  auto p = random_product<float>(50, 40, 30);
  p.a(4, 2) = std::numeric_limits<float>::infinity();
  p.b(7, 9) = std::numeric_limits<float>::quiet_NaN();
  p.c = matmul(p.a, p.b, {.device = device_choice::cpu()}).value;
  check_agree(on_gpu(p, full, s), verify({.a = p.a, .b = p.b}, p.c, full));
  p.c(0, 9) = 1;
  p.c(1, 1) = std::numeric_limits<float>::quiet_NaN();
  const auto v = on_gpu(p, full, s);
  CHECK(v.non_finite_differs == 2);
  check_agree(v, verify({.a = p.a, .b = p.b}, p.c, full));
  CHECK_FALSE(on_gpu(p, freivalds, s).problem.empty());
}

TEST_CASE("The verdict has the same bits each time") {
  const stream s{device_ref{0}};
  const auto p = random_product<float>(200, 130, 100);
  for (const auto& options : {full, sample, freivalds}) {
    const auto first = on_gpu(p, options, s);
    for (int run = 0; run < 3; ++run) {
      const auto again = on_gpu(p, options, s);
      CHECK(again.rms_units == first.rms_units);
      CHECK(again.worst_ratio == first.worst_ratio);
      CHECK(again.detectable == first.detectable);
    }
  }
}

TEST_CASE("An empty sum and an empty output are verified on the GPU", "[B72]") {
  const stream s{device_ref{0}};
  const device_matrix<float> a{s, 3, 0};
  const device_matrix<float> b{s, 0, 4};
  const auto zeros = upload(host_matrix<float>{3, 4}, s);
  for (const auto& options : {full, sample, freivalds}) {
    CHECK(verify(device_problem<float>{a, b}, zeros, s, options).passed());
    CHECK(verify(device_problem<float>{device_matrix<float>{s, 0, 2}, device_matrix<float>{s, 2, 4}},
                 device_matrix<float>{s, 0, 4}, s, options)
              .passed());
  }
}

TEST_CASE("Freivalds judges 8192 in both directions", "[slow]") {
  const stream s{device_ref{0}};
  const auto a = random_device_matrix<float>(s, 8192, 8192, {.seed = 1});
  const auto b = random_device_matrix<float>(s, 8192, 8192, {.seed = 1, .sequence = 1});
  auto c = matmul(a, b, s);
  const auto v = verify(device_problem<float>{a, b}, c, s);
  INFO(v);
  CHECK(v.method == verify_method::freivalds);
  CHECK(v.passed());
  fill_random(c.view().block(4000, 4000, 1, 1), s, {.seed = 5});
  CHECK_FALSE(verify(device_problem<float>{a, b}, c, s).passed());
}
