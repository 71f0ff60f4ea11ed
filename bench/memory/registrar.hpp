// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Benchmarks of memory: gpuenv's call and the CUDA call below it as the contenders of interleaved rounds.
#pragma once

#include "support/event_clock.hpp"
#include "support/rounds.hpp"

#include <cstddef>
#include <memory>

namespace gpuenv_bench {

inline constexpr std::size_t mib = 1 << 20;

inline void check(cudaError_t status) { gpuenv::cuda::check(status, "raw CUDA call"); }

struct registrar {
  gpuenv::cuda::device_ref device;
  int rounds;

  /// @param moved bytes that one call moves or allocates
  void add(const std::string& name, std::size_t size, double moved,
           std::function<std::vector<contender>()> prepare) const {
    add_rounds({.name = "memory/" + name + '/' + std::to_string(size),
                .rounds = rounds,
                .prepare = std::move(prepare),
                .facts = {{"bytes", moved}}});
  }
};

/// Both as batches between events on one stream.
template <class State, class Ours, class Raw>
std::vector<contender> by_events(const std::shared_ptr<State>& state, Ours ours, Raw raw) {
  const auto timed = [&](auto call) {
    const int calls = calls_for_batch(state->clock.seconds(1, [&] { call(*state); }));
    return [state, calls, call] { return state->clock.seconds(calls, [&] { call(*state); }); };
  };
  return {{"gpuenv", timed(ours)}, {"raw", timed(raw)}};
}

/// Both by the wall clock; each call returns when its work is done.
template <class State, class Ours, class Raw>
std::vector<contender> by_wall(const std::shared_ptr<State>& state, Ours ours, Raw raw) {
  const auto timed = [&](auto call) {
    call(*state);
    const int calls = calls_for_batch(wall_seconds(1, [&] { call(*state); }));
    return [state, calls, call] { return wall_seconds(calls, [&] { call(*state); }); };
  };
  return {{"gpuenv", timed(ours)}, {"raw", timed(raw)}};
}

void add_copies(const registrar& r);
void add_allocation(const registrar& r);
void add_unified_memory(const registrar& r);

}  // namespace gpuenv_bench
