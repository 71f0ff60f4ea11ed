// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Hidden tests of this program, run in a process of their own: what is chosen once a process needs one for each choice.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gpuenv_test {

struct child_result {
  int exit_code = -1;
  std::string output;  ///< both streams, each run of white space as one space: Catch2 breaks lines

  [[nodiscard]] bool says(const std::string& text) const { return output.find(text) != std::string::npos; }
};

/// Runs the tests tagged `tag` with `variables` ("A=1 B=2") in the environment.
inline child_result run_child(const std::string& variables, const std::string& tag) {
  std::array<char, 4096> path{};
  if (readlink("/proc/self/exe", path.data(), path.size() - 1) <= 0) throw std::runtime_error{"/proc/self/exe"};
  const std::string command = "env " + variables + " '" + path.data() + "' '" + tag + "' -s 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error{"popen: " + command};
  child_result result;
  std::array<char, 4096> chunk{};
  for (std::size_t count = 0; (count = fread(chunk.data(), 1, chunk.size(), pipe)) != 0;) {
    for (const char c : std::string_view{chunk.data(), count}) {
      const bool is_space = c == ' ' || c == '\n';
      if (!is_space || !result.output.ends_with(' ')) result.output += is_space ? ' ' : c;
    }
  }
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return result;
}

}  // namespace gpuenv_test
