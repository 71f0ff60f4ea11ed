// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Arguments that our benchmarks take besides Google Benchmark's own.
#pragma once

#include <string>
#include <vector>

namespace gpuenv_bench {

struct arguments {
  int rounds = 20;                 ///< --rounds=N
  std::vector<std::string> peers;  ///< --peers=torch,cupy,numpy: programs to be started as peers; none by default
  std::string python = "python3";  ///< --python=COMMAND that runs them
  bool cpu_routes = false;         ///< --cpu-routes: gpuenv's routes on the CPU one by one, too

  [[nodiscard]] bool wants(const std::string& peer) const;
};

/// Takes ours out of the command line, gives the rest to Google Benchmark, and ends the process with status 2 on what
/// nobody knows.
[[nodiscard]] arguments parse_arguments(int& argc, char** argv);

}  // namespace gpuenv_bench
