// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/cpu_kernels.hpp"

#include <Eigen/Core>  // for its version alone

namespace gpuenv::inline v0::linalg {

const cpu_kernels& cpu_kernels::of(cpu_level level) noexcept {
#if defined(GPUENV_CPU_LEVELS)
  static constexpr cpu_kernels table[] = {{cpu_baseline::multiply, cpu_baseline::multiply},
                                          {cpu_v2::multiply, cpu_v2::multiply},
                                          {cpu_v3::multiply, cpu_v3::multiply},
                                          {cpu_v4::multiply, cpu_v4::multiply}};
  return table[static_cast<int>(level)];
#else
  static_cast<void>(level);
  static constexpr cpu_kernels only{cpu_baseline::multiply, cpu_baseline::multiply};
  return only;
#endif
}

std::string eigen_version() {
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + '.' + std::to_string(EIGEN_MAJOR_VERSION) + '.' +
         std::to_string(EIGEN_MINOR_VERSION);
}

}  // namespace gpuenv::inline v0::linalg
