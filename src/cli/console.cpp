// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

namespace gpuenv::inline v0::cli {
namespace {

/// 0, or the errno of the failure.
int write_all(int file, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t put = ::write(file, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

}  // namespace

void prepare_process() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is `file`, since those below it are taken by now.
    if (::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) != file) ::_exit(exit_own_failure);
  }
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

void print(std::string_view text) {
  const int code = write_all(STDOUT_FILENO, text);
  if (code == 0) return;
  throw error{std::error_code{code, std::generic_category()}, "write to standard output",
              "check where the output goes: a pipe whose reader has gone, a full disk, a closed stream"};
}

void print_message(std::string_view text) noexcept {
  static_cast<void>(write_all(STDERR_FILENO, text));  // there is no third stream to say that this failed
}

void complain(std::string_view what, std::string_view reason, std::string_view hint) {
  std::string text = "gpuenv: " + std::string{what};
  if (!reason.empty()) text += ": " + std::string{reason};
  text += '\n';
  if (!hint.empty()) text += "  hint: " + std::string{hint} + '\n';
  print_message(text);
}

void complain(const error& failure) { complain(failure.attempted(), failure.code().message(), failure.hint()); }

exit_code exit_code_for(const error& failure) noexcept {
  for (const errc code : {errc::invalid_argument, errc::shape_mismatch, errc::out_of_range, errc::size_overflow,
                          errc::bad_file, errc::file_access}) {
    if (failure.is(code)) return exit_bad_usage;
  }
  return failure.is(errc::no_device) ? exit_no_gpu : exit_own_failure;
}

}  // namespace gpuenv::inline v0::cli
