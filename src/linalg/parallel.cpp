// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/parallel.hpp"

#include "linalg/worker_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <limits>
#include <thread>

namespace gpuenv::inline v0::linalg {
namespace {

struct cpus {
  cpu_set_t set;
  bool is_known;  ///< false where there are more CPUs than a cpu_set_t holds
  int count;
};

cpus allowed_cpus() noexcept {
  cpus result;
  result.is_known = sched_getaffinity(0, sizeof result.set, &result.set) == 0;
  result.count = result.is_known ? CPU_COUNT(&result.set) : static_cast<int>(std::thread::hardware_concurrency());
  result.count = std::max(1, result.count);
  return result;
}

}  // namespace

int usable_cpus() noexcept { return allowed_cpus().count; }

void for_each_block(std::int64_t blocks, int threads, const std::function<void(std::int64_t)>& work) {
  const cpus allowed = allowed_cpus();
  worker_pool* pool = nullptr;
  if (blocks > 1 && threads > 1 && allowed.count > 1) pool = worker_pool::get();
  if (pool == nullptr) {
    for (std::int64_t block = 0; block < blocks; ++block) work(block);
    return;
  }
  block_job job;
  job.work = &work;
  job.blocks = blocks;
  job.helpers_wanted = static_cast<int>(std::min<std::int64_t>(blocks, std::min(threads, allowed.count))) - 1;
  job.allowed = allowed.is_known ? &allowed.set : nullptr;
  pool->run(job);
  if (job.failure) std::rethrow_exception(job.failure);
}

void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& work) {
  for_each_block(blocks, std::numeric_limits<int>::max(), work);
}

}  // namespace gpuenv::inline v0::linalg
