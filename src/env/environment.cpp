// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/env/environment.hpp>
#include "env/in_quotes.hpp"
#include "env/name_rules.hpp"

#include <unistd.h>

#include <utility>

namespace gpuenv::inline v0::env {
namespace {

/// Why a line is no variable; null when it is one.
const char* fault_of(std::string_view line) noexcept {
  const std::size_t equals = line.find('=');
  if (line.find('\0') != std::string_view::npos) return "it holds a NUL byte";
  if (equals == std::string_view::npos) return "it has no '='";
  return equals == 0 ? "it has no name" : nullptr;
}

finding malformed(std::string_view line, std::size_t number, const char* fault) {
  const std::string_view before_value = line.substr(0, line.find('='));
  return {"environment-malformed",
          severity::warning,
          "a line of the environment is not NAME=value, and no program can read it by name",
          {"line " + std::to_string(number) + " of " + std::to_string(line.size()) + " bytes, with " +
           in_quotes(before_value) + " before any '=': " + fault},
          "look at what starts this program: a shell cannot make such a line, a call of execve can"};
}

finding duplicate(std::string_view name, std::size_t times, bool is_same) {
  return {"environment-duplicate",
          severity::warning,
          "variable " + in_quotes(name) + " stands more than once in the environment; the first value is used here",
          {std::to_string(times) + " times, " + (is_same ? "always with the same value" : "with different values")},
          "other programs may use the last value: see what starts this program, and let it set the variable once"};
}

/// What came after the first line of a name.
struct repetition {
  std::size_t times = 1;
  bool is_same = true;
};

}  // namespace

environment environment::of_process() {
  std::vector<std::string_view> lines;
  for (char** line = environ; line != nullptr && *line != nullptr; ++line) lines.emplace_back(*line);
  return from_block(lines);
}

environment environment::from_block(std::span<const std::string_view> lines) {
  environment result;
  std::map<std::string_view, repetition> repetitions;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (const char* fault = fault_of(line)) {
      result.findings_.push_back(malformed(line, i + 1, fault));
      continue;
    }
    const std::size_t equals = line.find('=');
    const std::string_view name = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    const auto [place, is_first] = result.variables_.try_emplace(std::string{name}, value);
    if (is_first) continue;
    repetition& seen = repetitions[name];
    ++seen.times;
    seen.is_same = seen.is_same && place->second == value;
  }
  for (const auto& [name, seen] : repetitions) {
    result.findings_.push_back(duplicate(name, seen.times, seen.is_same));
  }
  return result;
}

void environment::set(std::string name, std::string value) {
  check_name("environment::set", name);
  check_value("environment::set", name, value);
  variables_.insert_or_assign(std::move(name), std::move(value));
}

void environment::unset(std::string_view name) {
  if (const auto found = variables_.find(name); found != variables_.end()) variables_.erase(found);
}

}  // namespace gpuenv::inline v0::env
