// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/device_random.hpp>
#include "linalg/strided_view.hpp"
#include "random_fill.hpp"

namespace gpuenv::inline v0::linalg {
namespace {

template <class T>
void fill(device_matrix_view<T> m, cuda::stream_ref stream, const random_options& options) {
  const auto kind =
      options.values == distribution::uniform ? kernels::distribution::uniform : kernels::distribution::normal;
  const cuda::device_guard guard{stream.device()};
  cuda::check(kernels::random_fill(as_strided(m), kind, options.seed, options.sequence, stream.get()),
              "fill a matrix with random numbers", stream.device(), std::source_location::current());
}

}  // namespace

void fill_random(device_matrix_view<float> m, cuda::stream_ref stream, const random_options& options) {
  fill(m, stream, options);
}

void fill_random(device_matrix_view<double> m, cuda::stream_ref stream, const random_options& options) {
  fill(m, stream, options);
}

}  // namespace gpuenv::inline v0::linalg
