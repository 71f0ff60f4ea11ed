// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Programs started by a benchmark, through posix_spawn; the program is looked for on PATH.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace gpuenv_bench {

struct child_with_pipes {
  pid_t pid = -1;
  int to_child = -1;    ///< its standard input; the caller closes it
  int from_child = -1;  ///< its standard output; the caller closes it
};

/// @throws std::system_error naming the program.
[[nodiscard]] child_with_pipes start_with_pipes(const std::vector<std::string>& command);

struct finished_child {
  double seconds = 0;  ///< wall time from before the start to after the end
  int exit_code = 0;   ///< 128 + signal when one ended it
  std::string output;  ///< all of its standard output
};

/// Runs a program to its end. @throws std::system_error naming the program.
[[nodiscard]] finished_child run_to_end(const std::vector<std::string>& command);

}  // namespace gpuenv_bench
