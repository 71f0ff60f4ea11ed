// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/unified_buffer.hpp>
#include "fakes/cudart/fixture.hpp"

#include <algorithm>
#include <type_traits>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {

using unified = cuda::unified_buffer<float>;
using cuda::unified_advice;

static_assert(!std::is_copy_constructible_v<unified> && !std::is_copy_assignable_v<unified>);
static_assert(std::is_nothrow_move_constructible_v<unified> && std::is_nothrow_move_assignable_v<unified>);
static_assert(std::is_nothrow_default_constructible_v<unified> && std::is_nothrow_destructible_v<unified>);

constexpr unified_advice every_advice[] = {unified_advice::read_mostly, unified_advice::prefer_device,
                                           unified_advice::prefer_host, unified_advice::mapped_on_device};

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "unified memory belongs to its GPU and is read and written by the host",
                 "[cuda][unified_buffer][B61]") {
  unified b{cuda::device_ref{1}, 4};
  std::ranges::fill(b, 2.0F);
  b[1] = 5;
  CHECK(std::as_const(b)[1] == 5);
  CHECK(b.device() == cuda::device_ref{1});
  CHECK(fake::used_bytes(1) == 16);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "prefetch and advice reach CUDA where host and device share access",
                 "[cuda][unified_buffer]") {
  const cuda::stream stream{cuda::device_ref{1}};
  const unified b{cuda::device_ref{1}, 4};
  CHECK(b.shares_access());
  CHECK(b.prefetch_to_device(stream));
  CHECK(b.prefetch_to_host(stream));
  CHECK(fake::count("cudaMemPrefetchAsync") == 2);
  for (const unified_advice hint : every_advice) CHECK(b.advise(hint));
  CHECK(fake::count("cudaMemAdvise") == 4);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "prefetch and advice do nothing where host and device do not share access",
                 "[cuda][unified_buffer][B65]") {
  fake::gpu(0).concurrent_managed_access = false;
  const cuda::stream stream{cuda::device_ref{0}};
  unified b{cuda::device_ref{0}, 4};
  CHECK_FALSE(b.shares_access());
  CHECK_FALSE(b.prefetch_to_device(stream));
  CHECK_FALSE(b.prefetch_to_host(stream));
  for (const unified_advice hint : every_advice) CHECK_FALSE(b.advise(hint));
  CHECK(fake::count("cudaMemPrefetchAsync") == 0);
  CHECK(fake::count("cudaMemAdvise") == 0);
  CHECK_FALSE(cuda::device_ref{0}.properties().concurrent_managed_access);
  unified moved{std::move(b)};
  CHECK_FALSE(moved.prefetch_to_device(stream));
  b = std::move(moved);
  CHECK_FALSE(b.prefetch_to_device(stream));
  unified shared{cuda::device_ref{1}, 4};
  CHECK(shared.shares_access());
  shared = std::move(b);
  CHECK_FALSE(shared.shares_access());
}

TEST_CASE_METHOD(on_fake_gpus, "a prefetch to another GPU asks that GPU whether it shares access",
                 "[cuda][unified_buffer][B65]") {
  fake::gpu(1).concurrent_managed_access = false;
  const cuda::stream there{cuda::device_ref{1}};
  const unified b{cuda::device_ref{0}, 4};
  CHECK_FALSE(b.prefetch_to_device(there));
}

TEST_CASE_METHOD(on_fake_gpus, "unified memory is freed after the work of its GPU", "[cuda][unified_buffer][B60]") {
  const cuda::stream stream{cuda::device_ref{1}};
  bool done = false;
  {
    const unified b{cuda::device_ref{1}, 4};
    fake::launch(stream.get(), 1, {b.data()}, [&] { done = true; });
  }
  CHECK(done);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "unified memory of no elements is valid, null, and asks CUDA nothing",
                 "[cuda][unified_buffer][B64]") {
  const cuda::device_ref device{0};
  const cuda::stream stream{device};
  fake::clear_calls();
  {
    unified b{device, 0};
    unified other{std::move(b)};
    b = std::move(other);
    CHECK(b.data() == nullptr);
    CHECK(b.begin() == b.end());
    CHECK(b.device() == device);
    CHECK_FALSE(b.prefetch_to_device(stream));
    CHECK_FALSE(b.advise(unified_advice::read_mostly));
    cuda::copy(b, cuda::device_span<float>{}, stream);
  }
  CHECK(fake::calls() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a unified size that overflows is refused before any CUDA call",
                 "[cuda][unified_buffer][B64]") {
  const cuda::device_ref device{0};
  fake::clear_calls();
  const auto e = error_of([&] { cuda::unified_buffer<double>{device, (std::size_t{1} << 61) + 1}; });
  CHECK(e.code() == ge::errc::size_overflow);
  CHECK(contains(e.attempted(), "2305843009213693953"));
  CHECK(fake::calls() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "unified memory that does not fit names the bytes wanted and free",
                 "[cuda][unified_buffer]") {
  fake::gpu(1).memory_bytes = 1000;
  const auto e = error_of([] { unified{cuda::device_ref{1}, 1000}; });
  CHECK(e.code() == cuda::make_error_code(cudaErrorMemoryAllocation));
  CHECK(contains(e.attempted(), "4000 bytes wanted"));
  CHECK(contains(e.attempted(), "1000 free of 1000"));
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a unified buffer that was moved from is empty, and one moved over is freed",
                 "[cuda][unified_buffer][B61]") {
  unified target{cuda::device_ref{0}, 4};
  unified source{cuda::device_ref{1}, 8};
  target = std::move(source);
  CHECK(fake::count("cudaFree") == 1);
  CHECK(target.device() == cuda::device_ref{1});
  CHECK(target.size() == 8);
  // NOLINTBEGIN(bugprone-use-after-move): what is tested
  CHECK(source.data() == nullptr);
  CHECK(source.empty());
  CHECK_FALSE(source.device().has_value());
  CHECK_FALSE(source.advise(unified_advice::read_mostly));
  unified& same = target;
  target = std::move(same);
  CHECK(target.data() != nullptr);
  // NOLINTEND(bugprone-use-after-move)
}

TEST_CASE_METHOD(on_fake_gpus, "unified memory used and freed where no GPU is current makes no context elsewhere",
                 "[cuda][unified_buffer][B62]") {
  fake::make_current(std::nullopt);
  {
    const cuda::stream stream{cuda::device_ref{1}};
    const unified b{cuda::device_ref{1}, 4};
    CHECK(b.prefetch_to_device(stream));
    CHECK(b.advise(unified_advice::prefer_device));
  }
  CHECK(fake::silent_contexts() == no_lines{});
  CHECK_FALSE(fake::current_gpu().has_value());
}

TEST_CASE_METHOD(on_fake_gpus, "a hint that CUDA refuses is an error that names the GPU", "[cuda][unified_buffer]") {
  const cuda::stream stream{cuda::device_ref{1}};
  const unified b{cuda::device_ref{1}, 4};
  fake::fail_next("cudaMemPrefetchAsync", cudaErrorInvalidValue);
  CHECK(contains(error_of([&] { b.prefetch_to_device(stream); }).attempted(), "GPU 1"));
  fake::fail_next("cudaMemAdvise", cudaErrorInvalidValue);
  CHECK(contains(error_of([&] { b.advise(unified_advice::prefer_host); }).attempted(), "GPU 1"));
  CHECK(fake::current_gpu() == 0);
}
