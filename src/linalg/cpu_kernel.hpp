// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The border to the code that is compiled once for each instruction set (cpu_kernel.cpp). Only plain structs cross it,
// and this header holds no function with a body: one compiled with AVX-512 could win at link time and run everywhere.
#pragma once

#include <cstdint>

namespace gpuenv::inline v0::linalg {

/// c += alpha a b for column-major c; a and b lie by columns or by rows, `leading` elements apart.
template <class T>
struct product_block {
  const T* a;
  const T* b;
  T* c;
  std::int64_t a_leading, b_leading, c_leading;
  bool a_by_columns, b_by_columns;
  std::int64_t m, n, k;
  T alpha;
};

namespace cpu_baseline {
void multiply(const product_block<float>& block);
void multiply(const product_block<double>& block);
}  // namespace cpu_baseline

#if defined(GPUENV_CPU_LEVELS)
namespace cpu_v2 {
void multiply(const product_block<float>& block);
void multiply(const product_block<double>& block);
}  // namespace cpu_v2
namespace cpu_v3 {
void multiply(const product_block<float>& block);
void multiply(const product_block<double>& block);
}  // namespace cpu_v3
namespace cpu_v4 {
void multiply(const product_block<float>& block);
void multiply(const product_block<double>& block);
}  // namespace cpu_v4
#endif

}  // namespace gpuenv::inline v0::linalg
