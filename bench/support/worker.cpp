// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "support/worker.hpp"

#include "support/child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

namespace gpuenv_bench {
namespace {

/// The rest of `line` after `word` and a blank, when it begins so.
bool after_word(const std::string& line, const std::string& word, std::string& rest) {
  if (line.compare(0, word.size() + 1, word + ' ') != 0) return false;
  rest = line.substr(word.size() + 1);
  return true;
}

}  // namespace

worker::worker(const std::vector<std::string>& command) {
  std::signal(SIGPIPE, SIG_IGN);  // a worker that died is an error of the next request
  const child_with_pipes child = start_with_pipes(command);
  child_ = child.pid;
  to_child_ = child.to_child;
  from_child_ = child.from_child;
  const std::string line = read_line();
  ready_ = after_word(line, "ready", name_);
  if (!ready_ && !after_word(line, "absent", name_)) name_ = "it gives no answer";
}

worker::~worker() {
  close(to_child_);
  close(from_child_);
  int status = 0;
  waitpid(child_, &status, 0);
}

double worker::ask(const std::string& request) {
  const std::string line = request + '\n';
  if (write(to_child_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    throw std::runtime_error{name_ + " ended before '" + request + "'"};
  }
  const std::string answer = read_line();
  std::string seconds;
  if (!after_word(answer, "seconds", seconds)) {
    throw std::runtime_error{name_ + " answers '" + answer + "' to '" + request + "'"};
  }
  return std::stod(seconds);
}

std::string worker::read_line() {
  for (;;) {
    if (const auto end = unread_.find('\n'); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    std::array<char, 4096> part{};
    const ssize_t got = read(from_child_, part.data(), part.size());
    if (got <= 0) return {};
    unread_.append(part.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace gpuenv_bench
