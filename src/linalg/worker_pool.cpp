// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/worker_pool.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <new>

namespace gpuenv::inline v0::linalg {
namespace {

/// How long a thread looks for work, or for the end of it, before it sleeps. Waking 15 threads takes 0.2 ms, as long as
/// a product of 512x512 matrices on 16 cores, and products often follow each other.
constexpr std::chrono::milliseconds patience{2};
/// From then on a CPU that somebody else wants is given up.
constexpr std::chrono::microseconds insistence{50};

void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

/// Looks until `done` or until patience ends.
template <class F>
void look(F&& done) noexcept {
  const auto start = std::chrono::steady_clock::now();
  for (auto waited = start - start; !done() && waited < patience; waited = std::chrono::steady_clock::now() - start) {
    if (waited > insistence) sched_yield();
    for (int turn = 0; turn < 8; ++turn) pause();
  }
}

/// The mutex is held for a few instructions at a time, and all helpers come at once: sleeping for it would take longer.
std::unique_lock<std::mutex> locked(std::mutex& mutex) {
  std::unique_lock lock{mutex, std::defer_lock};
  for (int turn = 0; turn < 200; ++turn) {
    if (lock.try_lock()) return lock;
    pause();
  }
  lock.lock();
  return lock;
}

std::atomic<worker_pool*> current{nullptr};
std::atomic<bool> is_unloaded{false};

/// Ends the threads before their code goes away: at exit, or when a plug-in that holds gpuenv is closed. The pool's
/// memory stays, for a thread that may be in the middle of a product.
struct unloading {
  ~unloading() {
    is_unloaded = true;
    worker_pool* pool = current;
    if (pool != nullptr && pool->process() == getpid()) pool->stop();
  }
} at_unloading;

}  // namespace

worker_pool* worker_pool::get() noexcept {
  if (is_unloaded) return nullptr;
  worker_pool* pool = current.load();
  if (pool != nullptr && pool->process() == getpid()) return pool;
  auto* made = new (std::nothrow) worker_pool;
  // In a forked child the old pool's threads do not exist, and its mutex may be locked for ever: it is left behind.
  if (made == nullptr || current.compare_exchange_strong(pool, made)) return made;
  delete made;
  return pool;  // another thread was faster
}

worker_pool::worker_pool() noexcept : process_{getpid()} {}

void worker_pool::stop() noexcept {
  std::vector<std::thread> workers;
  {
    const std::scoped_lock lock{mutex_};
    stopping_ = true;
    ++arrivals_;
    workers.swap(workers_);
  }
  arrivals_.notify_all();
  for (std::thread& worker : workers) worker.join();
}

void worker_pool::start_workers(int wanted) noexcept {
  if (stopping_ || static_cast<int>(workers_.size()) >= wanted) return;
  // Signals are for the program's own threads, but for those that a fault of the thread itself raises: a program may
  // handle them to fill memory at its first touch, and blocked they end the process.
  sigset_t most;
  sigset_t before;
  sigfillset(&most);
  for (const int fault : {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP}) sigdelset(&most, fault);
  pthread_sigmask(SIG_SETMASK, &most, &before);
  try {
    while (static_cast<int>(workers_.size()) < wanted) workers_.emplace_back([this] { serve(); });
  } catch (...) {
    // A limit on threads or memory: fewer threads do the same work.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void worker_pool::serve() noexcept {
  cpu_set_t mine;
  bool is_known = sched_getaffinity(0, sizeof mine, &mine) == 0;
  for (;;) {
    const int seen = arrivals_;
    if (stopping_) return;  // it is set before arrivals_ changes
    while (block_job* job = join_a_job()) {
      if (job->allowed != nullptr && !(is_known && CPU_EQUAL(&mine, job->allowed))) {
        mine = *job->allowed;
        is_known = sched_setaffinity(0, sizeof mine, &mine) == 0;
      }
      work_on(*job);
      leave(*job);
    }
    look([&] { return arrivals_.load(std::memory_order_relaxed) != seen; });
    arrivals_.wait(seen);
  }
}

block_job* worker_pool::join_a_job() noexcept {
  const auto lock = locked(mutex_);
  for (block_job* job : jobs_) {
    if (stopping_ || job->helpers_wanted == 0 || job->next >= job->blocks) continue;
    --job->helpers_wanted;
    ++job->helpers;
    return job;
  }
  return nullptr;
}

void worker_pool::leave(block_job& job) noexcept {
  const auto lock = locked(mutex_);
  if (--job.helpers == 0) ended_.notify_all();
}

void worker_pool::work_on(block_job& job) noexcept {
  try {
    for (std::int64_t block = job.next++; block < job.blocks; block = job.next++) (*job.work)(block);
  } catch (...) {
    job.next = job.blocks;
    const std::scoped_lock lock{mutex_};
    if (!job.failure) job.failure = std::current_exception();
  }
}

void worker_pool::wait_for_helpers(block_job& job) noexcept {
  look([&] { return job.helpers.load(std::memory_order_relaxed) == 0; });
  auto lock = locked(mutex_);
  std::erase(jobs_, &job);  // from here on nobody joins
  ended_.wait(lock, [&] { return job.helpers == 0; });
}

void worker_pool::run(block_job& job) noexcept {
  bool is_listed = false;
  if (job.helpers_wanted > 0 && job.blocks > 1) {
    const std::scoped_lock lock{mutex_};
    try {
      jobs_.push_back(&job);
      is_listed = true;
      start_workers(job.helpers_wanted);
      ++arrivals_;
    } catch (const std::bad_alloc&) {
      // The caller does it alone.
    }
  }
  if (is_listed) arrivals_.notify_all();
  work_on(job);
  if (is_listed) wait_for_helpers(job);
}

}  // namespace gpuenv::inline v0::linalg
