// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Threads that wait for work. Starting 15 threads takes longer than a product of 512x512 matrices on 16 cores.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuenv::inline v0::linalg {

/// One call's blocks. It lives in the caller's frame; the pool's mutex guards `helpers` and `failure`.
struct block_job {
  const std::function<void(std::int64_t)>* work = nullptr;
  std::int64_t blocks = 0;
  int helpers_wanted = 0;              ///< how many more threads may join
  const cpu_set_t* allowed = nullptr;  ///< the caller's CPUs, which helpers keep to; null when unknown
  std::atomic<std::int64_t> next{0};
  std::atomic<int> helpers{0};  ///< threads other than the caller that are in it
  std::exception_ptr failure;
};

/// Any number of callers at a time, also from inside a block: a caller works on its own job, and helpers take the first
/// job that wants them.
class worker_pool {
 public:
  /// The pool of this process: made at the first call, and anew in a forked child. Null once the process exits or the
  /// library is unloaded: callers do without.
  [[nodiscard]] static worker_pool* get() noexcept;

  worker_pool() noexcept;
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;

  /// Runs all blocks on the calling thread and up to `helpers_wanted` others. Returns when no thread is in it any more.
  void run(block_job& job) noexcept;

  /// Ends the threads.
  void stop() noexcept;

  [[nodiscard]] pid_t process() const noexcept { return process_; }

 private:
  void start_workers(int wanted) noexcept;
  void serve() noexcept;
  [[nodiscard]] block_job* join_a_job() noexcept;
  void leave(block_job& job) noexcept;
  void work_on(block_job& job) noexcept;
  void wait_for_helpers(block_job& job) noexcept;

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable ended_;  ///< a helper has left a job
  std::atomic<int> arrivals_{0};   ///< changes when a job comes; an int is what a futex waits for
  std::vector<block_job*> jobs_;
  std::vector<std::thread> workers_;
  std::atomic<bool> stopping_{false};
};

}  // namespace gpuenv::inline v0::linalg
