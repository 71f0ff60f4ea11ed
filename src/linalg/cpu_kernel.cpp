// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Eigen's product, compiled once for each instruction set, with a namespace of its own for Eigen (-DEigen=...) and for
// the entry (GPUENV_CPU_NAMESPACE). What these objects define must bear one of the two names: a weak symbol under any
// other name would be merged with its baseline twin. tests/package/cpu_symbols.cmake looks.
#include "linalg/cpu_kernel.hpp"

#include <Eigen/Core>

namespace gpuenv::inline v0::linalg::GPUENV_CPU_NAMESPACE {
namespace {

template <class T, int Order>
using const_mapped =
    Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Order>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <class T>
using mapped = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, Eigen::Unaligned, Eigen::OuterStride<>>;

template <int LeftOrder, int RightOrder, class T>
void run(const product_block<T>& p) {
  const const_mapped<T, LeftOrder> a{p.a, p.m, p.k, Eigen::OuterStride<>{p.a_leading}};
  const const_mapped<T, RightOrder> b{p.b, p.k, p.n, Eigen::OuterStride<>{p.b_leading}};
  mapped<T> c{p.c, p.m, p.n, Eigen::OuterStride<>{p.c_leading}};
  c.noalias() += p.alpha * a * b;
}

template <class T>
void run(const product_block<T>& p) {
  if (p.a_by_columns) {
    p.b_by_columns ? run<Eigen::ColMajor, Eigen::ColMajor>(p) : run<Eigen::ColMajor, Eigen::RowMajor>(p);
  } else {
    p.b_by_columns ? run<Eigen::RowMajor, Eigen::ColMajor>(p) : run<Eigen::RowMajor, Eigen::RowMajor>(p);
  }
}

}  // namespace

void multiply(const product_block<float>& block) { run(block); }
void multiply(const product_block<double>& block) { run(block); }

}  // namespace gpuenv::inline v0::linalg::GPUENV_CPU_NAMESPACE
