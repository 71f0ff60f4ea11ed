// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/parallel.hpp"

#include "linalg/blocks_by_thread.hpp"
#include "support/catch.hpp"

#include <sched.h>

#include <array>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace gpuenv::linalg;
using namespace gpuenv_test;

TEST_CASE("Every block runs once, on no more threads than were asked for") {
  for (const std::int64_t blocks : {0, 1, 2, 3, 64, 5000}) {
    for (const int threads : {1, 2, 3, 1000}) {
      blocks_by_thread seen{blocks};
      for_each_block(blocks, threads, [&](std::int64_t block) { seen.note(block); });
      INFO(blocks << " blocks, " << threads << " threads");
      CHECK(seen.each_once());
      CHECK(seen.threads() <= std::min(threads, usable_cpus()));
    }
    blocks_by_thread seen{blocks};
    for_each_block(blocks, [&](std::int64_t block) { seen.note(block); });
    CHECK(seen.each_once());
    CHECK(seen.threads() <= usable_cpus());
  }
}

TEST_CASE("Several threads hand out blocks at once, each its own") {
  constexpr int callers = 5;
  std::array<int, callers> wrong{};
  std::vector<std::thread> running;
  for (int& count : wrong) {
    running.emplace_back([&count] {
      for (int round = 0; round < 300; ++round) {
        blocks_by_thread seen{17};
        for_each_block(17, [&](std::int64_t block) { seen.note(block); });
        if (!seen.each_once()) ++count;
      }
    });
  }
  for (std::thread& caller : running) caller.join();
  for (const int count : wrong) CHECK(count == 0);
}

TEST_CASE("A block hands out blocks of its own, two levels deep") {
  for (int round = 0; round < 50; ++round) {
    blocks_by_thread seen{7 * 5 * 3};
    for_each_block(7, [&](std::int64_t i) {
      for_each_block(
          5, [&](std::int64_t j) { for_each_block(3, [&](std::int64_t k) { seen.note((i * 5 + j) * 3 + k); }); });
    });
    REQUIRE(seen.each_once());
  }
}

TEST_CASE("An exception comes out when no thread is in a block any more, and the next blocks run") {
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> inside{0};
    bool thrown = false;
    try {
      for_each_block(64, [&](std::int64_t block) {
        ++inside;
        if (block % 16 == round % 16) {
          --inside;
          throw std::runtime_error{"block"};
        }
        std::this_thread::yield();
        --inside;
      });
    } catch (const std::runtime_error& e) {
      thrown = std::string{e.what()} == "block";
    }
    REQUIRE(thrown);
    REQUIRE(inside == 0);
    blocks_by_thread seen{64};
    for_each_block(64, [&](std::int64_t block) { seen.note(block); });
    REQUIRE(seen.each_once());
  }
}

TEST_CASE("An exception of another thread than the caller's comes out as well") {
  if (usable_cpus() < 2) {
    WARN("one CPU: no other thread");
    return;
  }
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> is_thrown{false};
  CHECK_THROWS_AS(for_each_block(2,
                                 [&](std::int64_t) {
                                   if (std::this_thread::get_id() == caller) {
                                     wait_until([&] { return is_thrown.load(); });
                                     return;
                                   }
                                   is_thrown = true;
                                   throw std::out_of_range{"elsewhere"};
                                 }),
                  std::out_of_range);
}

TEST_CASE("A caller that may use one CPU works alone") {
  std::set<std::thread::id> who;
  std::thread::id caller;
  int cpus = 0;
  std::thread{[&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return;
    caller = std::this_thread::get_id();
    cpus = usable_cpus();
    for_each_block(200, [&](std::int64_t) { who.insert(std::this_thread::get_id()); });
  }}.join();
  CHECK(cpus == 1);
  CHECK(who == std::set<std::thread::id>{caller});
}
