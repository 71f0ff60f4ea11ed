// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Copies, which run in their queue, and the hints for managed memory.
#include "fakes/cudart/state.hpp"

#include <cstring>

namespace fake {
namespace {

bool fits(const void* address, std::size_t bytes) {
  const void* start = start_of_block(address);
  if (start == nullptr) return true;  // pageable: nothing is known
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - static_cast<const char*>(start));
  return offset + bytes <= find_block(start)->bytes;
}

/// As CUDA treats pageable memory: a source is read before the call returns, a target is written before it returns.
cudaError_t queue_copy(const char* what, void* target, const void* source, std::size_t target_bytes,
                       std::size_t source_bytes, cudaStream_t stream,
                       const std::function<void(void*, const void*)>& move) {
  const auto work = find_queue(stream);
  if (work == nullptr) return cudaErrorInvalidResourceHandle;
  if (!fits(target, target_bytes) || !fits(source, source_bytes)) {
    the_machine().violations.push_back(std::string{what} + " past the end of the memory");
    return cudaErrorInvalidValue;
  }
  if (start_of_block(source) != nullptr) {
    work->operations.push_back({what, 1, {target, source}, [=] { move(target, source); }, nullptr, nullptr});
  } else {
    const auto* bytes = static_cast<const char*>(source);
    const std::vector<char> staged(bytes, bytes + source_bytes);
    work->operations.push_back({what, 1, {target}, [=] { move(target, staged.data()); }, nullptr, nullptr});
  }
  if (start_of_block(target) == nullptr) run_all(*work);
  return cudaSuccess;
}

}  // namespace
}  // namespace fake

using fake::needs;
using fake::runtime_call;

extern "C" {

cudaError_t cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  return runtime_call("cudaMemcpyAsync", needs::a_context, [&] {
    return fake::queue_copy("copy", target, source, bytes, bytes, stream,
                            [=](void* to, const void* from) { std::memcpy(to, from, bytes); });
  });
}

cudaError_t cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t stream) {
  return runtime_call("cudaMemcpy2DAsync", needs::a_context, [&] {
    constexpr std::size_t largest_pitch = 0x7fffffff;  // cudaDevAttrMaxPitch
    if (width > target_pitch || width > source_pitch) return cudaErrorInvalidPitchValue;
    if (target_pitch > largest_pitch || source_pitch > largest_pitch) return cudaErrorInvalidPitchValue;
    if (width == 0 || height == 0) return cudaSuccess;
    const auto span = [&](std::size_t pitch) { return pitch * (height - 1) + width; };
    return fake::queue_copy("copy of rows", target, source, span(target_pitch), span(source_pitch), stream,
                            [=](void* to, const void* from) {
                              for (std::size_t row = 0; row < height; ++row) {
                                std::memcpy(static_cast<char*>(to) + row * target_pitch,
                                            static_cast<const char*>(from) + row * source_pitch, width);
                              }
                            });
  });
}

#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, cudaMemLocation, unsigned, cudaStream_t) {
#else
cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, cudaStream_t) {
#endif
  return runtime_call("cudaMemPrefetchAsync", needs::a_context, [] {
    const bool shared = fake::gpu(fake::gpu_of_current_context()).concurrent_managed_access;
    return shared ? cudaSuccess : cudaErrorInvalidDevice;  // the misleading answer that the real one gives
  });
}

#if CUDART_VERSION >= 13000
cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, cudaMemLocation place) {
  const int index = place.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : place.id;
#else
cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, int index) {
#endif
  return runtime_call("cudaMemAdvise", needs::a_context, [&] {
    if (index == cudaCpuDeviceId) return cudaSuccess;
    return fake::gpu(index).concurrent_managed_access ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

}  // extern "C"
