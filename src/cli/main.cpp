// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The command `gpuenv`: the grammar of its command line, and failures turned into messages and exit codes.
#include <gpuenv/base/version.hpp>
#include "cli/console.hpp"
#include "cli/matmul_command.hpp"

#include <CLI/CLI.hpp>

#if GPUENV_HAS_CUDA
#include <cuda_runtime_api.h>  // for CUDART_VERSION alone
#endif

#include <new>
#include <sstream>

namespace {

using namespace gpuenv::cli;

/// "gpuenv 0.1.0 (CUDA 13.0 build, architectures 75-virtual, 90a-real)". Asks no CUDA library.
std::string version_text() {
  std::string text = "gpuenv " + std::string{gpuenv::version_string()};
#if GPUENV_HAS_CUDA
  text += " (CUDA " + std::to_string(CUDART_VERSION / 1000) + '.' + std::to_string(CUDART_VERSION % 1000 / 10) +
          " build, architectures ";
  for (const char c : gpuenv::built_architectures()) text += c == ';' ? std::string{", "} : std::string{c};
  return text + ')';
#else
  return text + " (CPU build)";
#endif
}

/// Also for --help and --version, which CLI11 reports as errors of its own kind, with exit code 0.
int finish_parse(const CLI::App& app, const CLI::ParseError& stop) {
  if (stop.get_exit_code() == 0) {
    std::ostringstream out;
    app.exit(stop, out, out);
    print(out.str());
    return exit_done;
  }
  const auto subcommands = app.get_subcommands();
  const std::string command = subcommands.empty() ? "gpuenv" : "gpuenv " + subcommands.front()->get_name();
  complain(subcommands.empty() ? "command line" : subcommands.front()->get_name(), stop.what(),
           "see '" + command + " --help'");
  return exit_bad_usage;
}

int run(int argc, const char* const* argv) {
  CLI::App app{"gpuenv: GPU work from C++, verified", "gpuenv"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);
  matmul_arguments typed;
  add_matmul(app, typed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    return finish_parse(app, stop);
  }
  if (app.got_subcommand("matmul")) return run_matmul(judge(typed));
  print_message(app.help());
  return exit_bad_usage;
}

}  // namespace

int main(int argc, char** argv) {
  prepare_process();
  try {
    return run(argc, argv);
  } catch (const gpuenv::error& failure) {
    complain(failure);
    return exit_code_for(failure);
  } catch (const std::bad_alloc&) {
    complain("out of memory", "", "use smaller sizes or a machine with more memory");
  } catch (const std::exception& failure) {
    complain("unexpected failure", failure.what(), "");
  }
  return exit_own_failure;
}
