// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The environment as a value: names and bytes that this object owns, whatever happens to the process's own block.
//   const auto now = env::environment::of_process();
//   if (const auto mask = now.get("CUDA_VISIBLE_DEVICES")) use(*mask);   // set, perhaps to nothing
#pragma once

#include <gpuenv/base/export.hpp>
#include <gpuenv/base/finding.hpp>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuenv::inline v0::env {

/// Variables and their values, as bytes: of any length, and UTF-8 or not. Nothing in it changes by itself, so threads
/// may read one environment at the same time; a copy is independent.
class GPUENV_EXPORT environment {
 public:
  environment() = default;  // empty

  /// A copy of the process's block as it is now. Nothing is kept between two calls: each sees the latest values.
  /// POSIX itself forbids to read the block while another thread changes it (setenv, unsetenv, putenv, clearenv), and
  /// no library can lock it: take the snapshot before such threads start, then read the snapshot from as many as you
  /// like.
  [[nodiscard]] static environment of_process();

  /// From lines of the form NAME=value; all behind the first '=' is the value. A line without '=', without a name or
  /// with a NUL byte is no variable, and of a name that comes twice the first value counts, as for getenv of glibc.
  /// Both are named in `findings()`. Never an error: a process cannot choose what it is started with.
  [[nodiscard]] static environment from_block(std::span<const std::string_view> lines);

  /// The value, or nothing when the variable is not set; one that is set to nothing gives an empty view. The view is
  /// valid until this variable is changed or the object dies: not `environment::of_process().get(...)` in a line of its
  /// own. Never a new allocation.
  [[nodiscard]] std::optional<std::string_view> get(std::string_view name) const {
    const auto found = variables_.find(name);
    if (found == variables_.end()) return std::nullopt;
    return std::string_view{found->second};
  }

  /// Sets or replaces; this object alone, not the process.
  /// @throw error errc::invalid_argument for a name that is empty or holds '=' or NUL, and for a value that holds NUL
  void set(std::string name, std::string value);

  /// Removes; a variable that is not set is no error, and neither is a name that none can have.
  void unset(std::string_view name);

  /// All variables, ordered by the bytes of their names.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& variables() const& { return variables_; }
  /// Of a temporary object, by value: `for (auto& [name, value] : environment::of_process().variables())` is correct.
  [[nodiscard]] std::map<std::string, std::string, std::less<>> variables() && { return std::move(variables_); }

  /// What was not usable in the block: "environment-malformed" for a line, "environment-duplicate" for a name. Values
  /// are not shown, since they may be secrets. Changes of this object leave the findings as they are.
  [[nodiscard]] const std::vector<finding>& findings() const& { return findings_; }
  [[nodiscard]] std::vector<finding> findings() && { return std::move(findings_); }

  /// Equal when the variables are; findings do not count.
  [[nodiscard]] friend bool operator==(const environment& a, const environment& b) {
    return a.variables_ == b.variables_;
  }

 private:
  std::map<std::string, std::string, std::less<>> variables_;
  std::vector<finding> findings_;
};

}  // namespace gpuenv::inline v0::env
