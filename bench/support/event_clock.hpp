// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Seconds of work on a GPU, from two events around a batch.
#pragma once

#include <gpuenv/cuda/event.hpp>

#include <chrono>

namespace gpuenv_bench {

struct event_clock {
  explicit event_clock(gpuenv::cuda::device_ref device) : stream{device}, start{device}, stop{device} {}

  /// Mean of `calls` calls of `enqueue`, which adds work to `stream`; one call before them is not timed, so that the
  /// GPU has left its idle state.
  template <class F>
  double seconds(int calls, F&& enqueue) {
    enqueue();
    start.record(stream);
    for (int i = 0; i < calls; ++i) enqueue();
    stop.record(stream);
    stop.synchronize();
    return std::chrono::duration<double>{stop - start}.count() / calls;
  }

  gpuenv::cuda::stream stream;
  gpuenv::cuda::timed_event start, stop;
};

}  // namespace gpuenv_bench
