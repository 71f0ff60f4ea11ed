// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Which streams have used a piece of memory since it was made: the memory is given back only behind those uses.
#pragma once

#include <gpuenv/cuda/event.hpp>

#include <mutex>
#include <vector>

namespace gpuenv::inline v0::cuda::detail {

/// One event per stream that used the memory, recorded behind the latest use. Events outlive their streams, so a
/// stream may be gone when the memory is freed. Several threads may note uses at once.
class use_list {
 public:
  use_list() = default;
  use_list(use_list&& other) noexcept : uses_{std::move(other.uses_)} {}
  use_list& operator=(use_list&& other) noexcept {
    uses_.swap(other.uses_);
    return *this;
  }

  /// Notes that all work which `stream` has now may use the memory. When that cannot be noted, it is waited for.
  void note(stream_ref stream) {
    try {
      record(stream);
    } catch (...) {
      const device_guard guard{stream.device(), std::nothrow};
      clean_up(cudaStreamSynchronize(stream.get()), "wait for a use of memory that could not be noted");
      throw;
    }
  }

  /// Orders `stream` behind every noted use, without waiting on the host.
  void order_before(stream_ref stream) noexcept {
    if (uses_.empty()) return;
    const device_guard guard{stream.device(), std::nothrow};
    for (const use& noted : uses_) {
      const cudaError_t status = cudaStreamWaitEvent(stream.get(), noted.point.get(), 0);
      if (status == cudaSuccess) continue;
      clean_up(status, "order a free behind a use of the memory");
      clean_up(cudaEventSynchronize(noted.point.get()), "wait for a use of the memory");
    }
    uses_.clear();
  }

  /// Waits on the host for every noted use.
  void synchronize() noexcept {
    for (const use& noted : uses_) {
      const device_guard guard{noted.point.device(), std::nothrow};
      clean_up(cudaEventSynchronize(noted.point.get()), "wait for the uses of memory");
    }
    uses_.clear();
  }

 private:
  /// A handle may name another stream than before: the per-thread stream of another thread, or a new stream with the
  /// handle of one that is gone. So the stream is ordered behind the use that its event stood for, and then the event
  /// stands for both; for one and the same stream that order is there already.
  void record(stream_ref stream) {
    const std::scoped_lock lock{mutex_};
    for (use& known : uses_) {
      if (known.stream != stream.get() || known.point.device() != stream.device()) continue;
      wait(stream, known.point);
      return known.point.record(stream);
    }
    event point{stream.device()};
    point.record(stream);
    uses_.push_back({stream.get(), std::move(point)});
  }

  struct use {
    cudaStream_t stream;
    event point;
  };
  std::mutex mutex_;
  std::vector<use> uses_;
};

}  // namespace gpuenv::inline v0::cuda::detail
