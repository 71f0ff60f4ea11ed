// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "support/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace gpuenv_bench {
namespace {

[[noreturn]] void fail(int code, const std::string& what) {
  throw std::system_error{code, std::generic_category(), what};
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno, "pipe");
  return ends;
}

}  // namespace

child_with_pipes start_with_pipes(const std::vector<std::string>& command) {
  const auto input = make_pipe();
  const auto output = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  child_with_pipes child;
  const int status = posix_spawnp(&child.pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  child.to_child = input[1];
  child.from_child = output[0];
  if (status != 0) {
    close(child.to_child);
    close(child.from_child);
    fail(status, "start '" + command.front() + "'");
  }
  return child;
}

finished_child run_to_end(const std::vector<std::string>& command) {
  finished_child result;
  const auto start = std::chrono::steady_clock::now();
  const child_with_pipes child = start_with_pipes(command);
  close(child.to_child);
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = read(child.from_child, part.data(), part.size())) > 0;) {
    result.output.append(part.data(), static_cast<std::size_t>(got));
  }
  close(child.from_child);
  int status = 0;
  waitpid(child.pid, &status, 0);
  result.seconds = std::chrono::duration<double>{std::chrono::steady_clock::now() - start}.count();
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace gpuenv_bench
