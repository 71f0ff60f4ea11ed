// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// One product for the code under linalg::product_block: operands in exactly the memory that they may touch, and the
// definition to compare with.
#pragma once

#include "linalg/cpu_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace gpuenv_test {

struct product_shape {
  std::int64_t m, n, k;
};

/// Thin, tall, prime, and either side of the widths of vectors and of Eigen's thresholds.
inline constexpr product_shape product_shapes[] = {
    {1, 1, 1},    {1, 1, 300},   {1, 97, 50},  {97, 1, 50},   {2, 3, 4},     {5, 5, 5},
    {16, 16, 16}, {17, 4, 9},    {31, 37, 41}, {48, 48, 48},  {64, 129, 33}, {3, 700, 2},
    {700, 3, 2},  {7, 11, 1500}, {49, 5, 1},   {130, 70, 90}, {251, 127, 61}};

template <class T>
class tested_product {
 public:
  using block_type = gpuenv::linalg::product_block<T>;

  /// Elements are multiples of 2^-10 in [-1, 1): nothing underflows.
  tested_product(product_shape shape, bool a_by_columns, bool b_by_columns, std::int64_t padding, T alpha, T beta_of)
      : beta{beta_of}, padding_{padding} {
    block.m = shape.m;
    block.n = shape.n;
    block.k = shape.k;
    block.alpha = alpha;
    block.a_by_columns = a_by_columns;
    block.b_by_columns = b_by_columns;
    block.a_leading = (a_by_columns ? shape.m : shape.k) + padding;
    block.b_leading = (b_by_columns ? shape.k : shape.n) + padding;
    block.c_leading = shape.m + padding;
    a_ = elements(block.a_leading, a_by_columns ? shape.k : shape.m);
    b_ = elements(block.b_leading, b_by_columns ? shape.n : shape.k);
    c_before = elements(block.c_leading, shape.n);
    restart();
  }

  /// C as it was, or filled with `value`.
  void restart() { point_to(c_before); }
  void restart_with(T value) {
    point_to(c_before);
    std::fill(c.begin(), c.end(), value);
  }
  void fill_factors(T value) {
    std::fill(a_.begin(), a_.end(), value);
    std::fill(b_.begin(), b_.end(), value);
  }

  /// Every element is within the bound of the definition, in whatever order it was summed, with fma or without: k
  /// products, their sum, the factors alpha and beta and the last sum make k + 3 roundings at most; one more is room
  /// for those of the reference, which has 11 bits or more to spare.
  [[nodiscard]] bool is_right() const {
    const long double roundings = static_cast<long double>(block.k + 4) * (std::numeric_limits<T>::epsilon() / 2);
    const long double gamma = roundings / (1 - roundings);
    for (std::int64_t j = 0; j < block.n; ++j) {
      for (std::int64_t i = 0; i < block.m; ++i) {
        long double sum = 0;
        long double size = 0;
        for (std::int64_t p = 0; p < block.k; ++p) {
          const long double product = static_cast<long double>(a_at(i, p)) * static_cast<long double>(b_at(p, j));
          sum += product;
          size += std::fabs(product);
        }
        const auto at = static_cast<std::size_t>(i + j * block.c_leading);
        const long double old = beta == T{0} ? 0.0L : static_cast<long double>(beta) * c_before[at];
        const long double error = static_cast<long double>(c[at]) - (block.alpha * sum + old);
        if (!(std::fabs(error) <= gamma * (std::fabs(static_cast<long double>(block.alpha)) * size + std::fabs(old)))) {
          return false;
        }
      }
    }
    return true;
  }

  /// What lies between the columns of C is as it was.
  [[nodiscard]] bool is_padding_intact() const {
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(c.size()); ++at) {
      const auto index = static_cast<std::size_t>(at);
      if (at % block.c_leading >= block.m && c[index] != c_before[index]) return false;
    }
    return true;
  }

  [[nodiscard]] bool has_bits_of(const std::vector<T>& other) const {
    return c.size() == other.size() && std::memcmp(c.data(), other.data(), sizeof(T) * c.size()) == 0;
  }

  block_type block{};
  T beta;
  std::vector<T> c, c_before;

 private:
  [[nodiscard]] std::vector<T> elements(std::int64_t leading, std::int64_t runs) {
    std::vector<T> result(static_cast<std::size_t>(leading * runs - padding_));  // ends with the last element
    for (T& element : result) {
      state_ = state_ * 6364136223846793005U + 1442695040888963407U;
      element = static_cast<T>(static_cast<int>(state_ >> 53) - 1024) / 1024;
    }
    return result;
  }

  void point_to(const std::vector<T>& start) {
    c = start;
    block.a = a_.data();
    block.b = b_.data();
    block.c = c.data();
  }

  [[nodiscard]] T a_at(std::int64_t i, std::int64_t p) const {
    return a_[static_cast<std::size_t>(block.a_by_columns ? i + p * block.a_leading : i * block.a_leading + p)];
  }
  [[nodiscard]] T b_at(std::int64_t p, std::int64_t j) const {
    return b_[static_cast<std::size_t>(block.b_by_columns ? p + j * block.b_leading : p * block.b_leading + j)];
  }

  std::int64_t padding_;
  std::uint64_t state_ = 1;
  std::vector<T> a_, b_;
};

/// Runs `multiply(product)` over all shapes, orders, leading dimensions and factors; the number of products that are
/// wrong or wrote beside C.
template <class T, class F>
int wrong_products(F&& multiply) {
  int wrong = 0;
  for (const product_shape& shape : product_shapes) {
    for (int order = 0; order < 4; ++order) {
      for (const std::int64_t padding : {0, 5}) {
        for (const T alpha : {T{1}, T{-0.75}}) {
          for (const T beta : {T{0}, T{1}, T{-2.5}}) {
            tested_product<T> product{shape, order % 2 == 0, order / 2 == 0, padding, alpha, beta};
            multiply(product);
            if (!product.is_right() || !product.is_padding_intact()) ++wrong;
          }
        }
      }
    }
  }
  return wrong;
}

}  // namespace gpuenv_test
