// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/host_plan.hpp"

#include <gpuenv/base/error.hpp>
#include "linalg/cpu_kernels.hpp"
#include "linalg/openblas_library.hpp"
#include "linalg/openblas_product.hpp"
#include "linalg/parallel.hpp"
#include "linalg/product_grid.hpp"

#include <algorithm>
#include <limits>

namespace gpuenv::inline v0::linalg {
namespace {

std::string threads_text(int threads) { return std::to_string(threads) + (threads == 1 ? " thread" : " threads"); }

bool fits_openblas(const host_request& r) noexcept {
  return std::max({r.m, r.n, r.k, r.largest_stride}) <= std::numeric_limits<int>::max();
}

host_plan through_openblas(const host_request& request) {
  const openblas_library& library = openblas_library::get();
  if (!library.usable()) throw error{errc::not_supported, "matmul: route 'openblas': " + library.problem};
  if (!fits_openblas(request)) {
    throw error{errc::not_supported, "matmul: route 'openblas': a size or stride is above 2147483647",
                "use automatic or eigen"};
  }
  const int threads = openblas_threads();
  return {product_route::openblas, threads, "OpenBLAS " + library.version + ", " + threads_text(threads), {}};
}

host_plan through_eigen(const host_request& request) {
  const std::int64_t rows = request.c_by_rows ? request.n : request.m;
  const std::int64_t cols = request.c_by_rows ? request.m : request.n;
  const int threads = grid_of(rows, cols, request.k, usable_cpus()).threads;
  return {product_route::eigen,
          threads,
          eigen_version() + ", " + std::string{to_string(chosen_cpu_level())} + ", " + threads_text(threads),
          {}};
}

/// Large products are faster through OpenBLAS; on smaller ones, where threads matter as much as arithmetic, it falls
/// behind Eigen under gpuenv's own threads: gpuenv_bench_matmul --cpu-routes compares the two. An OpenBLAS that the
/// program had loaded before is the program's: its threads may be set for other work.
host_plan automatic_plan(const host_request& request) {
  constexpr double least_multiplications = 1e10;
  const double multiplications =
      static_cast<double>(request.m) * static_cast<double>(request.n) * static_cast<double>(request.k);
  if (multiplications < least_multiplications || !fits_openblas(request)) return through_eigen(request);
  const openblas_library& library = openblas_library::get();
  if (library.usable() && library.is_ours) return through_openblas(request);
  host_plan plan = through_eigen(request);
  if (!library.usable() && library.is_asked_for) plan.note = "on Eigen: " + library.problem;
  return plan;
}

}  // namespace

host_plan plan_on_host(const host_request& request) {
  switch (request.route) {
    case product_route::automatic:
    case product_route::eigen:
    case product_route::openblas: break;
    default:
      throw error{errc::invalid_argument,
                  "matmul: route '" + std::string{to_string(request.route)} + "' cannot be asked for on the CPU",
                  "use automatic, eigen or openblas, or choose a GPU"};
  }
  if (request.m == 0 || request.n == 0) return {};
  if (request.k == 0 || !request.reads_factors) return {product_route::scaling, 1, {}, {}};
  if (request.route == product_route::openblas) return through_openblas(request);
  return request.route == product_route::eigen ? through_eigen(request) : automatic_plan(request);
}

}  // namespace gpuenv::inline v0::linalg
