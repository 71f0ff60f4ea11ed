// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Files for npy: one that is read, and one that appears whole or not at all.
#pragma once

#include <gpuenv/base/error.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace gpuenv::inline v0::linalg::detail {

/// A file descriptor that is closed at the end of its scope.
class descriptor {
 public:
  explicit descriptor(int value) noexcept : value_{value} {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() { static_cast<void>(close()); }

  [[nodiscard]] int get() const noexcept { return value_; }
  void reset(int value) noexcept {
    static_cast<void>(close());
    value_ = value;
  }
  /// 0, or the errno of the failure. The descriptor is gone either way.
  int close() noexcept;

 private:
  int value_;
};

/// A regular file that is open for reading, and its size when it was opened.
class input_file {
 public:
  /// @throws error (errc::file_access): cannot be opened, or is a folder, a pipe, a device
  explicit input_file(const std::filesystem::path& path);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Reads the next `bytes` bytes. @throws error when they are not there
  void read(void* target, std::uint64_t bytes);

 private:
  std::string name_;
  descriptor file_;
  std::uint64_t size_ = 0;
};

/// A new file beside `target`, which takes its place in `commit()`. Without that it vanishes, and the old file stays.
class replacement_file {
 public:
  /// A symbolic link is followed, so that the link stays. The mode of an old file is kept.
  /// @throws error (errc::file_access): no such folder, not writable, or the target is no regular file
  explicit replacement_file(const std::filesystem::path& target);
  replacement_file(const replacement_file&) = delete;
  replacement_file& operator=(const replacement_file&) = delete;
  ~replacement_file();

  void write(const void* source, std::uint64_t bytes);
  void commit();

 private:
  [[noreturn]] void fail(int code) const;

  std::string name_;
  std::filesystem::path target_, temporary_;
  descriptor file_;
  bool pending_ = false;
};

}  // namespace gpuenv::inline v0::linalg::detail
