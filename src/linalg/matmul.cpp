// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/matmul.hpp>
#include "linalg/gpu_product.hpp"
#include "linalg/host_product.hpp"
#include "linalg/product_checks.hpp"

#include <chrono>
#include <fstream>

namespace gpuenv::inline v0::linalg {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>{clock::now() - start}.count(); }

std::string cpu_name() {
  std::ifstream facts{"/proc/cpuinfo"};
  for (std::string line; std::getline(facts, line);) {
    if (!line.starts_with("model name")) continue;
    if (const std::size_t value = line.find(": "); value != std::string::npos)
      return "CPU (" + line.substr(value + 2) + ')';
  }
  return "CPU";
}

template <class T>
product_info run_on_cpu(host_matrix_view<const T> a, host_matrix_view<const T> b, host_matrix_view<T> c,
                        const matmul_options& options) {
  if (options.route != product_route::automatic && options.route != product_route::eigen) {
    throw error{errc::invalid_argument,
                "matmul: route '" + std::string{to_string(options.route)} + "' cannot be asked for on the CPU",
                "use automatic or eigen, or choose a GPU"};
  }
  const auto alpha = static_cast<T>(options.alpha);
  const auto beta = static_cast<T>(options.beta);
  product_info info;
  info.device = cpu_name();
  info.plan.m = c.rows();
  info.plan.n = c.cols();
  info.plan.k = a.cols();
  info.plan.compute = sizeof(T) == 4 ? compute_type::fp32 : compute_type::fp64;
  info.plan.route = c.empty()                        ? product_route::nothing
                    : a.cols() == 0 || alpha == T{0} ? product_route::scaling
                                                     : product_route::eigen;
  if (info.plan.route == product_route::eigen) info.library = eigen_version();
  if (info.plan.route == product_route::nothing) return info;
  for (int run = 0; run < options.repeat; ++run) {
    const auto start = clock::now();
    host_product(a, b, c, alpha, beta);
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
