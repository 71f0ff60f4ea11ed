// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "support/gpu_sensors.hpp"

#include <dlfcn.h>

#include <array>

namespace gpuenv_bench {
namespace {

struct nvml_device;

/// The calls in use, with NVML's own signatures; all return 0 for success.
struct nvml_library {
  int (*init)() = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*by_uuid)(const char*, nvml_device**) = nullptr;
  int (*clock)(nvml_device*, int, unsigned*) = nullptr;
  int (*most_clock)(nvml_device*, int, unsigned*) = nullptr;
  int (*temperature)(nvml_device*, int, unsigned*) = nullptr;
  bool is_ready = false;
};

constexpr int sm_clock = 1;
constexpr int memory_clock = 2;
constexpr int gpu_temperature = 0;

template <class F>
bool load(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

const nvml_library& nvml() {
  static const nvml_library loaded = [] {
    nvml_library n;
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    n.is_ready = library != nullptr && load(library, "nvmlInit_v2", n.init) &&
                 load(library, "nvmlSystemGetDriverVersion", n.driver_version) &&
                 load(library, "nvmlDeviceGetHandleByUUID", n.by_uuid) &&
                 load(library, "nvmlDeviceGetClockInfo", n.clock) &&
                 load(library, "nvmlDeviceGetMaxClockInfo", n.most_clock) &&
                 load(library, "nvmlDeviceGetTemperature", n.temperature) && n.init() == 0;
    return n;
  }();
  return loaded;
}

nvml_device* watched = nullptr;

}  // namespace

void watch_gpu(const std::string& uuid) {
  if (!nvml().is_ready || nvml().by_uuid(uuid.c_str(), &watched) != 0) watched = nullptr;
}

std::optional<sensor_reading> read_sensors() {
  sensor_reading now;
  if (watched == nullptr || nvml().clock(watched, sm_clock, &now.sm_clock_mhz) != 0 ||
      nvml().temperature(watched, gpu_temperature, &now.temperature_c) != 0) {
    return std::nullopt;
  }
  return now;
}

std::optional<gpu_clocks> read_clocks() {
  gpu_clocks now;
  if (watched == nullptr || nvml().clock(watched, sm_clock, &now.sm_mhz) != 0 ||
      nvml().most_clock(watched, sm_clock, &now.sm_most_mhz) != 0 ||
      nvml().clock(watched, memory_clock, &now.memory_mhz) != 0) {
    return std::nullopt;
  }
  return now;
}

std::string driver_version() {
  std::array<char, 96> text{};
  if (!nvml().is_ready || nvml().driver_version(text.data(), text.size()) != 0) return {};
  return text.data();
}

}  // namespace gpuenv_bench
