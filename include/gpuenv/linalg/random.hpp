// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Random matrices that are the same on every device: element (i, j) depends on the seed, the stream number and
// i * cols + j alone (Philox4x32-10, Salmon et al. 2011), not on memory order, thread count or GPU.
#pragma once

#include <gpuenv/linalg/host_matrix.hpp>
#include <gpuenv/linalg/matrix_view.hpp>

#include <cstdint>

namespace gpuenv::inline v0::linalg {

enum class distribution {
  uniform,  ///< [0, 1), every value a multiple of 2^-24 (float) or 2^-53 (double)
  normal,   ///< mean 0, variance 1, by the inverse of the normal distribution function (Wichura's AS241)
};

struct random_options {
  distribution values = distribution::normal;
  std::uint64_t seed = 0;
  std::uint64_t sequence = 0;  ///< independent matrices of one seed: 0 for A, 1 for B, ...
};

GPUENV_EXPORT void fill_random(host_matrix_view<float> m, const random_options& options = {});
GPUENV_EXPORT void fill_random(host_matrix_view<double> m, const random_options& options = {});

/// A new row-major host matrix with random elements.
template <class T>
[[nodiscard]] host_matrix<T> random_matrix(std::int64_t rows, std::int64_t cols, const random_options& options = {}) {
  host_matrix<T> m{rows, cols};
  fill_random(m.view(), options);
  return m;
}

}  // namespace gpuenv::inline v0::linalg
