// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// [B95] A child that is forked after CUDA was used gets an error that says so; one forked before works.
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/device_buffer.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace {

using namespace gpuenv::cuda;

int run_in_child(int (*work)()) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int use_gpu() {
  const auto gpu = availability();
  if (!gpu.ready()) return 77;
  const stream s{device_ref{0}};
  device_buffer<float> x{s, 10};
  s.synchronize();
  return 0;
}

int must_be_told() {
  const auto gpu = availability();
  if (gpu.status != gpu_status::forked_after_start) {
    std::printf("availability says: %s\n", gpu.message().c_str());
    return 2;
  }
  try {
    device_buffer<float> x{device_ref{0}, 10};
  } catch (const gpuenv::error& e) {
    const std::string text = e.what();
    std::printf("the child is told: %s\n", text.c_str());
    return text.find("fork") != std::string::npos ? 0 : 3;
  }
  return 4;
}

}  // namespace

int main() {
  const int before = run_in_child(use_gpu);
  if (before == 77) {
    std::puts("skipped: no usable GPU");
    return 77;
  }
  const int parent = use_gpu();
  const int after = run_in_child(must_be_told);
  std::printf("child before: %d, parent: %d, child after: %d\n", before, parent, after);
  return before == 0 && parent == 0 && after == 0 ? 0 : 1;
}
