// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The portable product's way through a GPU. Without CUDA in the build there is none, and `try_gpu` says so.
#pragma once

#include <gpuenv/linalg/matmul.hpp>

#include <optional>
#include <string>

namespace gpuenv::inline v0::linalg {

/// Runs the product on the GPU that the options choose. Empty when they leave the choice and no GPU is usable: `why`
/// then holds the reason. @throws error when a GPU is demanded and cannot be used, or fails.
template <class T>
[[nodiscard]] std::optional<product_info> try_gpu(host_matrix_view<const T> a, host_matrix_view<const T> b,
                                                  host_matrix_view<T> c, const matmul_options& options,
                                                  std::string& why);

}  // namespace gpuenv::inline v0::linalg
