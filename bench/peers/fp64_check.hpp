// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A product in FP32 checked against FP64 on the CPU by Eigen, with its best flags.
#pragma once

namespace gpuenv_bench {

/// The largest |c - a b| / (gamma_n (|a||b|)) over all elements; n x n, row-major. 1 or less: every error within the
/// bound. NaN counts as infinite.
double worst_error_ratio(const float* a, const float* b, const float* c, int n);

}  // namespace gpuenv_bench
