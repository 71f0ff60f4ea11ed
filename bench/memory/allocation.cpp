// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include "memory/registrar.hpp"

#include <cstdint>

namespace gpuenv_bench {
namespace {

namespace cuda = gpuenv::cuda;

/// A pair of allocate and free each call. `raw` is CUDA's own pool, kept warm as ours is.
void add_device_memory(const registrar& r, std::size_t size) {
  struct state {
    explicit state(cuda::device_ref device, std::size_t n) : stream{device}, size{n} {
      check(cudaDeviceGetDefaultMemPool(&pool, device.index()));
      std::uint64_t keep = UINT64_MAX;
      check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    }
    cuda::stream stream;
    std::size_t size;
    cudaMemPool_t pool = nullptr;
  };
  r.add("allocate/pool", size, static_cast<double>(size), [=] {
    return by_wall(
        std::make_shared<state>(r.device, size),
        [](state& s) {
          const cuda::device_buffer<std::byte> memory{s.stream, s.size};
        },
        [](state& s) {
          void* memory = nullptr;
          check(cudaMallocAsync(&memory, s.size, s.stream.ref().get()));
          check(cudaFreeAsync(memory, s.stream.ref().get()));
        });
  });
  r.add("allocate/plain", size, static_cast<double>(size), [=] {
    return by_wall(
        std::make_shared<state>(r.device, size),
        [device = r.device](state& s) {
          const cuda::device_buffer<std::byte> memory{device, s.size};
        },
        [](state& s) {
          void* memory = nullptr;
          check(cudaMalloc(&memory, s.size));
          check(cudaFree(memory));
        });
  });
}

void add_pinning(const registrar& r, std::size_t size) {
  r.add("allocate/pinned", size, static_cast<double>(size), [=] {
    return by_wall(
        std::make_shared<std::size_t>(size),
        [device = r.device](std::size_t n) {
          const cuda::pinned_buffer<std::byte> memory{device, n};
        },
        [](std::size_t n) {
          void* memory = nullptr;
          check(cudaHostAlloc(&memory, n, cudaHostAllocPortable));
          check(cudaFreeHost(memory));
        });
  });
}

}  // namespace

void add_allocation(const registrar& r) {
  for (const std::size_t size : {mib, 64 * mib, 1024 * mib}) add_device_memory(r, size);
  for (const std::size_t size : {mib, 64 * mib}) add_pinning(r, size);
}

}  // namespace gpuenv_bench
