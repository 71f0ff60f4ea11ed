// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host_device.hpp"
#include "normal_quantile.hpp"
#include "philox.hpp"

#include <cstdint>
#include <type_traits>

namespace gpuenv::kernels {

enum class distribution {
  uniform,  ///< [0, 1): a multiple of 2^-24 for float, of 2^-53 for double
  normal,   ///< mean 0, standard deviation 1
};

/// Random number `index` of stream `stream` of seed `seed`: the same bits on every machine, GPU or CPU.
///
/// For element (i, j) of a matrix the index is i * cols + j, whatever the layout in memory, so a row-major and a
/// column-major matrix of one seed are equal. Matrices of one program differ by their stream.
///
/// Each number has a Philox block to itself and uses half of it: simpler than sharing a block, and cheap all the same.
template <class T>
GPUENV_HD inline T random_value(distribution kind, std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "random_value makes float or double");
  const philox_block block = philox4x32(index, stream, seed);
  const std::uint64_t bits = (static_cast<std::uint64_t>(block.word[1]) << 32) | block.word[0];

  if (kind == distribution::uniform) {
    // As many bits as the significand holds, so that nothing is rounded and 1 cannot occur.
    if constexpr (std::is_same_v<T, float>) {
      return static_cast<float>(bits >> 40) * 0x1p-24f;
    } else {
      return static_cast<double>(bits >> 11) * 0x1p-53;
    }
  }
  // The midpoints of 2^52 equal intervals: never 0 or 1, where the quantile is infinite, and symmetrical about 1/2.
  const double midpoint = fma_rn(static_cast<double>(bits >> 12), 0x1p-52, 0x1p-53);
  return static_cast<T>(normal_quantile(midpoint));
}

}  // namespace gpuenv::kernels
