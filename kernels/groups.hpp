// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host_device.hpp"

#include <cstdint>

namespace gpuenv::kernels {

/// How many groups of `size` hold `items`, the last one perhaps not full. (items + size - 1) / size could overflow.
GPUENV_HD constexpr std::int64_t groups_of(std::int64_t size, std::int64_t items) {
  return items / size + (items % size != 0 ? 1 : 0);
}

}  // namespace gpuenv::kernels
