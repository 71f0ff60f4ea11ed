// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Random device matrices: bit for bit those of random.hpp.
#pragma once

#include <gpuenv/linalg/device_matrix.hpp>
#include <gpuenv/linalg/random.hpp>

namespace gpuenv::inline v0::linalg {

/// Enqueues the fill in `stream`; the matrix must lie on the stream's device.
GPUENV_EXPORT void fill_random(device_matrix_view<float> m, cuda::stream_ref stream,
                               const random_options& options = {});
GPUENV_EXPORT void fill_random(device_matrix_view<double> m, cuda::stream_ref stream,
                               const random_options& options = {});

/// A new row-major device matrix with random elements, ordered in `stream`.
template <class T>
[[nodiscard]] device_matrix<T> random_device_matrix(cuda::stream_hold stream, std::int64_t rows, std::int64_t cols,
                                                    const random_options& options = {}) {
  device_matrix<T> m{stream, rows, cols};
  fill_random(m.view(), stream, options);
  m.note_use(stream);
  return m;
}

}  // namespace gpuenv::inline v0::linalg
