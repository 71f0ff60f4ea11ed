// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The inverse of the normal distribution function, bit for bit the same on GPU and CPU.
///
/// Libraries differ in the last bits of log, so nothing of libm is used but sqrt and fma, which IEEE 754 defines
/// exactly; every multiply-add is spelled out.

#include "host_device.hpp"
#include "rounded.hpp"

#include <cstdint>
#include <cstring>

namespace gpuenv::kernels {

/// c0 + x (c1 + x (c2 + ...)), Horner's rule with one rounding a step.
template <class... Rest>
GPUENV_HD inline double polynomial(double x, double c0, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return c0;
  } else {
    return fma_rn(polynomial(x, rest...), x, c0);
  }
}

/// The natural logarithm of a positive normal number, within two units in the last place.
///
/// x = 2^e m with m in [sqrt(1/2), sqrt(2)); then log m = 2 atanh(s) = 2 s (1 + s^2/3 + s^4/5 + ...) for
/// s = (m - 1) / (m + 1), where |s| < 0.172: after s^20/21 the rest is below 2^-60. ln 2 comes in two parts, the first
/// short enough for e * ln2_hi to be exact (W. Cody, W. Waite, "Software Manual for the Elementary Functions", 1980).
GPUENV_HD inline double natural_log(double x) {
  constexpr double ln2_hi = 0x1.62e42feep-1, ln2_lo = 0x1.a39ef35793c76p-33;
  constexpr std::uint64_t sqrt_half = 0x3FE6A09E667F3BCD, fraction_mask = (1ULL << 52) - 1;

  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  bits -= sqrt_half;  // now the exponent field is e, as the integer that rounds down at m = sqrt(1/2)
  const auto exponent = static_cast<double>(static_cast<std::int64_t>(bits) >> 52);
  bits = (bits & fraction_mask) + sqrt_half;
  double m = 0;
  std::memcpy(&m, &bits, sizeof m);

  const double s = div_rn(sub_rn(m, 1), add_rn(m, 1));
  const double s2 = mul_rn(s, s);
  const double sum =
      polynomial(s2, 1. / 3, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21);
  const double small = fma_rn(mul_rn(add_rn(s, s), s2), sum, mul_rn(exponent, ln2_lo));
  return add_rn(mul_rn(exponent, ln2_hi), add_rn(add_rn(s, s), small));
}

/// The z for which a standard normal variable is below z with probability p. Needs 0 < p < 1, p not subnormal.
///
/// Source: M. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37
/// (1988), routine PPND16, relative error about 1e-16: one rational function for the middle 85%, two for the tails.
GPUENV_HD inline double normal_quantile(double p) {
  const double q = sub_rn(p, 0.5);
  if (q >= -0.425 && q <= 0.425) {
    const double r = fma_rn(-q, q, 0.180625);
    const double numerator = polynomial(r, 3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                        1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                        3.3430575583588128105e4, 2.5090809287301226727e3);
    const double denominator =
        polynomial(r, 1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
                   2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3);
    return mul_rn(q, div_rn(numerator, denominator));
  }

  const double tail = q < 0 ? p : sub_rn(1, p);
  double r = sqrt_rn(-natural_log(tail));
  double numerator = 0, denominator = 0;
  if (r <= 5) {
    r = sub_rn(r, 1.6);
    numerator = polynomial(r, 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
                           3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
                           2.27238449892691845833e-2, 7.74545014278341407640e-4);
    denominator = polynomial(r, 1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
                             1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
                             1.05075007164441684324e-9);
  } else {
    r = sub_rn(r, 5);
    numerator = polynomial(r, 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
                           2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                           2.71155556874348757815e-5, 2.01033439929228813265e-7);
    denominator = polynomial(r, 1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
                             7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
                             2.04426310338993978564e-15);
  }
  const double z = div_rn(numerator, denominator);
  return q < 0 ? -z : z;
}

}  // namespace gpuenv::kernels
