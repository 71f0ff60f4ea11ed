// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Runs a small program of the tests in an environment of its own and collects what it says.
#pragma once

#include <gpuenv/env/child_block.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace gpuenv_test {

struct program_result {
  int exit_code = -1;  ///< 128 + signal for a program that was killed
  std::string output;  ///< of the streams that were asked for

  [[nodiscard]] bool says(const std::string& text) const { return output.find(text) != std::string::npos; }
};

/// What is collected of a program; standard output goes nowhere when only errors are.
enum class streams { both, errors };

/// @param arguments the program's name included
inline program_result run_program(const std::string& program, std::vector<std::string> arguments,
                                  const gpuenv::env::environment& variables, streams collected = streams::both) {
  const gpuenv::env::child_block block{variables};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error{"pipe"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (collected == streams::both) {
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), block.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  program_result result;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; failed == 0 && (n = read(ends[0], part.data(), part.size())) > 0;) {
    result.output.append(part.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  if (failed != 0) throw std::system_error{failed, std::generic_category(), program};
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error{"waitpid"};
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace gpuenv_test
