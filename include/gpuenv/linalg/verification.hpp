// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What a verification was asked to do and what it found.
#pragma once

#include <gpuenv/base/export.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace gpuenv::inline v0::linalg {

enum class verify_method {
  automatic,  ///< full where that is cheap, else freivalds, and full again where vectors raise a doubt
  full,       ///< every element against a reference in higher precision
  sample,     ///< random elements against that reference
  freivalds,  ///< random vectors of +-1, C x against A (B x), for gross errors, and a sample for precision
  none,
};

[[nodiscard]] GPUENV_EXPORT std::string_view to_string(verify_method method) noexcept;
/// @throws error (errc::invalid_argument) naming the text and the accepted words.
[[nodiscard]] GPUENV_EXPORT verify_method parse_verify_method(std::string_view text);

struct verify_options {
  verify_method method = verify_method::automatic;
  std::uint64_t seed = 0;       ///< of the sampled places and of the vectors
  std::int64_t samples = 1024;  ///< elements that `sample` looks at
  int vectors = 20;  ///< that `freivalds` uses, 1 to 32; a fault above its threshold is missed with 2^-vectors
};

/// A place in C; row and col are -1 where there is none.
struct element_place {
  std::int64_t row = -1;
  std::int64_t col = -1;
};

struct verification {
  verify_method method = verify_method::none;
  bool on_gpu = false;
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t checked = 0;  ///< elements (full, sample) or rows times vectors (freivalds)

  // Non-finite values are compared by kind (NaN, +Inf, -Inf) and place.
  std::int64_t non_finite_equal = 0;    ///< places where C and the reference hold the same
  std::int64_t non_finite_differs = 0;  ///< places where they do not
  /// Places where C is not finite and the reference is, but a partial sum may overflow: allowed, and counted.
  std::int64_t overflow_possible = 0;

  // full and sample, and freivalds for its sampled elements
  std::int64_t beyond_bound = 0;  ///< elements with |C - Cref| > gamma (|alpha||A||B| + |beta||C0|)
  /// Elements within that bound whose error no arithmetic of C's precision makes on such data, but for 1e-9.
  std::int64_t beyond_precision = 0;
  double worst_ratio = 0;  ///< largest |C - Cref| over that bound
  element_place worst{};
  element_place first_bad{};  ///< in row-major order
  double rms_units = 0;       ///< rms of |C - Cref| / (u (|alpha||A||B| + |beta||C0|)): tells precisions apart
  double rms_limit = 0;       ///< what rms_units stays under for arithmetic of C's own precision
  double relative_error = 0;  ///< ||C - Cref|| / ||Cref||, Frobenius; NaN where squares leave the range of double

  // freivalds; the fields above then speak of `sampled` elements
  std::int64_t sampled = 0;
  std::int64_t rows_beyond = 0;    ///< rows with a residual above their threshold
  double detectable = 0;           ///< an error of one element above this is found, except with miss_probability
  double relative_detectable = 0;  ///< the same, over the root mean square of C

  /// freivalds: that a detectable error is missed. sample: that a fault in 1 % of the elements is missed.
  double miss_probability = 0;

  double seconds = 0;   ///< wall time of the verification
  std::string problem;  ///< why nothing could be decided; empty when something could

  /// Every element within the any-order bound, and no non-finite value where it should not be.
  [[nodiscard]] bool within_bound() const noexcept {
    return problem.empty() && beyond_bound == 0 && rows_beyond == 0 && non_finite_differs == 0;
  }
  /// The errors are as small as arithmetic in C's precision makes them.
  [[nodiscard]] bool at_precision() const noexcept { return beyond_precision == 0 && rms_units <= rms_limit; }
  /// True for a product that is right to its precision; also when nothing was asked for (method none).
  [[nodiscard]] bool passed() const noexcept { return within_bound() && at_precision(); }
};

/// One line per statement: verdict and method, bound, precision or threshold, non-finite values.
GPUENV_EXPORT std::ostream& operator<<(std::ostream& out, const verification& v);

}  // namespace gpuenv::inline v0::linalg
