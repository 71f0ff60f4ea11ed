// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Eigen's matrices, maps and blocks go into a gpuenv product where they lie, and the product comes back as an Eigen
// map: pointers and strides are handed over, no element is copied on the host.
#include <gpuenv/gpuenv.hpp>
#include <gpuenv/linalg/eigen.hpp>

#include <Eigen/Dense>

#include <iostream>
#include <limits>
#include <vector>

namespace la = gpuenv::linalg;
using row_major = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

/// Two right products differ by roundings: by at most k epsilon |A||B|, whatever the order of the sums.
template <class A, class B, class C>
bool agrees(const char* what, const A& a, const B& b, const C& c) {
  const float roundings = static_cast<float>(a.cols()) * std::numeric_limits<float>::epsilon();
  const Eigen::MatrixXf allowed = roundings * (a.cwiseAbs() * b.cwiseAbs());
  const bool same = ((c - a * b).cwiseAbs().array() <= allowed.array()).all();
  std::cout << what << (same ? " agrees with Eigen\n" : " DIFFERS from Eigen\n");
  return same;
}

int main() try {
  // 1. Two memory orders in one product. `value` owns the result, as_eigen looks at it.
  const row_major a = row_major::Random(60, 40);
  const Eigen::MatrixXf b = Eigen::MatrixXf::Random(40, 50);
  const auto product = la::matmul(a, b);
  bool right = agrees("row-major * column-major", a, b, la::as_eigen(product.value));

  // 2. A matrix inside another program's memory: every second column of rows that are 100 floats apart.
  std::vector<float> memory(60 * 100, 0.5F);
  const Eigen::Map<const row_major, Eigen::Unaligned, strides> strided{memory.data(), 60, 40, strides{100, 2}};
  const auto from_map = la::matmul(strided, b);
  right &= agrees("a map with strides", strided, b, la::as_eigen(from_map.value));

  // 3. Blocks in, a block out: the product lands in the middle of `board`; what lies around it stays as it is.
  Eigen::MatrixXf board = Eigen::MatrixXf::Constant(100, 100, 7);
  la::matmul(a.block(10, 0, 30, 40), b.leftCols(20), board.block(5, 5, 30, 20));
  right &= agrees("block * block into a block", a.block(10, 0, 30, 40), b.leftCols(20), board.block(5, 5, 30, 20));
  right &= (board.row(4).array() == 7).all() && (board.col(25).array() == 7).all();

  // 4. A transpose is a swap of strides.
  const auto gram = la::matmul(a.transpose(), a);
  right &= agrees("transpose * matrix", a.transpose(), a, la::as_eigen(gram.value));

  std::cout << gram.info << '\n';
  return right ? 0 : 1;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 2;
}
