// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Runs hidden tests of this program in a process of their own: for what happens once a process, and after main.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

struct process_result {
  int exit_code = -1;  ///< 128 + signal for a process that was killed
  std::string errors;  ///< what it wrote to standard error
};

/// `tag`: of a test that is hidden with "[.tag]".
inline process_result run_in_own_process(const std::string& tag) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) throw std::runtime_error{"pipe failed"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[1]);
  std::string program = "/proc/self/exe";
  std::string filter = '[' + tag + ']';
  std::array<char*, 3> arguments{program.data(), filter.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  process_result result;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; failed == 0 && (n = read(pipe_ends[0], part.data(), part.size())) > 0;) {
    result.errors.append(part.data(), static_cast<std::size_t>(n));
  }
  close(pipe_ends[0]);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) throw std::runtime_error{"the test could not start itself"};
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}
