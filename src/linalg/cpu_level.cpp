// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/cpu_level.hpp"

#include <gpuenv/base/error.hpp>

#if defined(GPUENV_CPU_LEVELS)
#include <cpuid.h>
#endif

#include <cstdlib>
#include <string>

namespace gpuenv::inline v0::linalg {
namespace {

#if defined(GPUENV_CPU_LEVELS)

// cpuid itself: __builtin_cpu_supports knows "x86-64-v3" from GCC 12 on, and neither all of its parts in Clang 14.
struct cpu_features {
  unsigned basic_c = 0;     ///< leaf 1, ecx
  unsigned extended_b = 0;  ///< leaf 7, ebx
  unsigned amd_c = 0;       ///< leaf 0x80000001, ecx
  unsigned saved = 0;       ///< register files that the operating system saves (XCR0)
};

cpu_features features() noexcept {
  cpu_features f;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) f.basic_c = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) f.extended_b = b;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d) != 0) f.amd_c = c;
  if ((f.basic_c & bit_OSXSAVE) != 0) {
    unsigned high = 0;
    __asm__ volatile("xgetbv" : "=a"(f.saved), "=d"(high) : "c"(0));
  }
  return f;
}

constexpr bool has_all(unsigned have, unsigned wanted) noexcept { return (have & wanted) == wanted; }

#endif

cpu_level detect() noexcept {
#if defined(GPUENV_CPU_LEVELS)
  constexpr unsigned avx_state = 0x6;      // xmm, ymm
  constexpr unsigned avx512_state = 0xe6;  // and mask registers, upper halves, zmm16 to zmm31
  const cpu_features f = features();
  if (!has_all(f.basic_c, bit_CMPXCHG16B | bit_POPCNT | bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2) ||
      !has_all(f.amd_c, bit_LAHF_LM)) {
    return cpu_level::baseline;
  }
  if (!has_all(f.basic_c, bit_AVX | bit_F16C | bit_FMA | bit_MOVBE | bit_OSXSAVE) ||
      !has_all(f.extended_b, bit_AVX2 | bit_BMI | bit_BMI2) || !has_all(f.amd_c, bit_LZCNT) ||
      !has_all(f.saved, avx_state)) {
    return cpu_level::v2;
  }
  if (!has_all(f.extended_b, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL) ||
      !has_all(f.saved, avx512_state)) {
    return cpu_level::v3;
  }
  return cpu_level::v4;
#else
  return cpu_level::baseline;
#endif
}

constexpr std::string_view names[] = {"baseline", "v2", "v3", "v4"};

}  // namespace

std::string_view to_string(cpu_level level) noexcept {
  switch (level) {
    case cpu_level::baseline: return "baseline";
    case cpu_level::v2: return "x86-64-v2";
    case cpu_level::v3: return "x86-64-v3";
    case cpu_level::v4: return "x86-64-v4";
  }
  return "unknown";
}

cpu_level detected_cpu_level() noexcept {
  static const cpu_level level = detect();
  return level;
}

cpu_level requested_cpu_level(const char* value, cpu_level highest) {
  if (value == nullptr || *value == '\0') return highest;
  for (int level = 0; level < 4; ++level) {
    if (names[level] != value) continue;
    if (level <= static_cast<int>(highest)) return static_cast<cpu_level>(level);
    throw error{errc::not_supported,
                "GPUENV_CPU_LEVEL is '" + std::string{value} + "', and the highest level of this CPU and build is " +
                    std::string{names[static_cast<int>(highest)]},
                "leave it unset for the highest level, or set it to a lower one"};
  }
  throw error{errc::invalid_argument, "GPUENV_CPU_LEVEL is '" + std::string{value} + "'",
              "set it to baseline, v2, v3 or v4, or leave it unset for the highest that this CPU has"};
}

cpu_level chosen_cpu_level() {
  static const cpu_level level = requested_cpu_level(std::getenv("GPUENV_CPU_LEVEL"), detected_cpu_level());
  return level;
}

}  // namespace gpuenv::inline v0::linalg
