// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuenv::inline v0::linalg {

int usable_cpus() noexcept {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));  // more CPUs than a cpu_set_t holds
}

void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& work) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&] {
    try {
      for (std::int64_t block = next++; block < blocks; block = next++) work(block);
    } catch (...) {
      next = blocks;
      const std::scoped_lock lock{failure_mutex};
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> helpers;
  const std::int64_t wanted = std::min<std::int64_t>(blocks, usable_cpus());
  helpers.reserve(static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0)));
  try {
    for (std::int64_t started = 1; started < wanted; ++started) helpers.emplace_back(run);
  } catch (...) {
    // A limit on threads or memory: fewer threads do the same work.
  }
  run();
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gpuenv::inline v0::linalg
