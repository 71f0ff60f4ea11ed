// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/env/overlay.hpp>
#include "env/name_rules.hpp"

#include <utility>

namespace gpuenv::inline v0::env {

overlay& overlay::set(std::string name, std::string value) {
  check_name("overlay::set", name);
  check_value("overlay::set", name, value);
  put({std::move(name), std::move(value)});
  return *this;
}

overlay& overlay::unset(std::string name) {
  check_name("overlay::unset", name);
  put({std::move(name), std::nullopt});
  return *this;
}

overlay overlay::then(const overlay& later) const {
  overlay both = *this;
  for (const change& made : later.changes_) both.put(made);
  return both;
}

environment overlay::applied_to(environment base) const {
  for (const auto& [name, value] : changes_) {
    if (value) {
      base.set(name, *value);
    } else {
      base.unset(name);
    }
  }
  return base;
}

void overlay::put(change made) {
  changes_.reserve(changes_.size() + 1);  // so that nothing is lost when there is no memory
  std::erase_if(changes_, [&](const change& earlier) { return earlier.name == made.name; });
  changes_.push_back(std::move(made));
}

}  // namespace gpuenv::inline v0::env
