// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The state behind the fake runtime; for its own sources only.
#pragma once

#include "fakes/cudart/fake_cudart.hpp"

#include <deque>
#include <map>
#include <memory>
#include <mutex>

namespace fake {

struct queue;

/// A place in a queue that an event marks. Outlives event and stream, as in CUDA.
struct point {
  bool done = false;
  float time = 0;
  std::weak_ptr<queue> in;
};

struct operation {
  std::string what;
  float milliseconds = 0;
  std::vector<const void*> uses;
  std::function<void()> work;
  std::shared_ptr<point> waits_for;
  std::shared_ptr<point> marks;
};

struct queue {
  int gpu = 0;
  float clock = 0;
  std::deque<operation> operations;
};

enum class memory_kind { plain, pinned, managed, pooled };

struct block {
  memory_kind kind;
  int gpu;
  std::size_t bytes;
  CUmemPoolHandle_st* pool;
  bool free_is_queued = false;
};

}  // namespace fake

struct CUctx_st {
  int gpu = 0;
  int times_made = 0;
  bool active = false;
};

struct CUstream_st {
  bool alive = false;
  unsigned flags = 0;
  int priority = 0;
  std::shared_ptr<fake::queue> work;
};

struct CUevent_st {
  int gpu = 0;
  bool timed = false;
  std::shared_ptr<fake::point> at;  // null until recorded
};

struct CUmemPoolHandle_st {
  int gpu = 0;
  std::size_t used = 0;
  std::size_t reserved = 0;
};

namespace fake {

inline constexpr std::size_t most_gpus = 128;

struct fault {
  cudaError_t status;
  int times;
};

/// What CUDA keeps for each thread.
struct thread_state {
  unsigned long generation = 0;
  int ordinal = 0;  // the GPU that cudaSetDevice chose
  std::vector<CUctx_st*> contexts;
  cudaError_t last_error = cudaSuccess;
  std::map<int, std::shared_ptr<queue>> default_streams;
};

struct machine {
  std::recursive_mutex mutex;
  std::vector<gpu_description> gpus;
  std::array<CUctx_st, most_gpus> contexts;
  std::vector<std::unique_ptr<CUmemPoolHandle_st>> pools;
  std::deque<CUstream_st> streams;             // never shrinks: handles stay valid to look at
  std::vector<CUstream_st*> free_streams;      // the last one destroyed is the next one made
  std::vector<std::shared_ptr<queue>> queues;  // of all streams, destroyed ones too
  std::map<CUevent_st*, std::unique_ptr<CUevent_st>> events;
  std::map<const void*, block> blocks;
  std::vector<std::string> calls, silent_contexts, violations;
  std::map<std::string, fault, std::less<>> faults;
  std::function<cudaError_t(std::string_view)> predicate;
  cudaError_t lost = cudaSuccess;
  bool unloading = false;
  unsigned long generation = 0;
  unsigned long threads_seen = 0;
  std::map<unsigned long, thread_state> threads;
};

machine& the_machine();
thread_state& this_thread();

enum class needs { nothing, a_gpu, a_context };

/// Logs a call and answers it from the injected faults; makes a context where the real call does.
cudaError_t enter(const char* call, needs what);

/// Runs the body of a runtime call as the real one runs: under the lock, its failure kept as the thread's last error.
template <class Body>
cudaError_t runtime_call(const char* call, needs what, Body body) {
  const std::scoped_lock lock{the_machine().mutex};
  cudaError_t status = enter(call, what);
  if (status == cudaSuccess) status = body();
  if (status != cudaSuccess && status != cudaErrorNotReady) this_thread().last_error = status;
  return status;
}

bool is_gpu(int index);
CUctx_st* make_context(int gpu);
int gpu_of_current_context();

/// Null for a handle that is not a living stream. The default streams are those of the current context.
std::shared_ptr<queue> find_queue(cudaStream_t stream);
void run_one(queue& work);
void run_all(queue& work);
void run_until_done(const std::shared_ptr<point>& place);
void run_all_of_gpu(int gpu);

/// The allocation that holds this address, or null.
const void* start_of_block(const void* address);
block* find_block(const void* start);
/// Gives the memory back; whoever still has it in a queue is written down, and its work is dropped.
void give_back(const void* start, std::string_view by);

}  // namespace fake
