// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Runs hidden tests of this program in a process of their own: for what happens once a process, and after main.
#pragma once

#include "support/run_program.hpp"

#include <string>
#include <utility>

struct process_result {
  int exit_code = -1;  ///< 128 + signal for a process that was killed
  std::string errors;  ///< what it wrote to standard error
};

/// `tag`: of a test that is hidden with "[.tag]".
inline process_result run_in_own_process(const std::string& tag) {
  const std::string program = "/proc/self/exe";
  auto child = gpuenv_test::run_program(program, {program, '[' + tag + ']'}, gpuenv::env::environment::of_process(),
                                        gpuenv_test::streams::errors);
  return {child.exit_code, std::move(child.output)};
}
