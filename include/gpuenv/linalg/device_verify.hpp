// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The verification of verify.hpp, on the GPU and on matrices that are there. It uses none of the code that it judges.
#pragma once

#include <gpuenv/linalg/device_matrix.hpp>
#include <gpuenv/linalg/verification.hpp>

#include <source_location>

namespace gpuenv::inline v0::linalg {

/// What C claims to be: alpha a b + beta c0. c0 may be left out when beta is 0.
template <class T>
struct device_problem {
  device_matrix_view<const T> a;
  device_matrix_view<const T> b;
  double alpha = 1;
  double beta = 0;
  device_matrix_view<const T> c0{};
};

/// Checks C behind the work of `stream`, and waits for the answer. All matrices must lie on the stream's device.
/// @throws error for shapes that do not fit, options out of range or a lack of memory, never for a wrong C.
[[nodiscard]] GPUENV_EXPORT verification verify(const device_problem<float>& claim, device_matrix_view<const float> c,
                                                cuda::stream_ref stream, const verify_options& options = {},
                                                std::source_location where = std::source_location::current());
[[nodiscard]] GPUENV_EXPORT verification verify(const device_problem<double>& claim, device_matrix_view<const double> c,
                                                cuda::stream_ref stream, const verify_options& options = {},
                                                std::source_location where = std::source_location::current());

}  // namespace gpuenv::inline v0::linalg
