// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/checked.hpp>
#include <gpuenv/env/child_block.hpp>

#include <algorithm>
#include <utility>

namespace gpuenv::inline v0::env {

child_block::child_block(const environment& from) : size_{from.variables().size()} {
  std::size_t bytes = 0;
  for (const auto& [name, value] : from.variables()) {
    const std::size_t line = checked_add(checked_add(name.size(), value.size(), "child_block"), std::size_t{2}, "line");
    bytes = checked_add(bytes, line, "child_block");
  }
  bytes_ = std::make_unique<char[]>(bytes);  // zeros, so that every line ends with one
  pointers_ = std::make_unique<char*[]>(size_ + 1);
  char* end = bytes_.get();
  std::size_t line = 0;
  for (const auto& [name, value] : from.variables()) {
    pointers_[line++] = end;
    end = std::copy(name.begin(), name.end(), end);
    *end++ = '=';
    end = std::copy(value.begin(), value.end(), end) + 1;
  }
}

child_block::child_block(child_block&& other) noexcept
    : bytes_{std::move(other.bytes_)}, pointers_{std::move(other.pointers_)}, size_{std::exchange(other.size_, 0)} {}

child_block& child_block::operator=(child_block&& other) noexcept {
  bytes_ = std::move(other.bytes_);
  pointers_ = std::move(other.pointers_);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

}  // namespace gpuenv::inline v0::env
