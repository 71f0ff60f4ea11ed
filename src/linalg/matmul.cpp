// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/matmul.hpp>
#include "linalg/gpu_product.hpp"
#include "linalg/host_product.hpp"
#include "linalg/product_checks.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>

namespace gpuenv::inline v0::linalg {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>{clock::now() - start}.count(); }

/// "CPU (AMD EPYC)"
std::string read_cpu_name() {
  std::ifstream facts{"/proc/cpuinfo"};
  for (std::string line; std::getline(facts, line);) {
    if (!line.starts_with("model name")) continue;
    if (const std::size_t value = line.find(": "); value != std::string::npos)
      return "CPU (" + line.substr(value + 2) + ')';
  }
  return "CPU";
}

const std::string& cpu_name() {
  static const auto* const name = new std::string{read_cpu_name()};  // reading it takes longer than a small product
  return *name;
}

template <class T>
product_info run_on_cpu(host_matrix_view<const T> a, host_matrix_view<const T> b, host_matrix_view<T> c,
                        const matmul_options& options) {
  const auto alpha = static_cast<T>(options.alpha);
  const auto beta = static_cast<T>(options.beta);
  host_request request;
  request.m = c.rows();
  request.n = c.cols();
  request.k = a.cols();
  request.c_by_rows = c.row_stride() != 1 && c.col_stride() == 1;
  request.reads_factors = alpha != T{0};
  request.largest_stride =
      std::max({a.row_stride(), a.col_stride(), b.row_stride(), b.col_stride(), c.row_stride(), c.col_stride()});
  request.route = options.route;
  const host_plan plan = plan_on_host(request);
  product_info info;
  info.device = cpu_name();
  info.library = plan.library;
  if (!plan.note.empty()) info.notes.push_back(plan.note);
  info.plan.m = request.m;
  info.plan.n = request.n;
  info.plan.k = request.k;
  info.plan.compute = sizeof(T) == 4 ? compute_type::fp32 : compute_type::fp64;
  info.plan.route = plan.route;
  if (plan.route == product_route::nothing) return info;
  for (int run = 0; run < options.repeat; ++run) {
    const auto start = clock::now();
    host_product(plan, a, b, c, alpha, beta);
    info.seconds.push_back(seconds_since(start));
  }
  return info;
}

template <class T>
product_info run(host_matrix_view<const T> a, host_matrix_view<const T> b, host_matrix_view<T> c,
                 const matmul_options& options, const std::source_location& where) {
  const operand left = describe("a", a);
  const operand right = describe("b", b);
  const operand target = describe("c", c);
  check_shapes(left, right, target, where);
  check_overlap(left, right, target, where);
  static_cast<void>(checked_factor<T>(options.alpha, "alpha", where));
  static_cast<void>(checked_factor<T>(options.beta, "beta", where));
  if (options.repeat < 1 || (options.repeat > 1 && static_cast<T>(options.beta) != T{0})) {
    throw error{errc::invalid_argument,
                "matmul: repeat is " + std::to_string(options.repeat) + ", beta " + std::to_string(options.beta),
                "use repeat of 1 or more, and only 1 when beta adds to what is there", recovery::possible, where};
  }

  const auto start = clock::now();
  std::string why;
  std::optional<product_info> info;
  if (options.device.what() != device_choice::kind::cpu) info = try_gpu(a, b, c, options, why);
  if (!info) {
    info = run_on_cpu(a, b, c, options);
    if (!why.empty()) info->notes.push_back("on the CPU: " + why);
  }
  info->total_seconds = seconds_since(start);
  return *std::move(info);
}

}  // namespace

product_info matmul(host_matrix_view<const float> a, host_matrix_view<const float> b, host_matrix_view<float> c,
                    const matmul_options& options, std::source_location where) {
  return run(a, b, c, options, where);
}

product_info matmul(host_matrix_view<const double> a, host_matrix_view<const double> b, host_matrix_view<double> c,
                    const matmul_options& options, std::source_location where) {
  return run(a, b, c, options, where);
}

}  // namespace gpuenv::inline v0::linalg
