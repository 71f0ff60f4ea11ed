// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// [B94] Objects of every kind outlive main: as globals, as static locals and in threads. The process must end with its
// own exit code and without a word on standard error (the test checks both). With an argument it ends by exit().
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include <gpuenv/cuda/unified_buffer.hpp>
#include <gpuenv/linalg/device_matmul.hpp>
#include <gpuenv/linalg/device_random.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace {

using namespace gpuenv::cuda;
using namespace gpuenv::linalg;

struct everything {
  device_ref device{0};
  stream s{device};
  event e{device};
  timed_event t{device};
  device_buffer<float> pooled{s, 1000};
  device_buffer<float> plain{device, 1000};
  pinned_buffer<float> pinned{device, 1000};
  unified_buffer<float> unified{device, 1000};
  device_matrix<float> product =
      matmul(random_device_matrix<float>(s, 50, 50), random_device_matrix<float>(s, 50, 50), s);
};

std::unique_ptr<everything> global;

}  // namespace

int main(int argc, char**) {
  if (const auto gpu = availability(); !gpu.ready()) {
    std::printf("skipped: %s\n", gpu.message().c_str());
    return 77;
  }
  global = std::make_unique<everything>();
  static everything local;
  thread_local everything of_thread;
  copy(local.pooled, of_thread.pinned, local.s);
  std::puts("done");
  if (argc > 1) std::exit(0);
  return 0;
}
