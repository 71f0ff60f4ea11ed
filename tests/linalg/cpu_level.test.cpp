// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/cpu_level.hpp"

#include <gpuenv/base/error.hpp>
#include "support/catch.hpp"

#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>
#include <string>

using namespace gpuenv::linalg;
using gpuenv::errc;
using gpuenv::error;

namespace {

constexpr cpu_level all_levels[] = {cpu_level::baseline, cpu_level::v2, cpu_level::v3, cpu_level::v4};
constexpr const char* names[] = {"baseline", "v2", "v3", "v4"};

/// What Linux says about the first CPU; it leaves out what the operating system does not save.
std::set<std::string> flags_of_linux() {
  std::ifstream facts{"/proc/cpuinfo"};
  for (std::string line; std::getline(facts, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words{line.substr(line.find(':') + 1)};
    std::set<std::string> flags;
    for (std::string word; words >> word;) flags.insert(word);
    return flags;
  }
  return {};
}

/// The levels of the x86-64 psABI in the words of Linux: pni is SSE3, abm is LZCNT.
cpu_level level_of(const std::set<std::string>& flags) {
  const auto has = [&](std::initializer_list<const char*> wanted) {
    for (const char* flag : wanted) {
      if (!flags.contains(flag)) return false;
    }
    return true;
  };
  if (!has({"cx16", "lahf_lm", "popcnt", "pni", "ssse3", "sse4_1", "sse4_2"})) return cpu_level::baseline;
  if (!has({"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"})) return cpu_level::v2;
  if (!has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})) return cpu_level::v3;
  return cpu_level::v4;
}

error refusal_of(const char* value, cpu_level highest) {
  try {
    static_cast<void>(requested_cpu_level(value, highest));
  } catch (const error& e) {
    return e;
  }
  FAIL(value << " was accepted");
  throw 0;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("The detected level is the one that Linux's flags of the CPU make") {
  const std::set<std::string> flags = flags_of_linux();
  const cpu_level detected = detected_cpu_level();
  CHECK(detected == detected_cpu_level());
  if (flags.empty() || detected == cpu_level::baseline) {
    WARN("nothing to compare: no x86 flags in /proc/cpuinfo, or a build without levels");
    return;
  }
  CHECK(to_string(detected) == to_string(level_of(flags)));
}

TEST_CASE("Every level up to the highest can be asked for by name, and nothing asked for is the highest") {
  for (const cpu_level highest : all_levels) {
    CHECK(requested_cpu_level(nullptr, highest) == highest);
    CHECK(requested_cpu_level("", highest) == highest);
    for (const cpu_level level : all_levels) {
      if (level <= highest) CHECK(requested_cpu_level(names[static_cast<int>(level)], highest) == level);
    }
  }
}

TEST_CASE("A level above the highest is refused with the variable, the value and the highest") {
  for (const cpu_level highest : all_levels) {
    for (const cpu_level level : all_levels) {
      if (level <= highest) continue;
      const std::string asked = names[static_cast<int>(level)];
      const error e = refusal_of(asked.c_str(), highest);
      CHECK(e.code() == errc::not_supported);
      CHECK(has(e.attempted(), "GPUENV_CPU_LEVEL is '" + asked + "'"));
      CHECK(has(e.attempted(),
                std::string{"the highest level of this CPU and build is "} + names[static_cast<int>(highest)]));
      CHECK(has(e.hint(), "leave it unset"));
    }
  }
}

TEST_CASE("What names no level is refused with the variable, the value and the levels") {
  for (const char* value : {"nonsense", "V2", " v2", "v2 ", "v", "v5", "2", "x86-64-v2", "avx2"}) {
    const error e = refusal_of(value, cpu_level::v4);
    CHECK(e.code() == errc::invalid_argument);
    CHECK(has(e.attempted(), std::string{"GPUENV_CPU_LEVEL is '"} + value + "'"));
    CHECK(has(e.hint(), "baseline, v2, v3 or v4"));
  }
}
