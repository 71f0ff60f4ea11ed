// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What tests on the fake runtime share: two fresh GPUs, the first one current, and a look at what is left at the end.
#pragma once

#include <gpuenv/cuda/device.hpp>
#include <gpuenv/cuda/report.hpp>
#include "fakes/cudart/fake_cudart.hpp"
#include "support/catch.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using no_lines = std::vector<std::string>;  // CHECK(fake::violations() == no_lines{}) prints them

/// Fixture of TEST_CASE_METHOD.
class on_fake_gpus {
 public:
  on_fake_gpus() {
    fake::reset();
    fake::make_current(0);
  }
  on_fake_gpus(const on_fake_gpus&) = delete;
  on_fake_gpus& operator=(const on_fake_gpus&) = delete;
  ~on_fake_gpus() {
    if (ends_clean) {
      fake::run_everything();
      CHECK(fake::live_objects() == 0);
      CHECK(fake::violations() == no_lines{});
      CHECK(cudaPeekAtLastError() == cudaSuccess);
    }
    fake::reset();
  }

 protected:
  bool ends_clean = true;  // a test that breaks the GPUs says false
};

/// The error that `attempt` throws; fails the test when it throws none.
template <class Attempt>
gpuenv::error error_of(Attempt attempt) {
  try {
    attempt();
  } catch (const gpuenv::error& e) {
    return e;
  }
  FAIL("nothing was thrown");
  throw std::logic_error{"not reached"};
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Collects what destructors report, for a scope.
class captured_reports {
 public:
  captured_reports() : before_{gpuenv::cuda::set_report_sink(&keep)} { lines().clear(); }
  captured_reports(const captured_reports&) = delete;
  captured_reports& operator=(const captured_reports&) = delete;
  ~captured_reports() { gpuenv::cuda::set_report_sink(before_); }

  [[nodiscard]] static no_lines& lines() {
    static no_lines collected;
    return collected;
  }

 private:
  static void keep(std::string_view line) noexcept { lines().emplace_back(line); }
  gpuenv::cuda::report_sink before_;
};
