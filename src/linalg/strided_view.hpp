// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Views as kernels take them.
#pragma once

#include <gpuenv/linalg/matrix_view.hpp>
#include "strided.hpp"

namespace gpuenv::inline v0::linalg {

template <class T, class Memory>
[[nodiscard]] kernels::strided<T> as_strided(const matrix_view<T, Memory>& m) noexcept {
  return {m.data(), m.rows(), m.cols(), m.row_stride(), m.col_stride()};
}

}  // namespace gpuenv::inline v0::linalg
