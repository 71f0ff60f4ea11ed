// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "env/name_rules.hpp"

#include <gpuenv/base/error.hpp>
#include "env/in_quotes.hpp"

#include <string>

namespace gpuenv::inline v0::env {

void check_name(std::string_view where, std::string_view name) {
  constexpr std::string_view unusable{"=\0", 2};
  if (name.empty()) {
    throw error{errc::invalid_argument, std::string{where} + ": the name of the variable is empty", "give it a name"};
  }
  if (name.find_first_of(unusable) != std::string_view::npos) {
    throw error{errc::invalid_argument,
                std::string{where} + ": the name " + in_quotes(name) + " holds '=' or a NUL byte",
                "give the name alone, and the value as a value"};
  }
}

void check_value(std::string_view where, std::string_view name, std::string_view value) {
  const std::size_t at = value.find('\0');
  if (at == std::string_view::npos) return;
  throw error{errc::invalid_argument,
              std::string{where} + ": the value for " + in_quotes(name) + " holds a NUL byte at " + std::to_string(at) +
                  " of its " + std::to_string(value.size()) + " bytes",
              "an environment cannot carry NUL bytes: encode the value"};
}

}  // namespace gpuenv::inline v0::env
