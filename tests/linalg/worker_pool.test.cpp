// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/worker_pool.hpp"

#include "linalg/blocks_by_thread.hpp"
#include "linalg/parallel.hpp"
#include "support/catch.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <functional>

using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

bool has_helpers() {
  if (usable_cpus() > 1) return true;
  WARN("one CPU: no helpers");
  return false;
}

/// Runs `work` on a helper; the caller waits in a block of its own until a helper has come.
template <class F>
bool on_a_helper(F&& work) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> came{0};
  std::atomic<bool> is_late{false};
  for_each_block(2, 2, [&](std::int64_t) {
    if (std::this_thread::get_id() == caller) {
      if (!wait_until([&] { return came != 0; })) is_late = true;
    } else if (came.fetch_add(1) == 0) {
      work();
    }
  });
  return came != 0 && !is_late;
}

volatile sig_atomic_t faults = 0;
void* guarded_page = nullptr;

/// As a program that fills memory when it is first touched.
void open_page(int) {
  faults = faults + 1;
  if (mprotect(guarded_page, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), PROT_READ | PROT_WRITE) != 0) _exit(98);
}

}  // namespace

TEST_CASE("Helpers come when they are called: while they look for work, while they fall asleep, and asleep") {
  if (!has_helpers()) return;
  for (int round = 0; round < 300; ++round) {
    if (round % 3 != 0) std::this_thread::sleep_for(std::chrono::microseconds{1900 + round});  // about their patience
    REQUIRE(on_a_helper([] {}));
  }
}

TEST_CASE("Helpers keep to the CPUs of the job, whoever called before") {
  if (!has_helpers()) return;
  cpu_set_t all;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  std::vector<cpu_set_t> wanted{all};
  for (int cpu = 0; cpu < CPU_SETSIZE && wanted.size() < 4; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    wanted.push_back(one);
  }
  wanted.push_back(all);
  for (const cpu_set_t& set : wanted) {
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> is_called{false};
    bool is_same = false;
    const std::function<void(std::int64_t)> work = [&](std::int64_t) {
      if (std::this_thread::get_id() == caller) {
        wait_until([&] { return is_called.load(); });
        return;
      }
      cpu_set_t mine;
      is_same = sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_EQUAL(&mine, &set);
      is_called = true;
    };
    block_job job;
    job.work = &work;
    job.blocks = 2;
    job.helpers_wanted = 1;
    job.allowed = &set;
    worker_pool::get()->run(job);
    CHECK(is_called);
    CHECK(is_same);
  }
}

TEST_CASE("The caller returns when the last helper has left, however long that takes") {
  if (!has_helpers()) return;
  const auto caller = std::this_thread::get_id();
  std::atomic<int> came{0};
  std::atomic<int> left{0};
  for_each_block(2, 2, [&](std::int64_t) {
    if (std::this_thread::get_id() == caller) {
      wait_until([&] { return came != 0; });
      return;
    }
    ++came;
    std::this_thread::sleep_for(std::chrono::milliseconds{200});  // longer than the caller looks before it sleeps
    ++left;
  });
  CHECK(came > 0);
  CHECK(left == came);
}

TEST_CASE("A pool that was stopped still runs all blocks, on the caller alone") {
  worker_pool pool;
  for (const bool is_stopped : {false, true}) {
    if (is_stopped) pool.stop();
    blocks_by_thread seen{50};
    const std::function<void(std::int64_t)> work = [&](std::int64_t block) { seen.note(block); };
    block_job job;
    job.work = &work;
    job.blocks = 50;
    job.helpers_wanted = 3;
    pool.run(job);
    CHECK(seen.each_once());
    if (is_stopped) CHECK(seen.threads() == 1);
  }
}

TEST_CASE("Helpers leave the program's signals to its own threads") {
  if (!has_helpers()) return;
  sigset_t blocked;
  sigemptyset(&blocked);
  REQUIRE(on_a_helper([&] { pthread_sigmask(SIG_SETMASK, nullptr, &blocked); }));
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD, SIGALRM, SIGUSR1, SIGHUP})
    CHECK(sigismember(&blocked, signal) == 1);
}

TEST_CASE("A fault in a helper reaches the program's handler, as one of the caller does") {
  if (!has_helpers()) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  guarded_page = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(guarded_page != MAP_FAILED);
  struct sigaction ours {};
  struct sigaction before {};
  ours.sa_handler = open_page;
  REQUIRE(sigaction(SIGSEGV, &ours, &before) == 0);
  CHECK(on_a_helper([] { *static_cast<volatile char*>(guarded_page) = 1; }));
  sigaction(SIGSEGV, &before, nullptr);
  CHECK(faults == 1);
  munmap(guarded_page, page);
}
