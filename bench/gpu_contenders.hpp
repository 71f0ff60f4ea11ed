// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The contenders of a product on the GPU: gpuenv with operands on the device, gpuenv from and to host memory, cuBLAS.
#pragma once

#include <gpuenv/linalg/host_matrix.hpp>
#include "support/rounds.hpp"

#include <memory>

namespace gpuenv_bench {

/// The host side of one product C = A B: row-major, A and B random normal.
template <class T>
struct product_operands {
  gpuenv::linalg::host_matrix<T> a, b, c;
};

/// "resident", "end_to_end" and "cublas"; none where no GPU is usable.
template <class T>
[[nodiscard]] std::vector<contender> gpu_contenders(const std::shared_ptr<product_operands<T>>& host);

/// Whether this build and machine have any.
[[nodiscard]] bool has_gpu_contenders();

}  // namespace gpuenv_bench
