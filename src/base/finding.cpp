// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/finding.hpp>

#include <ostream>

namespace gpuenv::inline v0 {

std::string_view to_string(severity level) noexcept {
  switch (level) {
    case severity::info: return "info";
    case severity::warning: return "warning";
    case severity::error: return "error";
  }
  return "unknown";
}

std::ostream& operator<<(std::ostream& out, const finding& f) {
  out << to_string(f.level) << " [" << f.code << "]: " << f.cause;
  for (const std::string& line : f.evidence) out << "\n  seen: " << line;
  if (!f.fix.empty()) out << "\n  fix: " << f.fix;
  return out;
}

}  // namespace gpuenv::inline v0
