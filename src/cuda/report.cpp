// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/error.hpp>
#include <gpuenv/cuda/report.hpp>

#include <atomic>
#include <cstdio>

namespace gpuenv::inline v0::cuda {
namespace {

void to_standard_error(std::string_view line) noexcept {
  std::fprintf(stderr, "gpuenv: %.*s\n", static_cast<int>(line.size()), line.data());
}

std::atomic<report_sink> current_sink{&to_standard_error};
std::atomic<bool> lost_is_reported{false};

bool shutting_down(cudaError_t status) noexcept {
  return status == cudaErrorCudartUnloading || status == cudaErrorContextIsDestroyed;
}

}  // namespace

report_sink set_report_sink(report_sink sink) noexcept { return current_sink.exchange(sink); }

void detail::report_failure(cudaError_t status, const char* attempted) noexcept {
  if (status == cudaSuccess || shutting_down(status)) return;
  if (after(status) == recovery::restart_process && lost_is_reported.exchange(true)) return;
  const report_sink sink = current_sink.load();
  if (sink == nullptr) return;
  try {
    sink(std::string{attempted} + " failed during clean-up: " + runtime_category().message(static_cast<int>(status)));
  } catch (...) {
    sink("a clean-up call failed, and there is no memory to say which");
  }
}

}  // namespace gpuenv::inline v0::cuda
