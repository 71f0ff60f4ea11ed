// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What NVML tells of the GPU while a benchmark runs. NVML is loaded at run time; without it there are no readings.
#pragma once

#include <optional>
#include <string>

namespace gpuenv_bench {

struct sensor_reading {
  unsigned sm_clock_mhz = 0;
  unsigned temperature_c = 0;
};

/// Chooses the GPU that is read from now on, by its UUID "GPU-...".
void watch_gpu(const std::string& uuid);

/// Of the GPU that is watched; nothing when none is or NVML does not answer.
[[nodiscard]] std::optional<sensor_reading> read_sensors();

struct gpu_clocks {
  unsigned sm_mhz = 0, sm_most_mhz = 0, memory_mhz = 0;
};
[[nodiscard]] std::optional<gpu_clocks> read_clocks();

/// "580.159.04"; empty without NVML.
[[nodiscard]] std::string driver_version();

}  // namespace gpuenv_bench
