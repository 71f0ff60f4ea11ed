// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The controls of the fake runtime.
#include "fakes/cudart/state.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace fake {

machine& the_machine() {
  static machine& instance = *new machine;  // outlives every static object of a test
  return instance;
}

thread_state& this_thread() {
  machine& m = the_machine();
  const std::scoped_lock lock{m.mutex};
  thread_local const unsigned long number = ++m.threads_seen;  // needs no destructor: objects outlive the thread's own
  thread_state& state = m.threads[number];
  if (state.generation != m.generation) {
    state = {};
    state.generation = m.generation;
  }
  return state;
}

void reset(int count) {
  machine& m = the_machine();
  const std::scoped_lock lock{m.mutex};
  for (const auto& [start, what] : m.blocks) std::free(const_cast<void*>(start));
  m.blocks.clear();
  m.events.clear();
  m.queues.clear();
  m.free_streams.clear();
  m.streams.clear();
  for (auto& pool : m.pools) pool->used = pool->reserved = 0;
  m.faults.clear();
  m.predicate = nullptr;
  m.lost = cudaSuccess;
  m.unloading = false;
  m.calls.clear();
  m.silent_contexts.clear();
  m.violations.clear();
  m.gpus.assign(static_cast<std::size_t>(count), {});
  for (std::size_t i = 0; i < m.gpus.size(); ++i) {
    m.gpus[i].name = "Fake GPU " + std::to_string(i);
    m.gpus[i].uuid.fill(static_cast<unsigned char>(0xa0 + i));
    m.gpus[i].pci_bus = static_cast<int>(0x41 + i);
    m.contexts[i].gpu = static_cast<int>(i);
  }
  ++m.generation;
}

gpu_description& gpu(int index) { return the_machine().gpus.at(static_cast<std::size_t>(index)); }

std::vector<std::string> calls() {
  const std::scoped_lock lock{the_machine().mutex};
  return the_machine().calls;
}

std::size_t count(std::string_view call) {
  const std::scoped_lock lock{the_machine().mutex};
  return static_cast<std::size_t>(std::ranges::count(the_machine().calls, call));
}

void clear_calls() { the_machine().calls.clear(); }

std::vector<std::string> silent_contexts() { return the_machine().silent_contexts; }

int contexts_made(int index) { return the_machine().contexts.at(static_cast<std::size_t>(index)).times_made; }

std::size_t live_objects() {
  machine& m = the_machine();
  const std::scoped_lock lock{m.mutex};
  const auto streams = std::ranges::count_if(m.streams, [](const CUstream_st& s) { return s.alive; });
  return static_cast<std::size_t>(streams) + m.events.size() + m.blocks.size();
}

std::size_t used_bytes(int index) {
  machine& m = the_machine();
  const std::scoped_lock lock{m.mutex};
  std::size_t bytes = 0;
  for (const auto& [start, what] : m.blocks) {
    const bool on_gpu = what.kind == memory_kind::plain || what.kind == memory_kind::managed;
    if (on_gpu && what.gpu == index) bytes += what.bytes;
  }
  for (const auto& pool : m.pools) {
    if (pool->gpu == index) bytes += pool->reserved;
  }
  return bytes;
}

std::vector<std::string> violations() { return the_machine().violations; }

std::optional<int> current_gpu() {
  const auto& contexts = this_thread().contexts;
  return contexts.empty() ? std::nullopt : std::optional<int>{contexts.back()->gpu};
}

void make_current(std::optional<int> index) {
  this_thread().contexts.clear();
  if (index) this_thread().contexts.push_back(make_context(*index));
}

void leave_error(cudaError_t status) { this_thread().last_error = status; }

void fail_next(std::string call, cudaError_t status, int times) {
  the_machine().faults[std::move(call)] = {status, times};
}

void fail_when(std::function<cudaError_t(std::string_view)> predicate) {
  the_machine().predicate = std::move(predicate);
}

void lose_gpus(cudaError_t status) { the_machine().lost = status; }

void shut_down() { the_machine().unloading = true; }

void launch(cudaStream_t stream, float milliseconds, std::vector<const void*> uses, std::function<void()> work) {
  const std::scoped_lock lock{the_machine().mutex};
  const auto target = find_queue(stream);
  if (target == nullptr) throw std::invalid_argument{"fake::launch: not a stream"};
  target->operations.push_back({"kernel", milliseconds, std::move(uses), std::move(work), nullptr, nullptr});
}

void run(cudaStream_t stream) {
  const std::scoped_lock lock{the_machine().mutex};
  const auto target = find_queue(stream);
  if (target == nullptr) throw std::invalid_argument{"fake::run: not a stream"};
  while (!target->operations.empty()) {
    const auto& place = target->operations.front().waits_for;
    if (place != nullptr && !place->done) return;
    run_one(*target);
  }
}

void run_everything() {
  const std::scoped_lock lock{the_machine().mutex};
  for (const auto& work : std::vector{the_machine().queues}) run_all(*work);
}

std::size_t pending(cudaStream_t stream) {
  const std::scoped_lock lock{the_machine().mutex};
  const auto target = find_queue(stream);
  return target == nullptr ? 0 : target->operations.size();
}

}  // namespace fake
