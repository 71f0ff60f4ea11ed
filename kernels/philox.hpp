// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host_device.hpp"

#include <cstdint>

namespace gpuenv::kernels {

/// 128 random bits.
struct philox_block {
  std::uint32_t word[4];
};

/// Philox4x32-10: a keyed bijection that turns a 128-bit counter into 128 random bits.
///
/// A counter-based generator has no state to carry along: random number i is a function of i alone, so any thread of
/// any machine can make it, in any order. That lets GPU and CPU fill the same matrix with the same bits.
///
/// Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 3.3.
/// Words 0 and 1 of the paper's counter are counter_lo, low half first; likewise words 2 and 3, and the key.
GPUENV_HD constexpr philox_block philox4x32(std::uint64_t counter_lo, std::uint64_t counter_hi, std::uint64_t key) {
  constexpr std::uint64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9;  // golden ratio
  constexpr std::uint32_t weyl_1 = 0xBB67AE85;  // sqrt(3) - 1
  constexpr int rounds = 10;

  auto c0 = static_cast<std::uint32_t>(counter_lo), c1 = static_cast<std::uint32_t>(counter_lo >> 32);
  auto c2 = static_cast<std::uint32_t>(counter_hi), c3 = static_cast<std::uint32_t>(counter_hi >> 32);
  auto key_0 = static_cast<std::uint32_t>(key), key_1 = static_cast<std::uint32_t>(key >> 32);

  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product_0 = multiplier_0 * c0, product_1 = multiplier_1 * c2;
    c0 = static_cast<std::uint32_t>(product_1 >> 32) ^ c1 ^ key_0;
    c1 = static_cast<std::uint32_t>(product_1);
    c2 = static_cast<std::uint32_t>(product_0 >> 32) ^ c3 ^ key_1;
    c3 = static_cast<std::uint32_t>(product_0);
    key_0 += weyl_0;
    key_1 += weyl_1;
  }
  return {{c0, c1, c2, c3}};
}

}  // namespace gpuenv::kernels
