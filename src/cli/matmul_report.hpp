// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What `gpuenv matmul` says about a product: lines for people, or one JSON object for programs.
#pragma once

#include <gpuenv/linalg/product_info.hpp>
#include <gpuenv/linalg/verification.hpp>
#include "cli/matmul_request.hpp"

#include <string>

namespace gpuenv::inline v0::cli {

struct matmul_outcome {
  const matmul_request& request;
  linalg::product_info product{};
  linalg::verification verified{};
  bool written = false;  ///< whether the output file was written
};

[[nodiscard]] std::string text_report(const matmul_outcome& outcome);

/// Numbers are numbers; those that JSON does not have (NaN, Inf) are null, as is what does not exist.
[[nodiscard]] std::string json_report(const matmul_outcome& outcome);

}  // namespace gpuenv::inline v0::cli
