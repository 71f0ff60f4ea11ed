// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A list of folders as PATH and LD_LIBRARY_PATH hold it, which never gains an empty element.
//   auto list = env::path_list::parse(now.get("LD_LIBRARY_PATH").value_or(""), env::loader_separators);
//   changes.set("LD_LIBRARY_PATH", to_string(list.prepend("/usr/local/cuda/lib64")));
#pragma once

#include <gpuenv/base/export.hpp>
#include <gpuenv/base/finding.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuenv::inline v0::env {

/// The loader takes either in LD_LIBRARY_PATH.
inline constexpr std::string_view loader_separators = ":;";

/// Two elements are the same folder when they differ in slashes at the end alone; the empty one and "." are the same.
/// Not for MANPATH and INFOPATH, where an empty element means the system's own list.
class GPUENV_EXPORT path_list {
 public:
  path_list() = default;

  /// Cuts `value` at each separator. A value that is empty as a whole has no element; in any other, nothing at the
  /// start, at the end or between two separators is an empty element: the current directory, whichever that is when it
  /// is used.
  /// @param separators not empty; the first is written between elements
  /// @throw error errc::invalid_argument when there are no separators
  [[nodiscard]] static path_list parse(std::string_view value, std::string_view separators = ":");

  /// As they were written; "" is an empty element.
  [[nodiscard]] const std::vector<std::string>& elements() const& { return elements_; }
  [[nodiscard]] std::vector<std::string> elements() && { return std::move(elements_); }
  /// True for the two ways to write the current directory: "" and ".".
  [[nodiscard]] static bool is_current_directory(std::string_view element) noexcept;
  [[nodiscard]] bool contains(std::string_view folder) const noexcept;

  /// Puts `folder` first. One that is in the list moves; it is never there twice.
  /// @throw error errc::invalid_argument for a folder that is empty or holds a separator or NUL
  path_list& prepend(std::string folder);
  /// Puts `folder` last; otherwise as `prepend`.
  path_list& append(std::string folder);
  /// Removes `folder` wherever it stands; `remove(".")` removes empty elements too. What is not there is no error.
  path_list& remove(std::string_view folder);

  /// A warning, "path-list-empty-element", that names the variable and the places of its empty elements; or nothing.
  [[nodiscard]] std::vector<finding> findings(std::string_view variable) const;

  friend std::string to_string(const path_list& list);
  friend bool operator==(const path_list& a, const path_list& b) { return a.elements_ == b.elements_; }

 private:
  void check(std::string_view folder) const;

  std::vector<std::string> elements_;
  std::string separators_ = ":";
};

/// The value of a variable. An empty element is written as ".": its meaning stays, and becomes visible.
[[nodiscard]] GPUENV_EXPORT std::string to_string(const path_list& list);

}  // namespace gpuenv::inline v0::env
