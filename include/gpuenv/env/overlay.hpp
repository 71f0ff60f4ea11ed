// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Changes to an environment, as a value: made in one place, handed on, applied in another.
//   const auto child = env::overlay{}.set("CUDA_VISIBLE_DEVICES", "0").unset("DISPLAY").applied_to(now);
#pragma once

#include <gpuenv/base/export.hpp>
#include <gpuenv/env/environment.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuenv::inline v0::env {

/// At most one change for each variable: the last one counts and stands where it was made. Meant for tens of variables.
class GPUENV_EXPORT overlay {
 public:
  struct change {
    std::string name;
    std::optional<std::string> value;  ///< nothing: the variable is removed

    friend bool operator==(const change&, const change&) = default;
  };

  /// @throw error errc::invalid_argument for a name that is empty or holds '=' or NUL, and for a value that holds NUL
  overlay& set(std::string name, std::string value);

  /// @throw error errc::invalid_argument for a name that is empty or holds '=' or NUL
  overlay& unset(std::string name);

  /// These changes, and then those of `later`, which win: `a.then(b).applied_to(e)` is `b.applied_to(a.applied_to(e))`.
  [[nodiscard]] overlay then(const overlay& later) const;

  /// A copy of `base` with the changes; `base` stays as it is.
  [[nodiscard]] environment applied_to(environment base) const;

  /// In the order in which they were made.
  [[nodiscard]] const std::vector<change>& changes() const& { return changes_; }
  [[nodiscard]] std::vector<change> changes() && { return std::move(changes_); }
  [[nodiscard]] bool empty() const noexcept { return changes_.empty(); }

  friend bool operator==(const overlay&, const overlay&) = default;

 private:
  void put(change made);

  std::vector<change> changes_;
};

}  // namespace gpuenv::inline v0::env
