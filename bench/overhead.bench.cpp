// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What gpuenv's wrappers add to the calls that they wrap: both against a CUDA runtime and driver that do nothing
// (support/null_cudart.cpp), so that only our own instructions differ. Runs on any machine.
#include <gpuenv/cuda/event.hpp>
#include "support/arguments.hpp"
#include "support/context.hpp"
#include "support/rounds.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <stdexcept>

namespace {

using namespace gpuenv_bench;
namespace cuda = gpuenv::cuda;

constexpr int calls = 1'000'000;

/// One stream and one event of a device whose context is current, as in a program at work.
struct cuda_objects {
  cuda::device_ref device = cuda::device_ref::known(0);
  cuda::stream stream{device};
  cuda::event event{device};
};

/// Adds the pair; each call is given the objects, and the compiler may not assume anything between two calls.
template <class Ours, class Raw>
void add(const char* name, const arguments& ours, Ours wrapper, Raw raw) {
  const auto timed = [](auto call) {
    return [objects = std::make_shared<cuda_objects>(), call] {
      return wall_seconds(1,
                          [&] {
                            for (int i = 0; i < calls; ++i) {
                              call(*objects);
                              benchmark::ClobberMemory();
                            }
                          }) /
             calls;
    };
  };
  add_rounds({.name = std::string{"overhead/"} + name,
              .rounds = ours.rounds,
              .prepare =
                  [=] {
                    return std::vector<contender>{{"gpuenv", timed(wrapper)}, {"raw", timed(raw)}};
                  },
              .facts = {{"calls", calls}}});
}

void check_raw(cudaError_t status) {
  if (status != cudaSuccess) [[unlikely]]
    throw std::runtime_error{cudaGetErrorString(status)};
}

}  // namespace

int main(int argc, char** argv) {
  const arguments ours = parse_arguments(argc, argv);
  add_context(gpu_use::none);
  add(
      "event_record", ours, [](cuda_objects& o) { o.event.record(o.stream); },
      [](cuda_objects& o) { check_raw(cudaEventRecord(o.event.get(), o.stream.ref().get())); });
  // CUDA does not keep "not ready" as its last error (seen on driver 580), so neither side has anything to clear.
  add(
      "event_query", ours, [](cuda_objects& o) { benchmark::DoNotOptimize(o.event.is_done()); },
      [](cuda_objects& o) {
        const cudaError_t status = cudaEventQuery(o.event.get());
        if (status != cudaErrorNotReady) check_raw(status);
        benchmark::DoNotOptimize(status == cudaSuccess);
      });
  add(
      "stream_wait", ours, [](cuda_objects& o) { cuda::wait(o.stream, o.event); },
      [](cuda_objects& o) { check_raw(cudaStreamWaitEvent(o.stream.ref().get(), o.event.get(), 0)); });
  add(
      "guard", ours, [](cuda_objects& o) { const cuda::device_guard guard{o.device}; },
      [](cuda_objects& o) {
        int before = 0;
        check_raw(cudaGetDevice(&before));
        if (before != o.device.index()) check_raw(cudaSetDevice(o.device.index()));
      });
  return run_benchmarks();
}
