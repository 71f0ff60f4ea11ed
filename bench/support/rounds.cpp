// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "support/rounds.hpp"

#include "support/gpu_sensors.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>

namespace gpuenv_bench {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_contenders{5};
/// OpenMP's threads wait for more work by spinning, some 20 ms; those of OpenBLAS, by yielding, up to 130 ms (2^28
/// cycles).
constexpr std::chrono::milliseconds until_threads_sleep{100};

/// The contenders of the benchmark that runs now, kept from its first round to its last.
struct prepared_rounds {
  std::string name;
  std::vector<contender> contenders;
};

bool any_failed = false;

const std::vector<contender>& contenders_of(const benchmark_rounds& what) {
  static std::optional<prepared_rounds> current;
  if (!current || current->name != what.name) {
    current.reset();
    current.emplace(prepared_rounds{what.name, what.prepare()});
  }
  return current->contenders;
}

void run_round(benchmark::State& state, const benchmark_rounds& what) {
  const auto& contenders = contenders_of(what);
  while (state.KeepRunning()) {
    double first = 0;
    bool were_cores_used = true;
    for (const contender& c : contenders) {
      std::this_thread::sleep_for(were_cores_used || c.on_all_cores ? until_threads_sleep : between_contenders);
      were_cores_used = c.on_all_cores;
      const double seconds = c.seconds();
      state.counters[c.name + "_s"] = seconds;
      if (&c == &contenders.front()) first = seconds;
    }
    state.SetIterationTime(first);
  }
  for (const auto& [name, value] : what.facts) state.counters[name] = value;
  if (const auto now = read_sensors()) {
    state.counters["sm_clock_mhz"] = now->sm_clock_mhz;
    state.counters["temperature_c"] = now->temperature_c;
  }
}

}  // namespace

void add_rounds(benchmark_rounds what) {
  const std::string name = what.name;
  const int rounds = what.rounds;
  benchmark::RegisterBenchmark(name.c_str(),
                               [what = std::make_shared<benchmark_rounds>(std::move(what))](benchmark::State& state) {
                                 try {
                                   run_round(state, *what);
                                 } catch (const std::exception& failure) {
                                   any_failed = true;
                                   state.SkipWithError(failure.what());
                                 }
                               })
      ->Iterations(1)
      ->Repetitions(rounds)
      ->ReportAggregatesOnly(false)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

int run_benchmarks() {
  const std::size_t ran = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return ran == 0 || any_failed ? 1 : 0;
}

double wall_seconds(int calls, const std::function<void()>& call) {
  const auto start = clock::now();
  for (int i = 0; i < calls; ++i) call();
  return std::chrono::duration<double>{clock::now() - start}.count() / calls;
}

int calls_for_batch(double seconds) {
  constexpr double batch = 5e-3;
  constexpr double most = 1000;
  return static_cast<int>(std::clamp(std::ceil(batch / std::max(seconds, 1e-9)), 1.0, most));
}

}  // namespace gpuenv_bench
