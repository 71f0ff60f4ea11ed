// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/matmul_request.hpp"

#include <gpuenv/base/error.hpp>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <charconv>
#include <limits>

namespace gpuenv::inline v0::cli {
namespace {

namespace fs = std::filesystem;

constexpr int most_runs = 1'000'000;

/// @param name as the reader knows the argument: "M", "--seed"
template <class I>
I whole_number(const char* name, const std::string& text, I least, I most) {
  const std::string hint = "use a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  I value{};
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, value);
  const std::string what = std::string{"matmul: "} + name + " is '" + text + "'";
  if (rest != end || (status != std::errc{} && status != std::errc::result_out_of_range)) {
    throw error{errc::invalid_argument, what, hint};
  }
  if (status == std::errc::result_out_of_range && text.front() != '-') throw error{errc::size_overflow, what, hint};
  if (status != std::errc{} || value < least || value > most) throw error{errc::invalid_argument, what, hint};
  return value;
}

std::int64_t size_argument(const char* name, const std::string& text) {
  return whole_number<std::int64_t>(name, text, 0, std::numeric_limits<std::int64_t>::max());
}

void judge_sizes(const matmul_arguments& typed, matmul_request& request) {
  if (!typed.input.empty()) {
    if (typed.m.empty()) return;
    throw error{errc::invalid_argument, "matmul: both sizes and --input were given",
                "leave the sizes out: the files have their own"};
  }
  if (typed.m.empty() || typed.n.empty() != typed.k.empty()) {
    throw error{errc::invalid_argument,
                std::string{"matmul: "} + (typed.m.empty() ? "no" : "two") + " sizes were given",
                "give one for square matrices (gpuenv matmul 1000), three (M N K), or --input A.npy B.npy"};
  }
  request.m = size_argument("M", typed.m);
  request.n = typed.n.empty() ? request.m : size_argument("N", typed.n);
  request.k = typed.k.empty() ? request.m : size_argument("K", typed.k);
}

linalg::product_route named_route(const std::string& text) {
  for (const auto route : {linalg::product_route::cublas, linalg::product_route::tiled, linalg::product_route::eigen,
                           linalg::product_route::openblas}) {
    if (text == to_string(route)) return route;
  }
  return linalg::product_route::automatic;
}

/// A route exists on one kind of device: it narrows "auto", and contradicts another choice.
device_choice device_for(const std::string& device, const std::string& route) {
  const device_choice chosen = device_choice::parse(device);
  if (route == "auto") return chosen;
  const bool on_gpu = route == "cublas" || route == "tiled";
  if (chosen.what() == device_choice::kind::any) return on_gpu ? device_choice::any_gpu() : device_choice::cpu();
  if (on_gpu == chosen.demands_gpu()) return chosen;
  throw error{errc::invalid_argument, "matmul: --device " + device + " has no route '" + route + "'",
              on_gpu ? "it runs on a GPU: leave --device out" : "it runs on the CPU: leave --device out"};
}

verify_place named_place(const std::string& text) {
  return text == "cpu" ? verify_place::cpu : text == "gpu" ? verify_place::gpu : verify_place::automatic;
}

/// Finds now what would make the write fail after the work.
fs::path judge_output(const std::string& text) {
  const fs::path file{text};
  const auto refuse = [&](const std::string& found, const char* hint) {
    throw error{errc::file_access, "matmul: --output '" + text + "': " + found, hint};
  };
  if (!file.has_filename()) refuse("it names no file", "give the name of a file, such as c.npy");
  std::error_code ignored;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path{"."};
  if (!fs::is_directory(folder, ignored)) refuse("there is no such folder", "make the folder first");
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) {
    refuse("it exists and is not a regular file", "give the name of a new or a regular file");
  }
  const fs::path target = fs::exists(file, ignored) ? fs::canonical(file, ignored).parent_path() : folder;
  if (::access(target.c_str(), W_OK | X_OK) != 0) {
    refuse("its folder may not be written", "choose a folder that may be written");
  }
  return file;
}

}  // namespace

CLI::App& add_matmul(CLI::App& app, matmul_arguments& typed) {
  CLI::App& command =
      *app.add_subcommand("matmul", "Multiply two matrices, on a GPU if there is one, and verify the product");
  command.add_option("M", typed.m, "rows of A and C; alone: the size of square matrices")->type_name("SIZE");
  command.add_option("N", typed.n, "columns of B and C")->type_name("SIZE");
  command.add_option("K", typed.k, "columns of A and rows of B")->type_name("SIZE");
  command.add_option("--precision", typed.precision, "default fp32; with --input, the files' own")
      ->check(CLI::IsMember({"fp32", "fp64"}))
      ->type_name("TYPE");
  command.add_option("--device", typed.device, "auto (default), cpu, cuda, an index, a UUID or a PCI address")
      ->type_name("DEVICE");
  command.add_option("--verify", typed.verify, "auto (default), full, sample, freivalds or none")->type_name("METHOD");
  command.add_option("--verify-on", typed.verify_on, "auto (default: where the product ran), cpu or gpu")
      ->check(CLI::IsMember({"auto", "cpu", "gpu"}))
      ->type_name("PLACE");
  command.add_option("--route", typed.route, "auto (default), cublas or tiled on a GPU, eigen or openblas on the CPU")
      ->check(CLI::IsMember({"auto", "cublas", "tiled", "eigen", "openblas"}))
      ->type_name("NAME");
  command.add_option("--repeat", typed.repeat, "timed runs of the product, the first one cold (default 3)")
      ->type_name("COUNT");
  command.add_option("--distribution", typed.distribution, "of random elements (default normal)")
      ->check(CLI::IsMember({"normal", "uniform"}))
      ->type_name("NAME");
  command.add_option("--seed", typed.seed, "of the random elements and of the verification (default 0)")
      ->type_name("NUMBER");
  command.add_option("--input", typed.input, "multiply these matrices instead of random ones")
      ->expected(2)
      ->option_text("A.npy B.npy");
  const auto set_output = [&typed](const std::string& file) { typed.output = file; };  // an empty name is a name too
  command.add_option_function<std::string>("--output", set_output, "write the product, unless its verification fails")
      ->type_name("C.npy");
  command.add_flag("--json", typed.json, "report as one JSON object");
  command.footer(
      "Exit codes: 0 done, 1 verification failed, 2 bad usage or input, 3 a GPU was demanded and none\n"
      "can be used, 125 gpuenv's own failure (memory, output).");
  return command;
}

matmul_request judge(const matmul_arguments& typed) {
  matmul_request request;
  judge_sizes(typed, request);
  if (!typed.precision.empty()) {
    request.precision = typed.precision == "fp64" ? linalg::compute_type::fp64 : linalg::compute_type::fp32;
  }
  request.verify = linalg::parse_verify_method(typed.verify);
  request.verify_on = named_place(typed.verify_on);
  request.device = device_for(typed.device, typed.route);
  request.route = named_route(typed.route);
  request.distribution = typed.distribution == "uniform" ? linalg::distribution::uniform : linalg::distribution::normal;
  request.seed = whole_number<std::uint64_t>("--seed", typed.seed, 0, std::numeric_limits<std::uint64_t>::max());
  request.repeat = whole_number<int>("--repeat", typed.repeat, 1, most_runs);
  request.input.assign(typed.input.begin(), typed.input.end());
  if (typed.output) request.output = judge_output(*typed.output);
  request.json = typed.json;
  return request;
}

}  // namespace gpuenv::inline v0::cli
