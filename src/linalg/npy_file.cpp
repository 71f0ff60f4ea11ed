// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/npy_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace gpuenv::inline v0::linalg::detail {
namespace {

namespace fs = std::filesystem;

constexpr const char* is_folder = "it is a folder";
constexpr const char* is_special = "it is a pipe or a device, not a regular file";

[[noreturn]] void throw_access(const std::string& attempted, const std::string& found, const char* remedy) {
  throw error{errc::file_access, attempted + ": " + found, remedy};
}

std::string reason(int code) { return std::generic_category().message(code); }

/// A name that no other thread or process uses now; a left-over of an earlier process with our number may have it.
std::string temporary_name() {
  static std::atomic<unsigned> counter{0};
  return ".gpuenv-" + std::to_string(::getpid()) + '-' + std::to_string(counter++) + ".tmp";
}

}  // namespace

int descriptor::close() noexcept {
  const int value = std::exchange(value_, -1);
  return value < 0 || ::close(value) == 0 ? 0 : errno;
}

input_file::input_file(const fs::path& path)
    : name_{path.string()}, file_{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)} {
  struct stat facts {};
  if (file_.get() < 0 || ::fstat(file_.get(), &facts) != 0) {
    const int code = errno;
    throw_access("read " + name_, reason(code), "check the name and the permissions of the file");
  }
  if (!S_ISREG(facts.st_mode)) {
    throw_access("read " + name_, S_ISDIR(facts.st_mode) ? is_folder : is_special,
                 "give the name of a file; save what comes through a pipe to a file first");
  }
  size_ = static_cast<std::uint64_t>(facts.st_size);
}

void input_file::read(void* target, std::uint64_t bytes) {
  char* to = static_cast<char*>(target);
  while (bytes != 0) {
    const ssize_t got = ::read(file_.get(), to, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      const int code = got < 0 ? errno : 0;
      throw_access("read " + name_, code != 0 ? reason(code) : "it became shorter while it was read",
                   "check the disk, and that no program writes the file");
    }
    to += got;
    bytes -= static_cast<std::uint64_t>(got);
  }
}

replacement_file::replacement_file(const fs::path& target) : name_{target.string()}, target_{target}, file_{-1} {
  std::error_code ignored;
  if (fs::exists(target, ignored)) {
    target_ = fs::canonical(target, ignored);
    if (ignored || !fs::is_regular_file(target_, ignored)) {
      throw_access("write " + name_, fs::is_directory(target, ignored) ? is_folder : is_special,
                   "give the name of a new or a regular file");
    }
  }
  int code = EEXIST;
  for (int tries = 0; code == EEXIST && tries < 100; ++tries) {
    temporary_ = target_.parent_path() / temporary_name();
    const int opened = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    code = opened < 0 ? errno : 0;
    if (opened >= 0) file_.reset(opened);
  }
  if (code != 0) fail(code);
  pending_ = true;
  struct stat old {};
  if (::stat(target_.c_str(), &old) == 0) static_cast<void>(::fchmod(file_.get(), old.st_mode & 0777));
}

replacement_file::~replacement_file() {
  if (pending_) ::unlink(temporary_.c_str());
}

void replacement_file::write(const void* source, std::uint64_t bytes) {
  const char* from = static_cast<const char*>(source);
  while (bytes != 0) {
    const ssize_t put = ::write(file_.get(), from, bytes);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail(errno);
    from += put;
    bytes -= static_cast<std::uint64_t>(put);
  }
}

void replacement_file::commit() {
  if (const int code = file_.close(); code != 0) fail(code);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  pending_ = false;
}

void replacement_file::fail(int code) const {
  throw_access("write " + name_, reason(code), "check that the folder exists, may be written and has space");
}

}  // namespace gpuenv::inline v0::linalg::detail
