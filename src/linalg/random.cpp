// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Compiled with -ffp-contract=off: every rounding is the GPU's.
#include <gpuenv/linalg/random.hpp>
#include "linalg/parallel.hpp"
#include "random_value.hpp"

namespace gpuenv::inline v0::linalg {
namespace {

template <class T>
void fill(host_matrix_view<T> m, const random_options& options) {
  const auto kind =
      options.values == distribution::uniform ? kernels::distribution::uniform : kernels::distribution::normal;
  if (m.empty()) return;
  constexpr std::int64_t rows_per_block = 16;
  for_each_block((m.rows() - 1) / rows_per_block + 1, [&](std::int64_t block) {
    const std::int64_t end = std::min(m.rows(), (block + 1) * rows_per_block);
    for (std::int64_t i = block * rows_per_block; i < end; ++i) {
      for (std::int64_t j = 0; j < m.cols(); ++j) {
        m(i, j) = kernels::random_value<T>(kind, options.seed, options.sequence,
                                           static_cast<std::uint64_t>(i * m.cols() + j));
      }
    }
  });
}

}  // namespace

void fill_random(host_matrix_view<float> m, const random_options& options) { fill(m, options); }

void fill_random(host_matrix_view<double> m, const random_options& options) { fill(m, options); }

}  // namespace gpuenv::inline v0::linalg
