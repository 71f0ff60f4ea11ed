// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/eigen_product.hpp"

#include "linalg/parallel.hpp"

namespace gpuenv::inline v0::linalg {
namespace {

/// c = beta c, where beta = 0 writes zeros over anything, NaN included.
template <class T>
void scale_columns(const product_block<T>& block, T beta) {
  if (beta == T{1}) return;
  for (std::int64_t j = 0; j < block.n; ++j) {
    T* column = block.c + j * block.c_leading;
    for (std::int64_t i = 0; i < block.m; ++i) column[i] = beta == T{0} ? T{0} : beta * column[i];
  }
}

template <class T>
product_block<T> part_of(const product_block<T>& whole, index_range rows, index_range cols) {
  product_block<T> part = whole;
  part.a += rows.begin * (whole.a_by_columns ? 1 : whole.a_leading);
  part.b += cols.begin * (whole.b_by_columns ? whole.b_leading : 1);
  part.c += rows.begin + cols.begin * whole.c_leading;
  part.m = rows.size();
  part.n = cols.size();
  return part;
}

}  // namespace

template <class T>
void eigen_product(const cpu_kernels& kernels, const product_grid& grid, const product_block<T>& whole, T beta) {
  for_each_block(grid.blocks(), grid.threads, [&](std::int64_t block) {
    const product_block<T> part = part_of(whole, grid.rows(block), grid.cols(block));
    scale_columns(part, beta);
    kernels(part);
  });
}
template void eigen_product(const cpu_kernels&, const product_grid&, const product_block<float>&, float);
template void eigen_product(const cpu_kernels&, const product_grid&, const product_block<double>&, double);

}  // namespace gpuenv::inline v0::linalg
