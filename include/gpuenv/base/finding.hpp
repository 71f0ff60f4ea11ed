// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A finding: one thing that a probe or a check has to say, for people and for programs. Probes return findings and
// never throw.
#pragma once

#include <gpuenv/base/export.hpp>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace gpuenv::inline v0 {

enum class severity { info, warning, error };

[[nodiscard]] GPUENV_EXPORT std::string_view to_string(severity level) noexcept;

struct finding {
  std::string code;  ///< stable, for scripts: "driver-too-old"
  severity level = severity::info;
  std::string cause;                  ///< one sentence for the reader
  std::vector<std::string> evidence;  ///< what was seen, one fact a line
  std::string fix;                    ///< what to do; may be empty
};

/// Prints "error [driver-too-old]: cause", then the evidence and the fix, indented.
GPUENV_EXPORT std::ostream& operator<<(std::ostream& out, const finding& f);

}  // namespace gpuenv::inline v0
