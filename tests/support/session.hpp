// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Runs the tests of a program.
#pragma once

namespace gpuenv::test {

/// 0 when at least one test ran and all passed, else 1. Catch2 itself returns the number of failures, where 77 failures
/// would look like "skipped", and 0 when a filter matches nothing.
int run_session(int argc, char** argv);

}  // namespace gpuenv::test
