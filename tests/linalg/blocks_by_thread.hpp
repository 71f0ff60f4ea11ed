// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What tests of parallel work watch: which thread ran which block, and how often.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace gpuenv_test {

class blocks_by_thread {
 public:
  explicit blocks_by_thread(std::int64_t blocks) : times_(static_cast<std::size_t>(blocks)) {}

  void note(std::int64_t block) {
    ++times_.at(static_cast<std::size_t>(block));
    const std::scoped_lock lock{mutex_};
    who_.insert(std::this_thread::get_id());
  }

  [[nodiscard]] bool each_once() const {
    return std::all_of(times_.begin(), times_.end(), [](const std::atomic<int>& times) { return times == 1; });
  }
  [[nodiscard]] int threads() const { return static_cast<int>(who_.size()); }

 private:
  std::vector<std::atomic<int>> times_;
  std::mutex mutex_;
  std::set<std::thread::id> who_;
};

/// False when it has not come true within 20 s, thousands of times what a thread needs to wake.
template <class F>
bool wait_until(F&& is_true) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!is_true()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace gpuenv_test
