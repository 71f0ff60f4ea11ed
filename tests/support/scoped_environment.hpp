// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Variables of the test's own process, for as long as a scope lasts.
//   scoped_environment variables{{{"CUDA_VISIBLE_DEVICES", "1"}, {"DISPLAY", std::nullopt}}};
#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gpuenv_test {

/// Not while another thread reads or writes the environment.
class scoped_environment {
 public:
  scoped_environment() = default;
  explicit scoped_environment(const std::vector<std::pair<std::string, std::optional<std::string>>>& variables) {
    for (const auto& [name, value] : variables) {
      if (value) {
        set(name, *value);
      } else {
        unset(name);
      }
    }
  }
  scoped_environment(const scoped_environment&) = delete;
  scoped_environment& operator=(const scoped_environment&) = delete;
  ~scoped_environment() {
    for (const auto& [name, value] : before_) put(name, value);
  }

  void set(const std::string& name, const std::string& value) {
    watch(name);
    if (!put(name, value)) throw std::runtime_error{"setenv " + name};
  }

  void unset(const std::string& name) {
    watch(name);
    if (!put(name, std::nullopt)) throw std::runtime_error{"unsetenv " + name};
  }

  /// Restores `name` at the end, whoever changes it.
  void watch(const std::string& name) {
    const char* now = std::getenv(name.c_str());
    before_.try_emplace(name, now == nullptr ? std::nullopt : std::optional<std::string>{now});
  }

 private:
  static bool put(const std::string& name, const std::optional<std::string>& value) {
    return (value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str())) == 0;
  }

  std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace gpuenv_test
