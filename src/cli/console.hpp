// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What every subcommand shares: exit codes, data to standard output, messages to standard error.
#pragma once

#include <gpuenv/base/error.hpp>

#include <string_view>

namespace gpuenv::inline v0::cli {

enum exit_code : int {
  exit_done = 0,
  exit_check_failed = 1,  ///< a verification failed
  exit_bad_usage = 2,     ///< wrong arguments or bad input
  exit_no_gpu = 3,        ///< a GPU was demanded, and none can be used
  exit_own_failure = 125,
};

/// To be called before any file is opened. A closed standard stream is held by /dev/null, opened so that its use
/// fails: else the next file would take its number, and reports would land in that file. A broken pipe and a file that
/// reaches its size limit become errors, where their signals would end the process between temporary file and name.
void prepare_process();

/// Writes data to standard output, whole. @throws error (with the errno) when it is closed, full or broken.
void print(std::string_view text);

/// Writes text to standard error as it is.
void print_message(std::string_view text) noexcept;

/// Writes a message to standard error: "gpuenv: what: reason", and the hint below if there is one.
void complain(std::string_view what, std::string_view reason, std::string_view hint);
void complain(const error& failure);

[[nodiscard]] exit_code exit_code_for(const error& failure) noexcept;

}  // namespace gpuenv::inline v0::cli
