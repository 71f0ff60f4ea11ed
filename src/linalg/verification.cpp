// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>
#include <gpuenv/linalg/verification.hpp>

#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace gpuenv::inline v0::linalg {
namespace {

std::string number(double value, int digits = 3) {
  std::ostringstream out;
  out << std::setprecision(digits) << value;
  return out.str();
}

std::string place_text(const element_place& place) {
  if (place.row < 0) return {};
  if (place.col < 0) return " in row " + std::to_string(place.row);
  return " at (" + std::to_string(place.row) + ", " + std::to_string(place.col) + ')';
}

void write_comparison(std::ostream& out, const verification& v) {
  out << "\nbound    ";
  if (v.beyond_bound == 0) {
    out << "every error within gamma (|A||B|): at most " << number(v.worst_ratio) << " of it" << place_text(v.worst);
  } else {
    out << v.beyond_bound << " of " << (v.sampled > 0 ? v.sampled : v.checked)
        << " elements beyond gamma (|A||B|), the first" << place_text(v.first_bad) << "; worst "
        << number(v.worst_ratio) << " times the bound" << place_text(v.worst);
  }
  out << "\nerror    " << number(v.rms_units) << " units rms, limit for this precision " << number(v.rms_limit);
  if (!std::isnan(v.relative_error)) out << "; relative " << number(v.relative_error);
  if (v.method == verify_method::freivalds) out << "  (" << v.sampled << " sampled elements)";
  if (v.beyond_precision > 0) {
    out << "\nelement  " << v.beyond_precision << " within the bound, but beyond what this precision does, the first"
        << place_text(v.first_bad);
  }
  if (v.method == verify_method::sample) {
    out << "\nchance   a fault in 1 % of the elements is missed with probability " << number(v.miss_probability);
  }
}

void write_residuals(std::ostream& out, const verification& v) {
  out << "\nrows     " << v.rows_beyond << " of " << v.m << " beyond their threshold";
  if (v.rows_beyond > 0) out << ", the first" << place_text(v.first_bad);
  out << "\nchance   an error of one element above " << number(v.detectable) << " (" << number(v.relative_detectable)
      << " of C's rms) is missed with probability " << number(v.miss_probability);
}

}  // namespace

std::string_view to_string(verify_method method) noexcept {
  switch (method) {
    case verify_method::automatic: return "auto";
    case verify_method::full: return "full";
    case verify_method::sample: return "sample";
    case verify_method::freivalds: return "freivalds";
    case verify_method::none: return "none";
  }
  return "unknown";
}

verify_method parse_verify_method(std::string_view text) {
  for (const auto method : {verify_method::automatic, verify_method::full, verify_method::sample,
                            verify_method::freivalds, verify_method::none}) {
    if (text == to_string(method)) return method;
  }
  throw error{errc::invalid_argument, "verification method '" + std::string{text} + "' is not known",
              "use auto, full, sample, freivalds or none"};
}

std::ostream& operator<<(std::ostream& out, const verification& v) {
  if (v.method == verify_method::none) return out << "verified not asked for";
  const char* verdict = !v.problem.empty() ? "UNDECIDED" : v.passed() ? "yes" : "NO";
  out << "verified " << verdict << ", " << to_string(v.method) << " on the " << (v.on_gpu ? "GPU" : "CPU") << ": "
      << v.checked << (v.method == verify_method::freivalds ? " residuals" : " elements") << " in " << number(v.seconds)
      << " s";
  if (!v.problem.empty()) return out << "\nproblem  " << v.problem;
  if (v.method == verify_method::freivalds) {
    write_residuals(out, v);
  }
  write_comparison(out, v);
  if (v.non_finite_differs > 0) {
    out << "\nspecial  " << v.non_finite_differs << " NaN or Inf where the product has none, or another"
        << place_text(v.first_bad);
  }
  if (v.non_finite_equal > 0) out << "\nspecial  " << v.non_finite_equal << " NaN or Inf, as in the reference";
  if (v.overflow_possible > 0) {
    out << "\nspecial  " << v.overflow_possible << " NaN or Inf where a partial sum may overflow";
  }
  return out;
}

}  // namespace gpuenv::inline v0::linalg
