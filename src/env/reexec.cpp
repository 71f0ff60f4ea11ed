// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>
#include <gpuenv/env/child_block.hpp>
#include <gpuenv/env/reexec.hpp>
#include "env/in_quotes.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace gpuenv::inline v0::env {
namespace {

constexpr auto running_program = "/proc/self/exe";

std::string read_file(const char* path) {
  std::ifstream file{path, std::ios::binary};
  std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  if (file.bad() || bytes.empty()) {
    throw error{errc::file_access, std::string{"reexec: "} + path + " cannot be read or is empty", "mount /proc"};
  }
  return bytes;
}

/// "<process id>.<clock tick of its start>": the same before and after execve, and of no other process.
std::string own_mark() {
  const std::string stat = read_file("/proc/self/stat");
  const std::size_t behind_name = stat.rfind(')');  // the name may hold anything, also ')' and spaces
  std::istringstream fields{stat.substr(behind_name == std::string::npos ? 0 : behind_name + 1)};
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;
  if (!fields) throw error{errc::file_access, "reexec: /proc/self/stat has fewer than 22 fields", "mount /proc"};
  return std::to_string(::getpid()) + '.' + field;
}

std::vector<std::string> own_arguments() {
  const std::string bytes = read_file("/proc/self/cmdline");
  std::vector<std::string> arguments;
  for (std::size_t start = 0; start < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\0', start), bytes.size());
    arguments.push_back(bytes.substr(start, end - start));
    start = end + 1;
  }
  return arguments;
}

void check_arguments(std::span<const std::string> arguments) {
  if (arguments.empty()) {
    throw error{errc::invalid_argument, "reexec: there are no arguments", "give at least the program's name"};
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].find('\0') == std::string::npos) continue;
    throw error{errc::invalid_argument,
                "reexec: argument " + std::to_string(i) + " " + in_quotes(arguments[i]) + " holds a NUL byte",
                "a program's arguments end at NUL: leave it out"};
  }
}

/// The program's own path while it still leads to the file that runs, since that keeps the process's name in ps.
std::string program_path() {
  std::error_code failed;
  const std::string path = std::filesystem::read_symlink(running_program, failed).string();
  struct stat named {};
  struct stat running {};
  const bool is_same = !failed && ::stat(path.c_str(), &named) == 0 && ::stat(running_program, &running) == 0 &&
                       named.st_dev == running.st_dev && named.st_ino == running.st_ino;
  return is_same ? path : running_program;
}

/// "; the longest line of the environment is 'NAME' (n bytes)" for a list that the kernel finds too long.
std::string longest_line(const environment& with) {
  const auto& all = with.variables();
  const auto longest = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.first.size() + a.second.size() < b.first.size() + b.second.size();
  });
  if (longest == all.end()) return {};
  return "; the longest line of the environment is that of " + in_quotes(longest->first) + " (" +
         std::to_string(longest->first.size() + longest->second.size() + 1) + " bytes)";
}

}  // namespace

bool was_reexecuted() {
  const environment now = environment::of_process();
  const auto mark = now.get(reexec_guard);
  return mark && *mark == own_mark();
}

void reexec(environment with) { reexec(std::move(with), own_arguments()); }

void reexec(environment with, std::span<const std::string> arguments) {
  check_arguments(arguments);
  if (was_reexecuted()) {
    throw error{
        errc::too_late,
        "reexec: this process was re-executed before (" + std::string{reexec_guard} + "), and once more would not end",
        "call it only where was_reexecuted() is false, or give the variables to the program when it is started"};
  }
  with.set(std::string{reexec_guard}, own_mark());
  const child_block block{with};
  std::vector<std::string> owned{arguments.begin(), arguments.end()};  // execve takes pointers to non-const bytes
  std::vector<char*> pointers;
  for (std::string& argument : owned) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const std::string program = program_path();
  std::fflush(nullptr);
  ::execve(program.c_str(), pointers.data(), block.data());
  const int why = errno;
  throw error{std::error_code{why, std::generic_category()},
              "reexec: " + program + " could not be started again" + (why == E2BIG ? longest_line(with) : ""),
              why == E2BIG ? "Linux takes lines of up to 128 KiB: put long values into a file" : ""};
}

}  // namespace gpuenv::inline v0::env
