// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Matrices for tests: layouts, a product that nobody can doubt, and bit-for-bit comparison.
#pragma once

#include <gpuenv/linalg/host_matrix.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace gpuenv_test {

using gpuenv::linalg::host_matrix;
using gpuenv::linalg::host_matrix_view;

/// A matrix inside a larger block of memory: some elements before it, and a leading dimension with room. Everything
/// that is not an element holds `guard`, and `guards_intact` says whether it still does.
template <class T>
class padded_matrix {
 public:
  padded_matrix(std::int64_t rows, std::int64_t cols, bool row_major, std::int64_t padding = 3, std::int64_t offset = 1)
      : rows_{rows},
        cols_{cols},
        row_major_{row_major},
        leading_{(row_major ? cols : rows) + padding},
        offset_{offset},
        memory_(static_cast<std::size_t>(offset + leading_ * (row_major ? rows : cols) + 1), guard) {}

  [[nodiscard]] host_matrix_view<T> view() {
    T* first = memory_.data() + offset_;
    return row_major_ ? host_matrix_view<T>::row_major(first, rows_, cols_, leading_)
                      : host_matrix_view<T>::column_major(first, rows_, cols_, leading_);
  }

  [[nodiscard]] bool guards_intact() {
    std::vector<bool> is_element(memory_.size(), false);
    const auto v = view();
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t j = 0; j < cols_; ++j) is_element[static_cast<std::size_t>(&v(i, j) - memory_.data())] = true;
    }
    for (std::size_t at = 0; at < memory_.size(); ++at) {
      if (!is_element[at] && memory_[at] != guard) return false;
    }
    return true;
  }

 private:
  static constexpr T guard = T{-12345};
  std::int64_t rows_, cols_;
  bool row_major_;
  std::int64_t leading_, offset_;
  std::vector<T> memory_;
};

/// The eight layouts that A, B and C can have between them: true is row-major.
inline constexpr std::array<std::array<bool, 3>, 8> all_layouts{{{false, false, false},
                                                                 {false, false, true},
                                                                 {false, true, false},
                                                                 {false, true, true},
                                                                 {true, false, false},
                                                                 {true, false, true},
                                                                 {true, true, false},
                                                                 {true, true, true}}};

/// Small integers: every product and sum of them is exact in float, in any order.
template <class T>
void fill_integers(host_matrix_view<T> m, int seed) {
  for (std::int64_t i = 0; i < m.rows(); ++i) {
    for (std::int64_t j = 0; j < m.cols(); ++j) {
      m(i, j) = static_cast<T>((static_cast<int>(i) * 7 + static_cast<int>(j) * 13 + seed * 5) % 11 - 5);
    }
  }
}

/// alpha a b + beta c0, element by element as the definition says; exact for small integers.
template <class T>
host_matrix<T> product_by_definition(host_matrix_view<const T> a, host_matrix_view<const T> b, T alpha, T beta,
                                     host_matrix_view<const T> c0) {
  host_matrix<T> c{a.rows(), b.cols()};
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    for (std::int64_t j = 0; j < b.cols(); ++j) {
      T sum = 0;
      for (std::int64_t p = 0; p < a.cols(); ++p) sum += a(i, p) * b(p, j);
      c(i, j) = alpha * sum + (beta == T{0} ? T{0} : beta * c0(i, j));
    }
  }
  return c;
}

/// Equal element by element, NaN never.
template <class X, class Y>
bool equal(const X& x, const Y& y) {
  if (x.rows() != y.rows() || x.cols() != y.cols()) return false;
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    for (std::int64_t j = 0; j < x.cols(); ++j) {
      if (!(x(i, j) == y(i, j))) return false;
    }
  }
  return true;
}

/// Equal bit by bit: tells 0 from -0 and one NaN from another.
template <class X, class Y>
bool same_bits(const X& x, const Y& y) {
  if (x.rows() != y.rows() || x.cols() != y.cols()) return false;
  const auto v = gpuenv::linalg::detail::view_of(x);
  const auto w = gpuenv::linalg::detail::view_of(y);
  const bool by_rows = v.col_stride() == 1 && w.col_stride() == 1 && x.cols() > 0;
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    if (by_rows) {
      if (std::memcmp(&v(i, 0), &w(i, 0), sizeof(v(i, 0)) * static_cast<std::size_t>(x.cols())) != 0) return false;
      continue;
    }
    for (std::int64_t j = 0; j < x.cols(); ++j) {
      if (std::memcmp(&v(i, j), &w(i, j), sizeof(v(i, j))) != 0) return false;
    }
  }
  return true;
}

}  // namespace gpuenv_test
