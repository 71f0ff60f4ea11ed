// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Hidden tests of this program, run in a process of their own: what is chosen once a process needs one for each choice.
#pragma once

#include <gpuenv/env/overlay.hpp>
#include "support/run_program.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gpuenv_test {

/// Runs the tests tagged `tag` with `changes` to the environment. In the output, each run of white space is one space:
/// Catch2 breaks lines.
inline program_result run_child(const gpuenv::env::overlay& changes, const std::string& tag) {
  const std::string program = "/proc/self/exe";
  auto result = run_program(program, {program, tag, "-s"}, changes.applied_to(gpuenv::env::environment::of_process()));
  std::string& text = result.output;
  std::replace(text.begin(), text.end(), '\n', ' ');
  text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }), text.end());
  return result;
}

}  // namespace gpuenv_test
