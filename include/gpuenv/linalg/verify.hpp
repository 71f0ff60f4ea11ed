// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Is this C the product alpha A B + beta C0, as well as its precision allows? Answered by comparison with an error
// bound, not with a tolerance.
//   std::cout << verify({.a = a, .b = b}, c) << '\n';
// Device matrices are verified where they are by device_verify.hpp. The bounds are derived in docs/verification.md.
#pragma once

#include <gpuenv/base/device_choice.hpp>
#include <gpuenv/linalg/host_matrix.hpp>
#include <gpuenv/linalg/verification.hpp>

#include <source_location>

namespace gpuenv::inline v0::linalg {

/// What C claims to be: alpha a b + beta c0. c0 may be left out when beta is 0.
template <class T>
struct problem {
  host_matrix_view<const T> a;
  host_matrix_view<const T> b;
  double alpha = 1;
  double beta = 0;
  host_matrix_view<const T> c0{};
};

/// Checks C on the CPU. @throws error for shapes that do not fit or options out of range, never for a wrong C.
[[nodiscard]] GPUENV_EXPORT verification verify(const problem<float>& claim, host_matrix_view<const float> c,
                                                const verify_options& options = {},
                                                std::source_location where = std::source_location::current());
[[nodiscard]] GPUENV_EXPORT verification verify(const problem<double>& claim, host_matrix_view<const double> c,
                                                const verify_options& options = {},
                                                std::source_location where = std::source_location::current());

}  // namespace gpuenv::inline v0::linalg
