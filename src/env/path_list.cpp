// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>
#include <gpuenv/env/path_list.hpp>
#include "env/in_quotes.hpp"

#include <algorithm>
#include <utility>

namespace gpuenv::inline v0::env {
namespace {

/// Without slashes at the end, "/" alone excepted; "" as ".".
std::string_view folder_of(std::string_view element) noexcept {
  if (element.empty()) return ".";
  const std::size_t last = element.find_last_not_of('/');
  return last == std::string_view::npos ? element.substr(0, 1) : element.substr(0, last + 1);
}

bool is_same_folder(std::string_view a, std::string_view b) noexcept { return folder_of(a) == folder_of(b); }

}  // namespace

path_list path_list::parse(std::string_view value, std::string_view separators) {
  if (separators.empty()) {
    throw error{errc::invalid_argument, "path_list::parse: there are no separators", "give \":\""};
  }
  path_list list;
  list.separators_ = separators;
  if (value.empty()) return list;
  for (std::size_t start = 0;;) {
    const std::size_t end = value.find_first_of(separators, start);
    list.elements_.emplace_back(value.substr(start, end - start));
    if (end == std::string_view::npos) return list;
    start = end + 1;
  }
}

bool path_list::is_current_directory(std::string_view element) noexcept { return folder_of(element) == "."; }

bool path_list::contains(std::string_view folder) const noexcept {
  return std::any_of(elements_.begin(), elements_.end(), [&](const auto& e) { return is_same_folder(e, folder); });
}

path_list& path_list::prepend(std::string folder) {
  check(folder);
  remove(folder);
  elements_.insert(elements_.begin(), std::move(folder));
  return *this;
}

path_list& path_list::append(std::string folder) {
  check(folder);
  remove(folder);
  elements_.push_back(std::move(folder));
  return *this;
}

path_list& path_list::remove(std::string_view folder) {
  const std::string wanted{folder};  // `folder` may be one of our own elements
  std::erase_if(elements_, [&](const std::string& element) { return is_same_folder(element, wanted); });
  return *this;
}

std::vector<finding> path_list::findings(std::string_view variable) const {
  constexpr std::size_t most_shown = 8;
  std::vector<std::string> evidence;
  std::size_t empty = 0;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (!elements_[i].empty() || ++empty > most_shown) continue;
    evidence.push_back("element " + std::to_string(i + 1) + " of " + std::to_string(elements_.size()) + " is empty" +
                       (i == 0 ? std::string{} : ", behind " + in_quotes(elements_[i - 1])));
  }
  if (empty == 0) return {};
  if (empty > most_shown) evidence.push_back("and " + std::to_string(empty - most_shown) + " more");
  return {{"path-list-empty-element", severity::warning,
           in_quotes(variable) + " has an empty element, which means the current directory: what lies there is taken",
           std::move(evidence),
           "remove the separator that has nothing before or behind it, or write '.' if it is meant"}};
}

void path_list::check(std::string_view folder) const {
  if (folder.empty()) {
    throw error{errc::invalid_argument, "path_list: an empty folder would mean the current directory",
                "give a folder, or \".\" for the current directory"};
  }
  if (folder.find_first_of(separators_ + '\0') != std::string_view::npos) {
    throw error{errc::invalid_argument,
                "path_list: folder " + in_quotes(folder) + " holds a separator (" + separators_ + ") or a NUL byte",
                "add one folder at a time; one whose name holds a separator cannot stand in a list"};
  }
}

std::string to_string(const path_list& list) {
  std::string text;
  for (const std::string& element : list.elements_) {
    if (!text.empty()) text += list.separators_.front();
    text += element.empty() ? "." : element;
  }
  return text;
}

}  // namespace gpuenv::inline v0::env
