// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/product_checks.hpp"

#include <algorithm>
#include <cstdint>

namespace gpuenv::inline v0::linalg {
namespace {

/// A matrix as runs of neighbouring elements: `runs` runs of `length` elements, `pitch` elements apart; `strided` when
/// neither rows nor columns are such runs.
struct runs_of {
  std::int64_t runs, length, pitch;
  bool strided;
};

runs_of as_runs(const operand& m) {
  const bool by_rows = m.col_stride == 1 || m.cols == 1;
  const bool by_cols = m.row_stride == 1 || m.rows == 1;
  if (by_rows && (!by_cols || m.row_stride >= m.col_stride)) return {m.rows, m.cols, m.row_stride, false};
  if (by_cols) return {m.cols, m.rows, m.col_stride, false};
  return {m.rows, m.cols, m.row_stride, true};
}

std::int64_t last_element(const operand& m) { return (m.rows - 1) * m.row_stride + (m.cols - 1) * m.col_stride; }

}  // namespace

std::string shape_text(const operand& m) { return std::to_string(m.rows) + 'x' + std::to_string(m.cols); }

bool share_memory(const operand& x, const operand& y) {
  if (x.rows == 0 || x.cols == 0 || y.rows == 0 || y.cols == 0) return false;
  const auto first_x = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(x.data));
  const auto first_y = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(y.data));
  if (first_x > first_y) return share_memory(y, x);
  const std::int64_t end_x = first_x + (last_element(x) + 1) * x.element_bytes;
  if (first_y >= end_x) return false;

  const runs_of rx = as_runs(x);
  const runs_of ry = as_runs(y);
  const std::int64_t distance = first_y - first_x;
  const bool one_grid = !rx.strided && !ry.strided && rx.runs > 1 && (ry.runs == 1 || rx.pitch == ry.pitch) &&
                        x.element_bytes == y.element_bytes && distance % x.element_bytes == 0;
  if (!one_grid) return true;
  // On x's grid of rows of `pitch` elements, y begins in grid row `row` at column `column`.
  const std::int64_t row = distance / x.element_bytes / rx.pitch;
  const std::int64_t column = distance / x.element_bytes % rx.pitch;
  if (ry.runs == 1 && column + ry.length > rx.pitch) return true;  // one run over several grid rows
  const bool meets_here = column < rx.length && row < rx.runs;
  // The part of y's runs that passes the end of a grid row lies at the beginning of the next.
  const bool meets_next = column + ry.length > rx.pitch && row + 1 < rx.runs;
  return meets_here || meets_next;
}

void check_shapes(const operand& a, const operand& b, const operand& c, const std::source_location& where) {
  if (a.cols == b.rows && c.rows == a.rows && c.cols == b.cols) return;
  std::string hint = "a (m x k) times b (k x n) gives c (m x n)";
  if (a.cols != b.rows && a.rows == b.rows) hint += "; was a.transposed() meant?";
  if (a.cols != b.rows && a.cols == b.cols) hint += "; was b.transposed() meant?";
  throw error{errc::shape_mismatch,
              std::string{"matmul: "} + a.name + " is " + shape_text(a) + ", " + b.name + " is " + shape_text(b) +
                  ", " + c.name + " is " + shape_text(c),
              std::move(hint), recovery::possible, where};
}

void check_same_shape(const operand& x, const operand& y, const std::source_location& where) {
  if (x.rows == y.rows && x.cols == y.cols) return;
  throw error{errc::shape_mismatch,
              std::string{x.name} + " is " + shape_text(x) + ", " + y.name + " is " + shape_text(y),
              "both need the same shape", recovery::possible, where};
}

void check_overlap(const operand& a, const operand& b, const operand& c, const std::source_location& where) {
  for (const operand* input : {&a, &b}) {
    if (!share_memory(*input, c)) continue;
    throw error{errc::overlap,
                std::string{"matmul: output "} + c.name + " (" + shape_text(c) + ") shares memory with input " +
                    input->name + " (" + shape_text(*input) + ')',
                "write into a matrix of its own", recovery::possible, where};
  }
}

}  // namespace gpuenv::inline v0::linalg
