// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/memory_pool.hpp>
#include "fakes/cudart/fixture.hpp"

#include <cstdint>
#include <type_traits>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;
using cuda::memory_pool;

namespace {

static_assert(!std::is_copy_constructible_v<memory_pool> && !std::is_destructible_v<memory_pool>);

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "every GPU has one pool of its own", "[cuda][memory_pool]") {
  CHECK(&memory_pool::of(cuda::device_ref{0}) == &memory_pool::of(cuda::device_ref{0}));
  CHECK(&memory_pool::of(cuda::device_ref{0}) != &memory_pool::of(cuda::device_ref{1}));
}

TEST_CASE_METHOD(on_fake_gpus, "pool memory is aligned, counted, and freed in the order of the stream",
                 "[cuda][memory_pool]") {
  auto& pool = memory_pool::of(cuda::device_ref{1});
  const cuda::stream stream{cuda::device_ref{1}};
  void* memory = pool.allocate(1000, stream);
  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0);
  CHECK(pool.in_use() == 1000);
  pool.free(memory, stream);
  CHECK(pool.in_use() == 1000);  // the free has not been reached
  stream.synchronize();
  CHECK(pool.in_use() == 0);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "nothing is allocated for zero bytes, and null is freed without a call",
                 "[cuda][memory_pool][B64]") {
  auto& pool = memory_pool::of(cuda::device_ref{0});
  const cuda::stream stream{cuda::device_ref{0}};
  fake::clear_calls();
  CHECK(pool.allocate(0, stream) == nullptr);
  CHECK(cuda::allocate_device_memory(0, cuda::device_ref{0}, std::source_location::current()) == nullptr);
  fake::clear_calls();
  pool.free(nullptr, stream);
  CHECK(fake::calls() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "freed memory stays with the pool until it is trimmed", "[cuda][memory_pool]") {
  auto& pool = memory_pool::of(cuda::device_ref{0});
  const cuda::stream stream{cuda::device_ref{0}};
  pool.free(pool.allocate(1000, stream), stream);
  stream.synchronize();
  CHECK(pool.reserved() == 1000);
  CHECK(fake::used_bytes(0) == 1000);
  pool.trim(600);
  CHECK(pool.reserved() == 600);
  pool.trim();
  CHECK(pool.reserved() == 0);
  CHECK(fake::used_bytes(0) == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a full GPU makes the pool trim and try once more", "[cuda][memory_pool]") {
  auto& pool = memory_pool::of(cuda::device_ref{0});
  const cuda::stream stream{cuda::device_ref{0}};
  fake::fail_next("cudaMallocFromPoolAsync", cudaErrorMemoryAllocation);
  void* memory = pool.allocate(1000, stream);
  CHECK(memory != nullptr);
  CHECK(fake::count("cudaMallocFromPoolAsync") == 2);
  CHECK(fake::count("cudaMemPoolTrimTo") == 1);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  pool.free(memory, stream);
}

TEST_CASE_METHOD(on_fake_gpus, "a GPU that stays full is asked twice, not more, and the error has the bytes",
                 "[cuda][memory_pool]") {
  fake::gpu(1).memory_bytes = 1000;
  auto& pool = memory_pool::of(cuda::device_ref{1});
  const cuda::stream stream{cuda::device_ref{1}};
  void* memory = pool.allocate(600, stream);
  fake::clear_calls();
  const auto e = error_of([&] { static_cast<void>(pool.allocate(600, stream)); });
  CHECK(fake::count("cudaMallocFromPoolAsync") == 2);
  CHECK(fake::count("cudaMemPoolTrimTo") == 1);
  CHECK(e.code() == cuda::make_error_code(cudaErrorMemoryAllocation));
  CHECK(contains(e.attempted(), "600 bytes wanted on GPU 1 (Fake GPU 1), 400 free of 1000"));
  CHECK(e.after() == ge::recovery::possible);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(fake::current_gpu() == 0);
  pool.free(memory, stream);
}

TEST_CASE_METHOD(on_fake_gpus, "memory that the pool only keeps is no reason to be full", "[cuda][memory_pool]") {
  fake::gpu(0).memory_bytes = 1000;
  auto& pool = memory_pool::of(cuda::device_ref{0});
  const cuda::stream stream{cuda::device_ref{0}};
  pool.free(pool.allocate(600, stream), stream);
  stream.synchronize();
  void* memory = pool.allocate(900, stream);
  CHECK(memory != nullptr);
  pool.free(memory, stream);
}

TEST_CASE_METHOD(on_fake_gpus, "plain memory is had from a GPU whose pool only keeps what it needs",
                 "[cuda][memory_pool][B69]") {
  fake::gpu(0).memory_bytes = 1000;
  auto& pool = memory_pool::of(cuda::device_ref{0});
  const cuda::stream stream{cuda::device_ref{0}};
  pool.free(pool.allocate(600, stream), stream);
  stream.synchronize();
  void* memory = cuda::allocate_device_memory(600, cuda::device_ref{0}, std::source_location::current());
  CHECK(memory != nullptr);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE_METHOD(on_fake_gpus, "plain memory waits for the pool's frees that the GPU has not reached",
                 "[cuda][memory_pool][B69]") {
  fake::gpu(0).memory_bytes = 1000;
  auto& pool = memory_pool::of(cuda::device_ref{0});
  const cuda::stream stream{cuda::device_ref{0}};
  void* pooled = pool.allocate(600, stream);
  fake::launch(stream.get(), 1, {pooled});
  pool.free(pooled, stream);
  void* memory = cuda::allocate_device_memory(600, cuda::device_ref{0}, std::source_location::current());
  CHECK(memory != nullptr);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE_METHOD(on_fake_gpus, "a full GPU whose pool keeps nothing is asked once for plain memory",
                 "[cuda][memory_pool][B69]") {
  fake::gpu(0).memory_bytes = 1000;
  const auto e = error_of([] {
    static_cast<void>(cuda::allocate_device_memory(2000, cuda::device_ref{0}, std::source_location::current()));
  });
  CHECK(contains(e.attempted(), "2000 bytes wanted on GPU 0 (Fake GPU 0), 1000 free of 1000"));
  CHECK(fake::count("cudaMalloc") == 1);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE_METHOD(on_fake_gpus, "an error that is not a lack of memory is not tried again", "[cuda][memory_pool]") {
  auto& pool = memory_pool::of(cuda::device_ref{0});
  const cuda::stream stream{cuda::device_ref{0}};
  fake::fail_next("cudaMallocFromPoolAsync", cudaErrorInvalidValue);
  CHECK(error_of([&] { static_cast<void>(pool.allocate(8, stream)); }).code() ==
        cuda::make_error_code(cudaErrorInvalidValue));
  CHECK(fake::count("cudaMallocFromPoolAsync") == 1);
  CHECK(fake::count("cudaMemPoolTrimTo") == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a GPU without pools gets plain memory that waits for the GPU", "[cuda][memory_pool]") {
  fake::reset(6);
  fake::gpu(5).memory_pools = false;  // no other test uses this GPU's pool
  const cuda::device_ref device{5};
  auto& pool = memory_pool::of(device);
  const cuda::stream stream{device};
  void* memory = pool.allocate(100, stream);
  CHECK(fake::count("cudaMalloc") == 1);
  CHECK(fake::count("cudaMallocFromPoolAsync") == 0);
  fake::launch(stream.get(), 1, {memory});
  pool.free(memory, stream);
  CHECK(fake::count("cudaFree") == 1);
  CHECK(stream.is_done());
  CHECK(pool.in_use() == 0);
  CHECK(pool.reserved() == 0);
  CHECK_NOTHROW(pool.trim());
}

TEST_CASE_METHOD(on_fake_gpus, "a pool that cannot be made is an error, and is tried again", "[cuda][memory_pool]") {
  fake::reset(5);
  const cuda::device_ref device{4};  // no other test uses this GPU's pool
  fake::fail_next("cudaMemPoolCreate", cudaErrorMemoryAllocation);
  CHECK(contains(error_of([&] { static_cast<void>(memory_pool::of(device)); }).attempted(), "GPU 4"));
  fake::fail_next("cudaMemPoolSetAttribute", cudaErrorInvalidValue);
  CHECK_THROWS_AS(memory_pool::of(device), ge::error);
  CHECK_NOTHROW(memory_pool::of(device));
  CHECK(fake::count("cudaMemPoolCreate") == 3);
  CHECK(fake::count("cudaMemPoolDestroy") == 1);  // of the one that could not be set up
}

TEST_CASE_METHOD(on_fake_gpus, "pools used where no GPU is current make no context elsewhere",
                 "[cuda][memory_pool][B62]") {
  fake::make_current(std::nullopt);
  {
    auto& pool = memory_pool::of(cuda::device_ref{1});
    const cuda::stream stream{cuda::device_ref{1}};
    pool.free(pool.allocate(100, stream), stream);
    stream.synchronize();
    pool.trim();
    CHECK(pool.in_use() == 0);
  }
  CHECK(fake::silent_contexts() == no_lines{});
}
