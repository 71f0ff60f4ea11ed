// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Streams and events: queues that stand still until somebody runs them.
#include "fakes/cudart/state.hpp"

#include <algorithm>

namespace fake {
namespace {

std::shared_ptr<queue> make_queue(int gpu) {
  auto work = std::make_shared<queue>();
  work->gpu = gpu;
  the_machine().queues.push_back(work);
  return work;
}

/// The default streams exist once a GPU (legacy) or once a GPU and thread.
std::shared_ptr<queue> default_queue(bool per_thread) {
  const int index = gpu_of_current_context();
  static std::map<int, std::pair<unsigned long, std::shared_ptr<queue>>> legacy;
  if (per_thread) {
    auto& own = this_thread().default_streams[index];
    if (own == nullptr) own = make_queue(index);
    return own;
  }
  auto& [generation, shared] = legacy[index];
  if (shared == nullptr || generation != the_machine().generation) {
    generation = the_machine().generation;
    shared = make_queue(index);
  }
  return shared;
}

CUevent_st* find_event(cudaEvent_t event) {
  const auto found = the_machine().events.find(event);
  return found == the_machine().events.end() ? nullptr : found->second.get();
}

}  // namespace

std::shared_ptr<queue> find_queue(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return default_queue(false);
  if (stream == cudaStreamPerThread) return default_queue(true);
  for (const CUstream_st& known : the_machine().streams) {
    if (&known == stream && known.alive) return known.work;
  }
  the_machine().violations.emplace_back("a stream was used after it was destroyed");
  return nullptr;
}

void run_one(queue& work) {
  const operation next = std::move(work.operations.front());
  work.operations.pop_front();
  if (next.waits_for != nullptr) work.clock = std::max(work.clock, next.waits_for->time);
  work.clock += next.milliseconds;
  if (next.work) next.work();
  if (next.marks != nullptr) {
    next.marks->time = work.clock;
    next.marks->done = true;
  }
}

void run_until_done(const std::shared_ptr<point>& place) {
  const auto work = place->in.lock();
  while (!place->done && work != nullptr) {
    if (const auto before = work->operations.front().waits_for; before != nullptr) run_until_done(before);
    run_one(*work);
  }
}

void run_all(queue& work) {
  while (!work.operations.empty()) {
    if (const auto before = work.operations.front().waits_for; before != nullptr) run_until_done(before);
    run_one(work);
  }
}

void run_all_of_gpu(int index) {
  for (const auto& work : std::vector{the_machine().queues}) {
    if (work->gpu == index) run_all(*work);
  }
}

}  // namespace fake

using fake::needs;
using fake::runtime_call;
using fake::the_machine;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return runtime_call("cudaStreamCreateWithPriority", needs::a_context, [&] {
    fake::machine& m = the_machine();
    if (m.free_streams.empty()) m.free_streams.push_back(&m.streams.emplace_back());
    *stream = m.free_streams.back();
    m.free_streams.pop_back();
    **stream = {true, flags, priority, fake::make_queue(fake::gpu_of_current_context())};
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return runtime_call("cudaStreamDestroy", needs::a_context, [&] {
    if (fake::find_queue(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    stream->alive = false;  // its work goes on
    the_machine().free_streams.push_back(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  *flags = stream->flags;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  *priority = stream->priority;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return runtime_call("cudaStreamSynchronize", needs::a_context, [&] {
    const auto work = fake::find_queue(stream);
    if (work == nullptr) return cudaErrorInvalidResourceHandle;
    fake::run_all(*work);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return runtime_call("cudaStreamQuery", needs::a_context, [&] {
    const auto work = fake::find_queue(stream);
    if (work == nullptr) return cudaErrorInvalidResourceHandle;
    return work->operations.empty() ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return runtime_call("cudaStreamWaitEvent", needs::a_context, [&] {
    const auto work = fake::find_queue(stream);
    const CUevent_st* known = fake::find_event(event);
    if (work == nullptr || known == nullptr) return cudaErrorInvalidResourceHandle;
    if (known->at != nullptr) work->operations.push_back({"wait", 0, {}, {}, known->at, nullptr});
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return runtime_call("cudaEventCreateWithFlags", needs::a_context, [&] {
    auto made = std::make_unique<CUevent_st>();
    made->gpu = fake::gpu_of_current_context();
    made->timed = (flags & cudaEventDisableTiming) == 0;
    *event = made.get();
    the_machine().events.emplace(*event, std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return runtime_call("cudaEventDestroy", needs::a_context, [&] {
    return the_machine().events.erase(event) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return runtime_call("cudaEventRecord", needs::a_context, [&] {
    CUevent_st* known = fake::find_event(event);
    const auto work = fake::find_queue(stream);
    if (known == nullptr || work == nullptr || known->gpu != work->gpu) return cudaErrorInvalidResourceHandle;
    known->at = std::make_shared<fake::point>();
    known->at->in = work;
    work->operations.push_back({"record", 0, {}, {}, nullptr, known->at});
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return runtime_call("cudaEventQuery", needs::a_gpu, [&] {
    const CUevent_st* known = fake::find_event(event);
    if (known == nullptr) return cudaErrorInvalidResourceHandle;
    return known->at == nullptr || known->at->done ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return runtime_call("cudaEventSynchronize", needs::a_gpu, [&] {
    const CUevent_st* known = fake::find_event(event);
    if (known == nullptr) return cudaErrorInvalidResourceHandle;
    if (known->at != nullptr) fake::run_until_done(known->at);
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  return runtime_call("cudaEventElapsedTime", needs::a_gpu, [&] {
    const CUevent_st* from = fake::find_event(start);
    const CUevent_st* to = fake::find_event(stop);
    if (from == nullptr || to == nullptr || from->gpu != to->gpu) return cudaErrorInvalidResourceHandle;
    if (!from->timed || !to->timed || from->at == nullptr || to->at == nullptr) return cudaErrorInvalidResourceHandle;
    if (!from->at->done || !to->at->done) return cudaErrorNotReady;
    *milliseconds = to->at->time - from->at->time;
    return cudaSuccess;
  });
}

}  // extern "C"
