// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// `gpuenv matmul`: what was typed, and the request that comes of it.
#pragma once

#include <gpuenv/base/device_choice.hpp>
#include <gpuenv/linalg/product_plan.hpp>
#include <gpuenv/linalg/random.hpp>
#include <gpuenv/linalg/verification.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gpuenv::inline v0::cli {

/// The words of the command line, not judged yet.
struct matmul_arguments {
  std::string m, n, k;
  std::string precision;  // empty: fp32, or as the files are
  std::string verify = "auto";
  std::string verify_on = "auto";
  std::string device = "auto";
  std::string route = "auto";
  std::string distribution = "normal";
  std::string seed = "0";
  std::string repeat = "3";
  std::vector<std::string> input;
  std::optional<std::string> output;
  bool json = false;
};

/// Where the product is verified. automatic: where it ran.
enum class verify_place { automatic, cpu, gpu };

struct matmul_request {
  std::int64_t m = 0, n = 0, k = 0;  ///< of random operands; with files, theirs count
  std::optional<linalg::compute_type> precision;
  linalg::verify_method verify = linalg::verify_method::automatic;
  verify_place verify_on = verify_place::automatic;
  device_choice device = automatic;
  linalg::product_route route = linalg::product_route::automatic;
  linalg::distribution distribution = linalg::distribution::normal;
  std::uint64_t seed = 0;
  int repeat = 3;
  std::vector<std::filesystem::path> input;  ///< two files, or none for random operands
  std::optional<std::filesystem::path> output;
  bool json = false;
};

/// Adds the subcommand to the command line's grammar; parsing fills `typed`, which must outlive `app`.
CLI::App& add_matmul(CLI::App& app, matmul_arguments& typed);

/// Checks all that can be checked without reading a file or asking a GPU.
/// @throws error naming the argument, what was typed and what is accepted
[[nodiscard]] matmul_request judge(const matmul_arguments& typed);

}  // namespace gpuenv::inline v0::cli
