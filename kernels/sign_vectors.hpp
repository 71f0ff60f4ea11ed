// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host_device.hpp"
#include "philox.hpp"

#include <cstdint>

namespace gpuenv::kernels {

/// Random vectors of +1 and -1 for Freivalds' check, 32 at a time: bit v of word j is the sign of vector v at index j.
inline constexpr int max_sign_vectors = 32;

GPUENV_HD constexpr std::uint32_t sign_word(std::uint64_t seed, std::uint64_t stream, std::int64_t j) {
  return philox4x32(static_cast<std::uint64_t>(j), stream, seed).word[0];
}

/// -1 where the bit is set, otherwise +1.
GPUENV_HD constexpr double sign(std::uint32_t word, int vector) { return (word >> vector) & 1U ? -1.0 : 1.0; }

}  // namespace gpuenv::kernels
