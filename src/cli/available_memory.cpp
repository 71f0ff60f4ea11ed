// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/available_memory.hpp"

#include <gpuenv/base/error.hpp>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

namespace gpuenv::inline v0::cli {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> machine_memory(const fs::path& root) {
  std::ifstream facts{root / "proc/meminfo"};
  std::optional<std::uint64_t> kibibytes;
  for (std::string line; std::getline(facts, line);) {
    std::istringstream words{line};
    std::string name;
    std::uint64_t value = 0;
    if (words >> name >> value && (name == "MemAvailable:" || name == "SwapFree:")) {
      kibibytes = kibibytes.value_or(0) + value;
    }
  }
  return kibibytes ? std::optional{*kibibytes * 1024} : std::nullopt;
}

/// "max", as version 2 writes for no limit, does not read as a number.
std::optional<std::uint64_t> container_limit(const fs::path& root) {
  for (const char* name : {"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t bytes = 0;
    if (std::ifstream{root / name} >> bytes) return bytes;
  }
  return std::nullopt;
}

std::string gibibytes(std::uint64_t bytes) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(1) << static_cast<double>(bytes) / (1U << 30) << " GiB";
  return out.str();
}

}  // namespace

std::optional<std::uint64_t> available_memory(const fs::path& root) {
  const auto machine = machine_memory(root);
  const auto limit = container_limit(root);
  return machine && limit ? std::min(machine, limit) : machine ? machine : limit;
}

void require_memory(std::uint64_t bytes, const char* what) {
  const auto available = available_memory();
  if (!available || bytes <= *available) return;
  throw error{errc::out_of_memory,
              "matmul: " + std::string{what} + " need " + gibibytes(bytes) + " of host memory, " +
                  gibibytes(*available) + " can be had",
              "use smaller sizes or a machine with more memory"};
}

}  // namespace gpuenv::inline v0::cli
