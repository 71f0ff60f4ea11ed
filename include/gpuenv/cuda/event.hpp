// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Events: points in a stream's work. Whether an event keeps the time is part of its type, so that two events that
// cannot be subtracted do not compile.
//   cuda::timed_event start{device}, stop{device};
//   start.record(stream); work(stream); stop.record(stream);   stop.synchronize();   auto ms = stop - start;
#pragma once

#include <gpuenv/cuda/stream.hpp>

#include <chrono>

namespace gpuenv::inline v0::cuda {

/// Owns an event without time. Moves, does not copy.
class event {
 public:
  explicit event(device_ref device, std::source_location where = std::source_location::current())
      : event{device, cudaEventDisableTiming, where} {}

  event(event&& other) noexcept
      : handle_{std::exchange(other.handle_, nullptr)},
        device_{other.device_},
        recorded_{std::exchange(other.recorded_, false)} {}
  event& operator=(event&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(device_, other.device_);
    std::swap(recorded_, other.recorded_);
    return *this;
  }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  ~event() {
    if (handle_ == nullptr) return;
    const device_guard guard{device_, std::nothrow};
    detail::clean_up(cudaEventDestroy(handle_), "cudaEventDestroy");
  }

  [[nodiscard]] cudaEvent_t get() const noexcept { return handle_; }
  [[nodiscard]] device_ref device() const noexcept { return device_; }
  [[nodiscard]] bool is_recorded() const noexcept { return recorded_; }

  /// Marks the point behind all work that `stream` has now. The stream must be of the event's device.
  void record(stream_ref stream, std::source_location where = std::source_location::current()) {
    if (stream.device() != device_) [[unlikely]]
      throw_other_device(stream.device(), where);
    const device_guard guard{device_};
    check(cudaEventRecord(handle_, stream.get()), "record an event", device_, where);
    recorded_ = true;
  }

  /// True when the work before the point is done; true for an event that was never recorded, as CUDA has it.
  [[nodiscard]] bool is_done(std::source_location where = std::source_location::current()) const {
    const device_guard guard{device_};
    const cudaError_t status = cudaEventQuery(handle_);
    if (status == cudaErrorNotReady) return false;  // an answer, not an error: CUDA does not keep it as "last error"
    check(status, "query an event", device_, where);
    return true;
  }

  /// Waits on the host until the work before the point is done.
  void synchronize(std::source_location where = std::source_location::current()) const {
    const device_guard guard{device_};
    check(cudaEventSynchronize(handle_), "wait for an event", device_, where);
  }

 protected:
  event(device_ref device, unsigned flags, std::source_location where) : device_{device} {
    const device_guard guard{device};
    check(cudaEventCreateWithFlags(&handle_, flags), "make an event", device, where);
  }

 private:
  [[noreturn]] void throw_other_device(device_ref other, std::source_location where) const {
    throw error{errc::invalid_argument,
                "an event of " + to_string(device_) + " cannot be recorded in a stream of " + to_string(other),
                "make the event on the stream's device", recovery::possible, where};
  }

  cudaEvent_t handle_ = nullptr;
  device_ref device_;
  bool recorded_ = false;
};

/// Owns an event that keeps the time at which the device passed it.
class timed_event : public event {
 public:
  explicit timed_event(device_ref device, std::source_location where = std::source_location::current())
      : event{device, cudaEventDefault, where} {}
};

/// Time between two points, resolution about half a microsecond.
using milliseconds = std::chrono::duration<float, std::milli>;

/// The time from `start` to `stop`; both must be recorded, done, and of one device: four different errors say which
/// is not so. Does not wait: call `stop.synchronize()` first.
[[nodiscard]] inline milliseconds operator-(const timed_event& stop, const timed_event& start) {
  for (const timed_event* e : {&start, &stop}) {
    const char* name = e == &start ? "the start event" : "the stop event";
    if (!e->is_recorded()) {
      throw error{errc::invalid_argument, std::string{name} + " was never recorded", "record it in a stream first"};
    }
    if (!e->is_done()) {
      throw error{errc::not_ready, std::string{name} + " was recorded, but the device has not passed it",
                  "call synchronize() on the stop event first"};
    }
  }
  if (start.device() != stop.device()) {
    throw error{
        errc::invalid_argument,
        "the start event is of " + to_string(start.device()) + ", the stop event of " + to_string(stop.device()),
        "time each device with its own events"};
  }
  const device_guard guard{stop.device()};
  float elapsed = 0;
  check(cudaEventElapsedTime(&elapsed, start.get(), stop.get()), "read the time between two events");
  return milliseconds{elapsed};
}

/// Makes all later work of `stream` wait for the event's point; the host does not wait. Devices may differ.
inline void wait(stream_ref stream, const event& point, std::source_location where = std::source_location::current()) {
  const device_guard guard{stream.device()};
  check(cudaStreamWaitEvent(stream.get(), point.get(), 0), "make a stream wait for an event", stream.device(), where);
}

}  // namespace gpuenv::inline v0::cuda
