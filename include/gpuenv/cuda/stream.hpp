// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Streams: an owner, and a reference that is passed to functions.
//   cuda::stream stream{device};   work(stream);   stream.synchronize();
#pragma once

#include <gpuenv/cuda/device_guard.hpp>
#include <gpuenv/cuda/report.hpp>

#include <memory>
#include <utility>

namespace gpuenv::inline v0::cuda {

/// A stream that somebody else owns, and the device it belongs to. Valid as long as the owner lives.
class stream_ref {
 public:
  /// A stream of another library. The handle is not checked: CUDA does that at the first use.
  stream_ref(cudaStream_t handle, device_ref device) noexcept : handle_{handle}, device_{device} {}
  stream_ref(int, device_ref) = delete;             // 0 would be the legacy stream by silence:
  stream_ref(std::nullptr_t, device_ref) = delete;  // say stream_ref::legacy(device)

  /// The legacy default stream of a device: it waits for, and holds up, every blocking stream of that device.
  [[nodiscard]] static stream_ref legacy(device_ref device) noexcept { return {cudaStreamLegacy, device}; }
  /// The calling thread's own default stream on a device.
  [[nodiscard]] static stream_ref per_thread(device_ref device) noexcept { return {cudaStreamPerThread, device}; }

  [[nodiscard]] cudaStream_t get() const noexcept { return handle_; }
  [[nodiscard]] device_ref device() const noexcept { return device_; }

  /// Waits on the host until all work of the stream is done. @throws error for a failure of that work.
  void synchronize(std::source_location where = std::source_location::current()) const {
    const device_guard guard{device_};
    check(cudaStreamSynchronize(handle_), "wait for a stream", device_, where);
  }

  /// True when all work of the stream is done. @throws error for a failure of that work.
  [[nodiscard]] bool is_done(std::source_location where = std::source_location::current()) const {
    const device_guard guard{device_};
    const cudaError_t status = cudaStreamQuery(handle_);
    if (status == cudaErrorNotReady) return false;  // an answer, not an error: CUDA does not keep it as "last error"
    check(status, "query a stream", device_, where);
    return true;
  }

  friend bool operator==(stream_ref, stream_ref) = default;

 private:
  cudaStream_t handle_;
  device_ref device_;
};

struct stream_options {
  int priority = 0;       ///< lower is more urgent; CUDA clamps to the device's range
  bool blocking = false;  ///< true: ordered with the legacy default stream
};

/// Owns a stream; non-blocking unless asked. Moves, does not copy. Buffers and matrices made from a `stream` share in
/// its state and keep the CUDA stream alive until they are gone, so the order of destruction does not matter.
class stream {
 public:
  explicit stream(device_ref device, stream_options options = {},
                  std::source_location where = std::source_location::current())
      : state_{std::make_shared<state>(device)} {
    const device_guard guard{device};
    const unsigned flags = options.blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    check(cudaStreamCreateWithPriority(&state_->handle, flags, options.priority), "make a stream", device, where);
  }

  stream(stream&&) noexcept = default;
  stream& operator=(stream&&) noexcept = default;
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  ~stream() = default;

  /// @throws error after the stream was moved from.
  [[nodiscard]] stream_ref ref() const {
    if (!state_) throw error{errc::invalid_argument, "a stream was used after it was moved from"};
    return {state_->handle, state_->device};
  }
  operator stream_ref() const { return ref(); }  // NOLINT(google-explicit-constructor): an owner is a reference

  [[nodiscard]] cudaStream_t get() const { return ref().get(); }
  [[nodiscard]] device_ref device() const { return ref().device(); }
  void synchronize(std::source_location where = std::source_location::current()) const { ref().synchronize(where); }
  [[nodiscard]] bool is_done(std::source_location where = std::source_location::current()) const {
    return ref().is_done(where);
  }

 private:
  friend class stream_hold;
  struct state {
    explicit state(device_ref d) noexcept : device{d} {}
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() {
      if (handle == nullptr) return;
      const device_guard guard{device, std::nothrow};
      detail::clean_up(cudaStreamDestroy(handle), "cudaStreamDestroy");
    }
    cudaStream_t handle = nullptr;
    device_ref device;
  };
  std::shared_ptr<state> state_;
};

/// What an object keeps that will use a stream later: made from a `stream` it keeps the stream alive, made from a
/// `stream_ref` its caller does.
class stream_hold {
 public:
  stream_hold(const stream& owner) : ref_{owner.ref()}, keep_{owner.state_} {}  // NOLINT(google-explicit-constructor)
  stream_hold(stream_ref ref) noexcept : ref_{ref} {}                           // NOLINT(google-explicit-constructor)

  [[nodiscard]] stream_ref ref() const noexcept { return ref_; }
  operator stream_ref() const noexcept { return ref_; }  // NOLINT(google-explicit-constructor)
  /// What keeps the stream alive; null when the caller does.
  [[nodiscard]] const std::shared_ptr<const void>& keep() const noexcept { return keep_; }

 private:
  stream_ref ref_;
  std::shared_ptr<const void> keep_;
};

}  // namespace gpuenv::inline v0::cuda
