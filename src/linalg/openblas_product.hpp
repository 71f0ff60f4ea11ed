// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A product through OpenBLAS.
#pragma once

#include "linalg/cpu_kernel.hpp"

namespace gpuenv::inline v0::linalg {

/// The threads that OpenBLAS will use for the calling thread: its own number, or fewer where the caller may use fewer
/// CPUs and nobody else has OpenBLAS.
[[nodiscard]] int openblas_threads();

/// c = alpha a b + beta c with openblas_library::get(), which must be usable, for sizes that fit an int.
template <class T>
void openblas_product(const product_block<T>& whole, T beta);

}  // namespace gpuenv::inline v0::linalg
