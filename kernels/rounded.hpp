// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// IEEE 754 operations that are rounded once, to nearest even, and never fused with a neighbour.
///
/// `a * b + c` may become one fused multiply-add, with one rounding instead of two, whenever the compiler likes; nvcc
/// and GCC like it at different places, and then GPU and CPU differ in the last bit. Where bits matter (random numbers,
/// double-double sums, verdicts) we therefore say which operation we mean. On the GPU these are intrinsics that the
/// compiler must not merge. On the CPU they are the plain operators, so the file that includes this header has to be
/// compiled with -ffp-contract=off (GCC fuses by default as soon as the target has FMA).

#include "host_device.hpp"

#include <cmath>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "gpuenv needs IEEE arithmetic: without -ffast-math and -ffinite-math-only, which lose NaN and Inf"
#endif

namespace gpuenv::kernels {

GPUENV_HD inline double add_rn(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}

GPUENV_HD inline double sub_rn(double a, double b) { return add_rn(a, -b); }

GPUENV_HD inline double mul_rn(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

GPUENV_HD inline float add_rn(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}

GPUENV_HD inline float mul_rn(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

GPUENV_HD inline double div_rn(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __ddiv_rn(a, b);
#else
  return a / b;
#endif
}

GPUENV_HD inline double sqrt_rn(double a) {
#if defined(__CUDA_ARCH__)
  return __dsqrt_rn(a);
#else
  return std::sqrt(a);
#endif
}

/// a * b + c with one rounding.
GPUENV_HD inline double fma_rn(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

GPUENV_HD inline float fma_rn(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

}  // namespace gpuenv::kernels
