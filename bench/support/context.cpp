// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "support/context.hpp"

#include <gpuenv/base/version.hpp>
#include "support/child.hpp"
#include "support/gpu_sensors.hpp"

#include <benchmark/benchmark.h>
#include <sched.h>

#include <cstdlib>
#include <exception>
#include <fstream>

#if GPUENV_HAS_CUDA
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/device.hpp>
#include <gpuenv/linalg/device_matmul.hpp>
#endif

namespace gpuenv_bench {
namespace {

/// GPUENV_COMMIT, else what git says; as bench/common.sh.
std::string commit() {
  if (const char* given = std::getenv("GPUENV_COMMIT")) return given;
  try {
    const auto git = run_to_end(
        {"git", "-C", GPUENV_SOURCE_DIR, "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=-dirty"});
    if (git.exit_code == 0) return git.output.substr(0, git.output.find('\n'));
  } catch (const std::exception&) {
    // no git here
  }
  return "unknown";
}

std::string cpu_name() {
  std::ifstream facts{"/proc/cpuinfo"};
  for (std::string line; std::getline(facts, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

std::string usable_cpus() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? std::to_string(CPU_COUNT(&allowed)) : "unknown";
}

#if GPUENV_HAS_CUDA
std::string dotted(int version) { return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10); }

void add_gpu(gpu_use use) {
  add_fact("cuda", dotted(CUDART_VERSION));
  if (use == gpu_use::none) return;
  const auto seen = gpuenv::cuda::availability();
  if (!seen.ready()) return add_fact("gpu", "none: " + seen.message());
  const auto properties = gpuenv::cuda::device_ref{0}.properties();
  const std::string uuid = to_string(properties.uuid);
  watch_gpu(uuid);
  add_fact("gpu", properties.name);
  add_fact("gpu_uuid", uuid);
  add_fact("driver", driver_version());
  if (const auto clocks = read_clocks()) {
    add_fact("sm_clock_mhz", std::to_string(clocks->sm_mhz));
    add_fact("sm_clock_most_mhz", std::to_string(clocks->sm_most_mhz));
    add_fact("memory_clock_mhz", std::to_string(clocks->memory_mhz));
  }
}
#endif

}  // namespace

void add_fact(const std::string& name, const std::string& value) { benchmark::AddCustomContext(name, value); }

void add_context([[maybe_unused]] gpu_use use) {
  add_fact("gpuenv", std::string{gpuenv::version_string()});
  add_fact("commit", commit());
  add_fact("compiler", GPUENV_COMPILER);
  add_fact("flags", GPUENV_FLAGS);
  add_fact("cpu", cpu_name());
  add_fact("cpus", usable_cpus());
#if GPUENV_HAS_CUDA
  add_fact("architectures", std::string{gpuenv::built_architectures()});
  add_gpu(use);
#endif
}

}  // namespace gpuenv_bench
