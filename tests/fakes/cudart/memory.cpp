// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Memory: ordinary host memory with the bookkeeping of the four kinds. A free under queued work is written down.
#include "fakes/cudart/state.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace fake {
namespace {

constexpr std::size_t alignment = 256;

std::size_t free_bytes(int index) {
  const std::size_t used = used_bytes(index);
  const std::size_t total = gpu(index).memory_bytes;
  return used < total ? total - used : 0;
}

void* take(memory_kind kind, int index, std::size_t bytes, CUmemPoolHandle_st* pool = nullptr) {
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  the_machine().blocks.emplace(memory, block{kind, index, bytes, pool});
  return memory;
}

cudaError_t take_from_gpu(void** memory, memory_kind kind, std::size_t bytes) {
  const int index = gpu_of_current_context();
  if (bytes == 0) *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > free_bytes(index)) return cudaErrorMemoryAllocation;
  *memory = take(kind, index, bytes);
  return cudaSuccess;
}

cudaError_t take_from_pool(void** memory, std::size_t bytes, CUmemPoolHandle_st& pool) {
  const std::size_t kept = pool.reserved - pool.used;
  if (bytes > kept && bytes - kept > free_bytes(pool.gpu)) return cudaErrorMemoryAllocation;
  pool.used += bytes;
  pool.reserved = std::max(pool.reserved, pool.used);
  *memory = take(memory_kind::pooled, pool.gpu, bytes, &pool);
  return cudaSuccess;
}

}  // namespace

block* find_block(const void* start) {
  const auto found = the_machine().blocks.find(start);
  return found == the_machine().blocks.end() ? nullptr : &found->second;
}

const void* start_of_block(const void* address) {
  const auto& blocks = the_machine().blocks;
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin()) return nullptr;
  const auto& [start, what] = *--after;
  return static_cast<const char*>(address) < static_cast<const char*>(start) + what.bytes ? start : nullptr;
}

void give_back(const void* start, std::string_view by) {
  for (const auto& work : the_machine().queues) {
    for (operation& waiting : work->operations) {
      const bool uses_it = std::ranges::any_of(waiting.uses, [&](const void* p) { return start_of_block(p) == start; });
      if (!uses_it) continue;
      the_machine().violations.push_back(std::string{by} + " of memory that a queued " + waiting.what + " uses");
      waiting.work = nullptr;
      waiting.uses.clear();
    }
  }
  const block gone = *find_block(start);
  if (gone.pool != nullptr) gone.pool->used -= gone.bytes;
  the_machine().blocks.erase(start);
  std::free(const_cast<void*>(start));
}

}  // namespace fake

using fake::memory_kind;
using fake::needs;
using fake::runtime_call;
using fake::the_machine;

extern "C" {

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return runtime_call("cudaMalloc", needs::a_context,
                      [&] { return fake::take_from_gpu(memory, memory_kind::plain, bytes); });
}

cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned) {
  return runtime_call("cudaMallocManaged", needs::a_context, [&] {
    return bytes == 0 ? cudaErrorInvalidValue : fake::take_from_gpu(memory, memory_kind::managed, bytes);
  });
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return runtime_call("cudaHostAlloc", needs::a_context, [&] {
    *memory = bytes == 0 ? nullptr : fake::take(memory_kind::pinned, fake::gpu_of_current_context(), bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaFree(void* memory) {
  return runtime_call("cudaFree", needs::a_context, [&] {
    if (memory == nullptr) return cudaSuccess;
    const fake::block* known = fake::find_block(memory);
    if (known == nullptr || known->kind == memory_kind::pinned) return cudaErrorInvalidValue;
    fake::run_all_of_gpu(known->gpu);
    fake::give_back(memory, "cudaFree");
    return cudaSuccess;
  });
}

cudaError_t cudaFreeHost(void* memory) {
  return runtime_call("cudaFreeHost", needs::a_context, [&] {
    if (memory == nullptr) return cudaSuccess;
    const fake::block* known = fake::find_block(memory);
    if (known == nullptr || known->kind != memory_kind::pinned) return cudaErrorInvalidValue;
    fake::give_back(memory, "cudaFreeHost");
    return cudaSuccess;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return runtime_call("cudaMallocFromPoolAsync", needs::a_context, [&] {
    if (fake::find_queue(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    return fake::take_from_pool(memory, bytes, *pool);
  });
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  return runtime_call("cudaFreeAsync", needs::a_context, [&] {
    const auto work = fake::find_queue(stream);
    fake::block* known = fake::find_block(memory);
    if (work == nullptr || known == nullptr || known->free_is_queued) return cudaErrorInvalidValue;
    known->free_is_queued = true;
    work->operations.push_back({"free", 0, {}, [=] { fake::give_back(memory, "cudaFreeAsync"); }, nullptr, nullptr});
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return runtime_call("cudaMemPoolCreate", needs::a_gpu, [&] {
    *pool = the_machine().pools.emplace_back(new CUmemPoolHandle_st{properties->location.id, 0, 0}).get();
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return runtime_call("cudaMemPoolDestroy", needs::a_gpu, [&] {
    std::erase_if(the_machine().pools, [=](const auto& known) { return known.get() == pool; });
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
  return runtime_call("cudaMemPoolSetAttribute", needs::a_gpu, [] { return cudaSuccess; });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  return runtime_call("cudaMemPoolGetAttribute", needs::a_gpu, [&] {
    *static_cast<std::uint64_t*>(value) = which == cudaMemPoolAttrReservedMemCurrent ? pool->reserved : pool->used;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t keep) {
  return runtime_call("cudaMemPoolTrimTo", needs::a_gpu, [&] {
    pool->reserved = std::max(pool->used, std::min(pool->reserved, keep));
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return runtime_call("cudaMemGetInfo", needs::a_context, [&] {
    *free = fake::free_bytes(fake::gpu_of_current_context());
    *total = fake::gpu(fake::gpu_of_current_context()).memory_bytes;
    return cudaSuccess;
  });
}

}  // extern "C"
