// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Freivalds' check on the CPU, for a range of rows, and the parts of it that the GPU shares.
///
/// To check C = A B without making the product again, multiply both sides by a random vector x of +1 and -1: C x and
/// A (B x) cost a few N^2 operations instead of 2 N^3, and a row in which C is wrong shows it with probability at least
/// one half for each vector (R. Freivalds, "Probabilistic machines can use less running time", IFIP 1977). Here for C =
/// alpha A B + beta C0 and up to 32 vectors at once:
///
///     Y = B X                                        sign_product      K x count
///     R = alpha A Y + beta C0 X - C X                residual          M x count; zero but for rounding if C is right
///     for each row: sums of squares and of |x|       row_sums          what R is measured against
///
/// in FP64 for float, in double-double for double. Each sum runs in the order of its index in one accumulator, here as
/// on the GPU, so both give the same bits.

#include "double_double.hpp"
#include "host_device.hpp"
#include "product_problem.hpp"
#include "rounded.hpp"
#include "sign_vectors.hpp"
#include "strided.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gpuenv::kernels {

/// What thresholds need to know of one row.
struct row_sum {
  double squares;           ///< sum of x^2; Inf or NaN if there is one in the row, Inf also if it overflows
  double magnitudes;        ///< sum of |x|, likewise
  std::int64_t non_finite;  ///< Infs and NaNs: with any in A, B, C0 or C, the residual proves nothing
};

GPUENV_HD inline void add_element(row_sum& sum, double x) {
  sum.squares = fma_rn(x, x, sum.squares);
  sum.magnitudes = add_rn(sum.magnitudes, std::fabs(x));
  sum.non_finite += x - x == 0 ? 0 : 1;
}

/// The matrix factor * X^T (count x length) of sign vectors, made from their words when asked for.
template <class Value>
struct sign_operand {
  const std::uint32_t* words;
  std::int64_t rows, cols;  ///< count, length
  double factor;

  GPUENV_HD bool is_row_major() const { return false; }  // neighbouring vectors share a word
  GPUENV_HD Value operator()(std::int64_t vector, std::int64_t j) const {
    return from_double<Value>(factor * sign(words[j], static_cast<int>(vector)));
  }
};

namespace host {

inline constexpr int row_block = 16;  ///< rows at a time: a cache line of a column-major float matrix

template <class Sum>
struct row_block_sums {
  Sum at[row_block][max_sign_vectors];
};

/// sums[i][v] += sum over k of left(first_row + i, k) * right_transposed(v, k), in order of k.
template <class Sum, class T, class Right>
void add_rows_product(row_block_sums<Sum>& sums, const strided<const T>& left, const Right& right_transposed,
                      std::int64_t first_row, std::int64_t rows) {
  for (std::int64_t k = 0; k < left.cols; ++k) {
    Sum right[max_sign_vectors];
    for (std::int64_t v = 0; v < right_transposed.rows; ++v) right[v] = right_transposed(v, k);
    for (std::int64_t i = 0; i < rows; ++i) {
      const double x = left(first_row + i, k);
      for (std::int64_t v = 0; v < right_transposed.rows; ++v) accumulate(sums.at[i][v], x, right[v]);
    }
  }
}

/// Calls use(first_row, rows) for blocks of rows from `begin` up to `end`.
template <class Use>
void for_each_row_block(std::int64_t begin, std::int64_t end, Use use) {
  for (std::int64_t row = begin; row < end; row += row_block) use(row, std::min<std::int64_t>(row_block, end - row));
}

/// Rows begin to end of Y = B X; y is row-major, `count` wide, and starts at row 0.
template <class T>
void sign_product(strided<const T> b, const std::uint32_t* words, int count, wide<T>* y, std::int64_t begin,
                  std::int64_t end) {
  const sign_operand<wide<T>> signs{words, count, b.cols, 1};
  for_each_row_block(begin, end, [&](std::int64_t first_row, std::int64_t rows) {
    row_block_sums<wide<T>> sums{};
    add_rows_product(sums, b, signs, first_row, rows);
    for (std::int64_t i = 0; i < rows; ++i) std::copy_n(sums.at[i], count, y + (first_row + i) * count);
  });
}

/// Rows begin to end of R = alpha A Y + beta C0 X - C X; r is row-major, `count` wide, and starts at row 0.
template <class T>
void residual(const product_problem<T>& problem, strided<const T> c, const std::uint32_t* words, int count,
              const wide<T>* y, double* r, std::int64_t begin, std::int64_t end) {
  const strided<const wide<T>> y_transposed{y, count, problem.a.cols, 1, count};
  for_each_row_block(begin, end, [&](std::int64_t first_row, std::int64_t rows) {
    row_block_sums<wide<T>> sums{};
    if (problem.reads_factors()) {
      add_rows_product(sums, problem.a, y_transposed, first_row, rows);
      for (auto& row : sums.at) {
        for (auto& sum : row) sum = scaled(sum, problem.alpha);
      }
    }
    if (problem.reads_c0()) {
      add_rows_product(sums, problem.c0, sign_operand<wide<T>>{words, count, c.cols, problem.beta}, first_row, rows);
    }
    add_rows_product(sums, c, sign_operand<wide<T>>{words, count, c.cols, -1}, first_row, rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (int v = 0; v < count; ++v) r[(first_row + i) * count + v] = to_double(sums.at[i][v]);
    }
  });
}

/// The sums of rows begin to end; sums starts at row 0.
template <class T>
void row_sums(strided<const T> matrix, row_sum* sums, std::int64_t begin, std::int64_t end) {
  for_each_row_block(begin, end, [&](std::int64_t first_row, std::int64_t rows) {
    std::fill_n(sums + first_row, rows, row_sum{});
    for (std::int64_t j = 0; j < matrix.cols; ++j) {
      for (std::int64_t i = 0; i < rows; ++i) add_element(sums[first_row + i], matrix(first_row + i, j));
    }
  });
}

/// Words begin to end of the sign vectors.
inline void sign_words(std::uint32_t* words, std::uint64_t seed, std::uint64_t stream_id, std::int64_t begin,
                       std::int64_t end) {
  for (std::int64_t j = begin; j < end; ++j) words[j] = sign_word(seed, stream_id, j);
}

}  // namespace host
}  // namespace gpuenv::kernels
