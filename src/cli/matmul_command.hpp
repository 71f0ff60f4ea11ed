// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// `gpuenv matmul`: operands, product, verification, output file, report.
#pragma once

#include "cli/console.hpp"
#include "cli/matmul_request.hpp"

namespace gpuenv::inline v0::cli {

/// @returns exit_done, or exit_check_failed for a product that is not verified: that is never written to a file
/// @throws error for input that does not fit, a GPU that cannot be had, a lack of memory, output that cannot be written
[[nodiscard]] exit_code run_matmul(const matmul_request& request);

}  // namespace gpuenv::inline v0::cli
