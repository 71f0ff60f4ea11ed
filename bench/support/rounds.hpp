// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Contenders measured in turn: A B C A B C ... One repetition of a Google Benchmark is one round, so that its JSON
// holds every round with the seconds of each contender, and ratios can be made of pairs that ran side by side.
//   add_rounds({.name = "matmul/fp32/1000", .rounds = 20, .prepare = [] { return std::vector{ours(), theirs()}; }});
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gpuenv_bench {

/// Something that is timed. `seconds` runs the work and returns the seconds of one call; it owns what it needs, and has
/// made a first, cold run before the first round.
struct contender {
  std::string name;  ///< becomes the counter "<name>_s"
  std::function<double()> seconds;
  bool on_all_cores = false;  ///< it gets quiet cores, and leaves threads that spin for a while
};

struct benchmark_rounds {
  std::string name;
  int rounds = 20;
  /// Makes the contenders when the benchmark's first round begins; what the one before held is freed first.
  std::function<std::vector<contender>()> prepare;
  std::vector<std::pair<std::string, double>> facts;  ///< further counters: sizes, bytes
};

/// Registers it with Google Benchmark. An exception ends the benchmark with its text as error.
void add_rounds(benchmark_rounds what);

/// Runs what the command line selects. Returns the exit status: 1 when a benchmark ended with an error or none ran.
[[nodiscard]] int run_benchmarks();

/// Wall seconds of one call: the mean of `calls` of them.
[[nodiscard]] double wall_seconds(int calls, const std::function<void()>& call);

/// How many calls of `seconds` each fill a batch that hides the clock.
[[nodiscard]] int calls_for_batch(double seconds);

}  // namespace gpuenv_bench
