// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// [B97][B98] A kernel fails inside a scope that holds objects of every kind. The first error must arrive, say that the
// process is lost, and the destructors must report at most once. Argument: "address" or "assert".
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include <gpuenv/cuda/unified_buffer.hpp>
#include <gpuenv/linalg/device_random.hpp>
#include "test_kernels.hpp"

#include <atomic>
#include <cstdio>
#include <string>

namespace {

using namespace gpuenv::cuda;

std::atomic<int> reports{0};

void count_report(std::string_view line) noexcept {
  ++reports;
  std::printf("reported: %.*s\n", static_cast<int>(line.size()), line.data());
}

void fail(bool by_assertion) {
  const device_ref device{0};
  const stream s{device};
  const stream other{device};
  device_buffer<float> pooled{s, 1000};
  device_buffer<float> plain{device, 1000};
  pinned_buffer<float> pinned{device, 1000};
  unified_buffer<float> unified{device, 1000};
  timed_event event{device};
  copy(pooled, pinned, other);
  check(by_assertion ? gpuenv_test::fail_assertion(s.get()) : gpuenv_test::write_to_null(s.get()), "launch");
  event.record(s);
  s.synchronize();
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto gpu = availability(); !gpu.ready()) {
    std::printf("skipped: %s\n", gpu.message().c_str());
    return 77;
  }
  const bool by_assertion = argc > 1 && std::string{argv[1]} == "assert";
  set_report_sink(&count_report);
  try {
    fail(by_assertion);
  } catch (const gpuenv::error& e) {
    std::printf("caught: %s\n", e.what());
    const auto expected = make_error_code(by_assertion ? cudaErrorAssert : cudaErrorIllegalAddress);
    const bool right = e.code() == expected && e.after() == gpuenv::recovery::restart_process &&
                       std::string{e.what()}.find("stream.hpp") == std::string::npos;
    return right && reports <= 1 ? 0 : 1;
  }
  return 2;
}
