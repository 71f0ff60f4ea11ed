// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/eigen.hpp>
#include <gpuenv/linalg/matmul.hpp>
#include <gpuenv/linalg/verify.hpp>
#include "support/catch.hpp"

using gpuenv::device_choice;
using namespace gpuenv::linalg;

namespace {

using row_major = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
const matmul_options on_cpu{.device = device_choice::cpu()};

/// Small integers, so that every order of summation gives the same.
template <class M>
M integers(Eigen::Index rows, Eigen::Index cols, int seed) {
  M m(rows, cols);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < cols; ++j) m(i, j) = static_cast<typename M::Scalar>((i * 7 + j * 3 + seed) % 9 - 4);
  }
  return m;
}

}  // namespace

TEST_CASE("Eigen's matrices, transposes, blocks and maps are multiplied in place", "[B79]") {
  const auto a = integers<Eigen::MatrixXf>(3, 5, 1);
  const auto b = integers<row_major>(5, 7, 2);
  const host_matrix<float> c = matmul(a, b, on_cpu).value;
  CHECK(as_eigen(c) == (a * b).eval());
  const host_matrix<float> d = matmul(b.transpose(), a.transpose(), on_cpu).value;
  CHECK(as_eigen(d) == (a * b).transpose().eval());
}

TEST_CASE("A view of an Eigen object has its memory and its strides") {
  Eigen::MatrixXf m = integers<Eigen::MatrixXf>(4, 6, 1);
  const host_matrix_view<float> v = m;
  CHECK(v.data() == m.data());
  CHECK(v.row_stride() == 1);
  CHECK(v.col_stride() == 4);
  row_major r = integers<row_major>(4, 6, 1);
  const host_matrix_view<const float> w = r;
  CHECK(w.row_stride() == 6);
  CHECK(w.col_stride() == 1);
  const host_matrix_view<const float> t = m.transpose();
  CHECK(t.rows() == 6);
  CHECK(t(5, 3) == m(3, 5));
  const host_matrix_view<float> corner = m.block(1, 2, 2, 3);
  CHECK(corner(1, 2) == m(2, 4));
}

TEST_CASE("Blocks, strided maps and vectors of Eigen multiply like their copies", "[B79]") {
  const auto big = integers<Eigen::MatrixXd>(12, 14, 3);
  const auto right = integers<Eigen::MatrixXd>(9, 8, 4);
  const auto block = big.block(1, 2, 6, 5);
  const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> strided{
      right.data(), 5, 3, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>{18, 1}};
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(6, 3);
  matmul(block, strided, c, on_cpu);
  CHECK(c == (block * strided).eval());
  Eigen::VectorXd y = Eigen::VectorXd::Zero(6);
  const Eigen::VectorXd x = integers<Eigen::MatrixXd>(5, 1, 5);
  matmul(block, x, y, on_cpu);
  CHECK(y == (block * x).eval());
}

TEST_CASE("Results are seen by Eigen without a copy, and writing goes through") {
  host_matrix<float> m{2, 3, storage_order::column_major};
  as_eigen(m)(1, 2) = 8;
  CHECK(m(1, 2) == 8.0F);
  CHECK(as_eigen(m).data() == m.data());
  const auto& constant = m;
  CHECK(as_eigen(constant).sum() == 8.0F);
}

TEST_CASE("Eigen's operands are verified as they are") {
  const Eigen::MatrixXf a = Eigen::MatrixXf::Random(30, 40);
  const Eigen::MatrixXf b = Eigen::MatrixXf::Random(40, 20);
  const Eigen::MatrixXf c = a * b;
  CHECK(verify({.a = a, .b = b}, c).passed());
  Eigen::MatrixXf wrong = c;
  wrong(3, 3) += 1;
  CHECK_FALSE(verify({.a = a, .b = b}, wrong).passed());
}
