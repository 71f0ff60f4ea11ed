// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The pool where processes begin and end.
#include "linalg/blocks_by_thread.hpp"
#include "linalg/parallel.hpp"
#include "linalg/worker_pool.hpp"
#include "support/catch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

// Sanitizers take locks of their own that a forked child of several threads may find locked for ever.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool can_fork = false;
#else
constexpr bool can_fork = true;
#endif

bool all_blocks_run() {
  blocks_by_thread seen{100};
  for_each_block(100, [&](std::int64_t block) { seen.note(block); });
  return seen.each_once();
}

/// The exit code of a forked child that runs `work`; -1 when a signal ended it, SIGALRM after a minute among them.
template <class F>
int code_of_child(F&& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    work();
    _exit(99);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

bool is_last_product_wanted = false;

/// This file's static objects are made before those of the libraries, and end after them.
const struct last_product {
  ~last_product() {
    if (is_last_product_wanted) _exit(all_blocks_run() && worker_pool::get() == nullptr ? 42 : 43);
  }
} at_the_very_end;

}  // namespace

TEST_CASE("A child forked while other threads use the pool has a pool of its own") {
  if (!can_fork) return;
  std::atomic<bool> is_done{false};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      while (!is_done) all_blocks_run();
    });
  }
  for (int child = 0; child < 40; ++child) {
    CHECK(code_of_child([] { _exit(all_blocks_run() && worker_pool::get()->process() == getpid() ? 7 : 8); }) == 7);
  }
  is_done = true;
  for (std::thread& caller : callers) caller.join();
  CHECK(all_blocks_run());
}

TEST_CASE("A process ends while its helpers wait, and what multiplies after them works alone") {
  if (!can_fork) return;
  CHECK(code_of_child([] {
          static_cast<void>(all_blocks_run());
          is_last_product_wanted = true;
          std::exit(0);
        }) == 42);
}

TEST_CASE("A process ends while another thread is in the middle of its blocks") {
  if (!can_fork) return;
  const int code = code_of_child([] {
    std::thread{[] {
      for (;;) all_blocks_run();
    }}.detach();
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    std::exit(5);
  });
  CHECK(code == 5);
}
