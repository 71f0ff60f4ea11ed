// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// An environment in the form that execve and posix_spawn take.
//   const env::child_block block{child_environment};
//   posix_spawn(&pid, path, nullptr, nullptr, arguments, block.data());
#pragma once

#include <gpuenv/base/export.hpp>
#include <gpuenv/env/environment.hpp>

#include <cstddef>
#include <memory>

namespace gpuenv::inline v0::env {

/// Owns its lines; they stay at their addresses when the block is moved, and do not follow the environment. Linux
/// refuses to start a program (E2BIG) with a line of 128 KiB or more, or with more than about a quarter of the stack's
/// limit.
class GPUENV_EXPORT child_block {
 public:
  explicit child_block(const environment& from);

  child_block(child_block&& other) noexcept;
  child_block& operator=(child_block&& other) noexcept;
  child_block(const child_block&) = delete;
  child_block& operator=(const child_block&) = delete;
  ~child_block() = default;

  /// "NAME=value" lines ordered by name, then a null pointer. Null itself once the block was moved from.
  [[nodiscard]] char* const* data() const noexcept { return pointers_.get(); }
  /// How many lines, without the null pointer.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::unique_ptr<char*[]> pointers_;
  std::size_t size_ = 0;
};

}  // namespace gpuenv::inline v0::env
