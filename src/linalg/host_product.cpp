// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Compiled with a namespace of its own for Eigen (-DEigen=...): a program's Eigen, built with other flags, never
// meets this one at link time.
#include "linalg/host_product.hpp"

#include <gpuenv/linalg/host_matrix.hpp>

#include <Eigen/Core>

#include <optional>

namespace gpuenv::inline v0::linalg {
namespace {

template <class T, int Order>
using dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Order>;
template <class T, int Order>
using mapped = Eigen::Map<dense<T, Order>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <class T, int Order>
using const_mapped = Eigen::Map<const dense<T, Order>, Eigen::Unaligned, Eigen::OuterStride<>>;

/// Eigen's product kernels want one stride of 1. A matrix without one is copied; this is the only copy made.
template <class T>
class packed {
 public:
  explicit packed(host_matrix_view<const T> m) : view_{m} {
    if (by_rows() || by_cols()) return;
    copy_ = dense_copy(m);
    view_ = std::as_const(*copy_).view();
  }

  [[nodiscard]] bool by_cols() const { return view_.row_stride() == 1; }

  /// Calls f with the Eigen map that fits.
  template <class F>
  void visit(F&& f) const {
    if (by_cols()) {
      f(const_mapped<T, Eigen::ColMajor>{view_.data(), view_.rows(), view_.cols(),
                                         Eigen::OuterStride<>{view_.col_stride()}});
    } else {
      f(const_mapped<T, Eigen::RowMajor>{view_.data(), view_.rows(), view_.cols(),
                                         Eigen::OuterStride<>{view_.row_stride()}});
    }
  }

 private:
  [[nodiscard]] bool by_rows() const { return view_.col_stride() == 1; }

  host_matrix_view<const T> view_;
  std::optional<host_matrix<T>> copy_;
};

/// c with row stride 1.
template <class T>
void into_columns(host_matrix_view<const T> a, host_matrix_view<const T> b, host_matrix_view<T> c, T alpha, T beta) {
  if (beta != T{1}) scale(c, beta);
  mapped<T, Eigen::ColMajor> out{c.data(), c.rows(), c.cols(), Eigen::OuterStride<>{c.col_stride()}};
  packed<T>{a}.visit(
      [&](const auto& left) { packed<T>{b}.visit([&](const auto& right) { out.noalias() += alpha * left * right; }); });
}

template <class T>
void product(host_matrix_view<const T> a, host_matrix_view<const T> b, host_matrix_view<T> c, T alpha, T beta) {
  if (c.empty()) return;
  if (a.cols() == 0 || alpha == T{0}) return scale(c, beta);
  if (c.row_stride() == 1) return into_columns(a, b, c, alpha, beta);
  if (c.col_stride() == 1) return into_columns(b.transposed(), a.transposed(), c.transposed(), alpha, beta);
  host_matrix<T> dense_c{c.rows(), c.cols(), storage_order::column_major};
  into_columns<T>(a, b, dense_c.view(), alpha, T{0});
  for (std::int64_t j = 0; j < c.cols(); ++j) {
    for (std::int64_t i = 0; i < c.rows(); ++i) {
      c(i, j) = beta == T{0} ? dense_c(i, j) : dense_c(i, j) + beta * c(i, j);
    }
  }
}

}  // namespace

std::string eigen_version() {
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + '.' + std::to_string(EIGEN_MAJOR_VERSION) + '.' +
         std::to_string(EIGEN_MINOR_VERSION);
}

void host_product(host_matrix_view<const float> a, host_matrix_view<const float> b, host_matrix_view<float> c,
                  float alpha, float beta) {
  product(a, b, c, alpha, beta);
}

void host_product(host_matrix_view<const double> a, host_matrix_view<const double> b, host_matrix_view<double> c,
                  double alpha, double beta) {
  product(a, b, c, alpha, beta);
}

}  // namespace gpuenv::inline v0::linalg
