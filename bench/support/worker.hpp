// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A peer in a process of its own, asked by lines over pipes, so that it takes its turn in each round:
//   worker numpy{{"python3", "numpy_worker.py"}};   numpy.ask("mm fp32 1000 1000 1000 1")
// The protocol stands in bench/peers/worker.py.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace gpuenv_bench {

class worker {
 public:
  /// Starts the program and waits for its first line, "ready <name>" or "absent <reason>".
  explicit worker(const std::vector<std::string>& command);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker();

  [[nodiscard]] bool is_ready() const noexcept { return ready_; }
  /// Its name and version, or why it is absent.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Sends a line and returns the seconds of the answer "seconds <number>".
  /// @throws std::runtime_error with the worker's own words for any other answer.
  double ask(const std::string& request);

 private:
  [[nodiscard]] std::string read_line();

  pid_t child_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  std::string unread_;
  bool ready_ = false;
  std::string name_;
};

}  // namespace gpuenv_bench
