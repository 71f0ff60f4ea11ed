// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/host_product.hpp"

#include <gpuenv/linalg/host_matrix.hpp>
#include "linalg/cpu_kernels.hpp"
#include "linalg/eigen_product.hpp"
#include "linalg/openblas_product.hpp"
#include "linalg/product_grid.hpp"

#include <optional>

namespace gpuenv::inline v0::linalg {
namespace {

/// The product kernels want one stride of 1. A matrix without one is copied; this is the only copy made.
template <class T>
class packed {
 public:
  explicit packed(host_matrix_view<const T> m) : view_{m} {
    if (m.row_stride() == 1 || m.col_stride() == 1) return;
    copy_ = dense_copy(m);
    view_ = std::as_const(*copy_).view();
  }

  [[nodiscard]] const T* data() const { return view_.data(); }
  [[nodiscard]] bool by_columns() const { return view_.row_stride() == 1; }
  [[nodiscard]] std::int64_t leading() const { return by_columns() ? view_.col_stride() : view_.row_stride(); }

 private:
  host_matrix_view<const T> view_;
  std::optional<host_matrix<T>> copy_;
};

/// c = beta c, where beta = 0 writes zeros over anything, NaN included.
template <class T>
void scale(host_matrix_view<T> c, T beta) {
  for (std::int64_t i = 0; i < c.rows(); ++i) {
    for (std::int64_t j = 0; j < c.cols(); ++j) c(i, j) = beta == T{0} ? T{0} : beta * c(i, j);
  }
}

/// c with row stride 1.
template <class T>
void into_columns(const host_plan& plan, host_matrix_view<const T> a, host_matrix_view<const T> b,
                  host_matrix_view<T> c, T alpha, T beta) {
  const packed<T> left{a};
  const packed<T> right{b};
  product_block<T> whole{};
  whole.a = left.data();
  whole.b = right.data();
  whole.c = c.data();
  whole.a_leading = left.leading();
  whole.b_leading = right.leading();
  whole.c_leading = c.col_stride();
  whole.a_by_columns = left.by_columns();
  whole.b_by_columns = right.by_columns();
  whole.m = c.rows();
  whole.n = c.cols();
  whole.k = a.cols();
  whole.alpha = alpha;
  if (plan.route == product_route::openblas) return openblas_product(whole, beta);
  const product_grid grid = grid_of(whole.m, whole.n, whole.k, plan.threads);
  eigen_product(cpu_kernels::of(chosen_cpu_level()), grid, whole, beta);
}

template <class T>
void product(const host_plan& plan, host_matrix_view<const T> a, host_matrix_view<const T> b, host_matrix_view<T> c,
             T alpha, T beta) {
  if (plan.route == product_route::nothing) return;
  if (plan.route == product_route::scaling) return scale(c, beta);
  if (c.row_stride() == 1) return into_columns(plan, a, b, c, alpha, beta);
  if (c.col_stride() == 1) return into_columns(plan, b.transposed(), a.transposed(), c.transposed(), alpha, beta);
  host_matrix<T> dense_c{c.rows(), c.cols(), storage_order::column_major};
  into_columns<T>(plan, a, b, dense_c.view(), alpha, T{0});
  for (std::int64_t j = 0; j < c.cols(); ++j) {
    for (std::int64_t i = 0; i < c.rows(); ++i) {
      c(i, j) = beta == T{0} ? dense_c(i, j) : dense_c(i, j) + beta * c(i, j);
    }
  }
}

}  // namespace

void host_product(const host_plan& plan, host_matrix_view<const float> a, host_matrix_view<const float> b,
                  host_matrix_view<float> c, float alpha, float beta) {
  product(plan, a, b, c, alpha, beta);
}

void host_product(const host_plan& plan, host_matrix_view<const double> a, host_matrix_view<const double> b,
                  host_matrix_view<double> c, double alpha, double beta) {
  product(plan, a, b, c, alpha, beta);
}

}  // namespace gpuenv::inline v0::linalg
