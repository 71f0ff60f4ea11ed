// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Eigen's product, compiled here, and gpuenv's, compiled elsewhere with another Eigen, in one program. The matrices
// hold small integers, so both must give the same bits.
#include <gpuenv/gpuenv.hpp>
#include <gpuenv/linalg/eigen.hpp>

#include <Eigen/Dense>

#include <iostream>

#ifndef GPUENV_TEST_OWN_EIGEN
#error "this is not the project's own Eigen"
#endif

namespace la = gpuenv::linalg;

template <class Matrix>
bool agrees(const char* type) {
  const auto integers = [](Eigen::Index rows, Eigen::Index cols, Eigen::Index step) {
    return Matrix::NullaryExpr(rows, cols,
                               [step](Eigen::Index i, Eigen::Index j) {
                                 return static_cast<typename Matrix::Scalar>((step * i + j) % 17 - 8);
                               })
        .eval();
  };
  const Matrix a = integers(150, 70, 5);
  const Matrix b = integers(70, 90, 3);
  const auto product = la::matmul(a, b, {.device = gpuenv::device_choice::cpu()});
  Matrix board = Matrix::Constant(160, 100, 7);
  la::matmul(a, b, board.block(5, 5, 150, 90), {.device = gpuenv::device_choice::cpu()});
  const Matrix expected = a * b;
  const bool same = la::as_eigen(product.value) == expected && board.block(5, 5, 150, 90) == expected;
  std::cout << type << (same ? " agrees with gpuenv\n" : " DIFFERS from gpuenv\n");
  return same;
}

int main() {
  std::cout << Eigen::SimdInstructionSetsInUse() << ", aligned to " << EIGEN_MAX_ALIGN_BYTES << '\n';
  bool right = agrees<Eigen::MatrixXf>("float");
  right &= agrees<Eigen::MatrixXd>("double");
  right &= agrees<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>("float by rows");
  return right ? 0 : 1;
}
