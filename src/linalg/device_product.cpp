// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/device_matmul.hpp>
#include "linalg/cublas.hpp"
#include "linalg/cublas_library.hpp"
#include "linalg/product_checks.hpp"
#include "linalg/strided_view.hpp"
#include "tiled_matmul.hpp"

#include <optional>

namespace gpuenv::inline v0::linalg {
namespace {

/// A matrix as BLAS takes it: one stride must be 1. The stride of a single row or column is free to be anything.
template <class T>
std::optional<blas_operand<T>> as_blas(const device_matrix_view<T>& m) {
  if (m.row_stride() == 1 || m.rows() <= 1) {
    const std::int64_t apart = m.cols() > 1 ? m.col_stride() : std::max<std::int64_t>(1, m.rows());
    if (apart >= m.rows()) return blas_operand<T>{m.data(), std::max<std::int64_t>(1, apart), false};
  }
  if (m.col_stride() == 1 || m.cols() <= 1) {
    const std::int64_t apart = m.rows() > 1 ? m.row_stride() : std::max<std::int64_t>(1, m.cols());
    if (apart >= m.cols()) return blas_operand<T>{m.data(), std::max<std::int64_t>(1, apart), true};
  }
  return std::nullopt;
}

/// The product in BLAS's terms. A row-major C is computed as its transpose, C^T = B^T A^T, without moving anything.
template <class T>
struct blas_form {
  blas_product<T> product;
  bool as_transpose = false;
};

template <class T>
std::optional<blas_form<T>> in_blas_form(device_matrix_view<const T> a, device_matrix_view<const T> b,
                                         device_matrix_view<T> c, T alpha, T beta) {
  auto target = as_blas(c);
  if (!target) return std::nullopt;
  const bool as_transpose = target->transposed;
  if (as_transpose) {
    std::swap(a, b);
    a = a.transposed();
    b = b.transposed();
    c = c.transposed();
    target->transposed = false;
  }
  const auto left = as_blas(a);
  const auto right = as_blas(b);
  if (!left || !right) return std::nullopt;
  return blas_form<T>{{c.rows(), c.cols(), a.cols(), alpha, beta, *left, *right, *target}, as_transpose};
}

/// Everything that is decided before anything is enqueued.
template <class T>
struct decision {
  product_plan plan;
  std::optional<blas_form<T>> blas;
};

template <class T>
decision<T> decide(device_matrix_view<const T> a, device_matrix_view<const T> b, device_matrix_view<T> c,
                   const device_matmul_options& options, const std::source_location& where) {
  const operand left = describe("a", a);
  const operand right = describe("b", b);
  const operand target = describe("c", c);
  check_shapes(left, right, target, where);
  check_overlap(left, right, target, where);
  if (options.route == product_route::eigen || options.route == product_route::openblas ||
      options.route == product_route::scaling || options.route == product_route::nothing) {
    throw error{errc::invalid_argument,
                "matmul: route '" + std::string{to_string(options.route)} + "' cannot be asked for on a GPU",
                "use automatic, cublas or tiled", recovery::possible, where};
  }

  decision<T> result;
  product_plan& plan = result.plan;
  plan.m = c.rows();
  plan.n = c.cols();
  plan.k = a.cols();
  plan.compute = sizeof(T) == 4 ? compute_type::fp32 : compute_type::fp64;
  const auto alpha = checked_factor<T>(options.alpha, "alpha", where);
  const auto beta = checked_factor<T>(options.beta, "beta", where);
  if (c.empty()) return result;
  if (plan.k == 0 || alpha == T{0}) {
    plan.route = product_route::scaling;
    return result;
  }
  plan.route = product_route::tiled;
  if (options.route == product_route::tiled) return result;
  result.blas = in_blas_form(a, b, c, alpha, beta);
  const bool demanded = options.route == product_route::cublas;
  if (demanded && !result.blas) {
    throw error{errc::not_supported, "matmul: cuBLAS needs matrices with one stride of 1, and an operand has none",
                "use route automatic or tiled, or copy that operand", recovery::possible, where};
  }
  if (!result.blas) return result;
  const cublas_library& library = cublas_library::get();
  if (demanded && !library.usable()) {
    throw error{errc::not_supported, "matmul: cuBLAS was asked for: " + library.problem, "use route automatic or tiled",
                recovery::possible, where};
  }
  if (!library.usable()) return result;
  plan.route = product_route::cublas;
  plan.as_transpose = result.blas->as_transpose;
  plan.transpose_left = result.blas->product.left.transposed;
  plan.transpose_right = result.blas->product.right.transposed;
  return result;
}

template <class T>
product_plan run(device_matrix_view<const T> a, device_matrix_view<const T> b, device_matrix_view<T> c,
                 cuda::stream_ref stream, const device_matmul_options& options, const std::source_location& where) {
  const decision<T> decided = decide(a, b, c, options, where);
  switch (decided.plan.route) {
    case product_route::nothing: break;
    case product_route::cublas: cublas_product(decided.blas->product, stream, where); break;
    default: {
      const cuda::device_guard guard{stream.device()};
      cuda::check(kernels::tiled_matmul(static_cast<T>(options.alpha), as_strided(a), as_strided(b),
                                        static_cast<T>(options.beta), as_strided(c), stream.get()),
                  "launch the tiled product", stream.device(), where);
    }
  }
  return decided.plan;
}

}  // namespace

void detail::check_on_device(std::optional<cuda::device_ref> memory, const cuda::stream_hold& stream,
                             const char* operand, const std::source_location& where) {
  if (!memory || *memory == stream.ref().device()) return;
  throw error{errc::invalid_argument,
              std::string{"matmul: "} + operand + " lies on " + to_string(*memory) + ", the stream belongs to " +
                  to_string(stream.ref().device()),
              "use a stream of the operands' device, or copy the operand there", recovery::possible, where};
}

product_plan matmul(device_matrix_view<const float> a, device_matrix_view<const float> b, device_matrix_view<float> c,
                    cuda::stream_ref stream, const device_matmul_options& options, std::source_location where) {
  return run(a, b, c, stream, options, where);
}

product_plan matmul(device_matrix_view<const double> a, device_matrix_view<const double> b,
                    device_matrix_view<double> c, cuda::stream_ref stream, const device_matmul_options& options,
                    std::source_location where) {
  return run(a, b, c, stream, options, where);
}

product_plan plan(device_matrix_view<const float> a, device_matrix_view<const float> b, device_matrix_view<float> c,
                  const device_matmul_options& options, std::source_location where) {
  return decide(a, b, c, options, where).plan;
}

product_plan plan(device_matrix_view<const double> a, device_matrix_view<const double> b, device_matrix_view<double> c,
                  const device_matmul_options& options, std::source_location where) {
  return decide(a, b, c, options, where).plan;
}

}  // namespace gpuenv::inline v0::linalg
