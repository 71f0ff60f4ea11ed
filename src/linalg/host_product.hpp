// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The product on the CPU.
#pragma once

#include <gpuenv/linalg/matrix_view.hpp>
#include "linalg/host_plan.hpp"

namespace gpuenv::inline v0::linalg {

/// c = alpha a b + beta c for matrices that were checked; beta = 0 never reads c, alpha = 0 never reads a and b.
/// `plan` was made for these sizes and strides.
void host_product(const host_plan& plan, host_matrix_view<const float> a, host_matrix_view<const float> b,
                  host_matrix_view<float> c, float alpha, float beta);
void host_product(const host_plan& plan, host_matrix_view<const double> a, host_matrix_view<const double> b,
                  host_matrix_view<double> c, double alpha, double beta);

}  // namespace gpuenv::inline v0::linalg
