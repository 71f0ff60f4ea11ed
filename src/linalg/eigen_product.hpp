// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Eigen's product on all cores: blocks of C, each computed by one thread with the kernel of one instruction set.
#pragma once

#include "linalg/cpu_kernels.hpp"
#include "linalg/product_grid.hpp"

namespace gpuenv::inline v0::linalg {

/// c = alpha a b + beta c, cut as `grid` says; beta = 0 never reads c.
template <class T>
void eigen_product(const cpu_kernels& kernels, const product_grid& grid, const product_block<T>& whole, T beta);

}  // namespace gpuenv::inline v0::linalg
