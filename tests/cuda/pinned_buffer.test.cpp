// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include "fakes/cudart/fixture.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {

using pinned = cuda::pinned_buffer<float>;

static_assert(!std::is_copy_constructible_v<pinned> && !std::is_copy_assignable_v<pinned>);
static_assert(std::is_nothrow_move_constructible_v<pinned> && std::is_nothrow_move_assignable_v<pinned>);
static_assert(std::is_nothrow_default_constructible_v<pinned> && std::is_nothrow_destructible_v<pinned>);

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "pinned memory is read and written like a vector", "[cuda][pinned_buffer]") {
  pinned b{cuda::device_ref{1}, 4};
  std::iota(b.begin(), b.end(), 1.0F);
  b[3] = 10;
  CHECK(std::accumulate(std::as_const(b).begin(), std::as_const(b).end(), 0.0F) == 16);
  CHECK(b.size() == 4);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a pinned buffer is freed only when the copy into it is over",
                 "[cuda][pinned_buffer][B63]") {
  const cuda::stream stream{cuda::device_ref{0}};
  const cuda::device_buffer<float> source{stream, 4};
  {
    pinned target{cuda::device_ref{0}, 4};
    fake::launch(stream.get(), 100);  // a slow kernel before the copy
    cuda::copy(source, target, stream);
    CHECK(fake::pending(stream.get()) == 3);  // kernel, copy and the event behind it: the host went on
  }
  CHECK(stream.is_done());
}

TEST_CASE_METHOD(on_fake_gpus, "a pinned buffer is freed only when the copy out of it is over",
                 "[cuda][pinned_buffer][B63]") {
  const cuda::stream stream{cuda::device_ref{0}};
  cuda::device_buffer<float> target{stream, 4};
  {
    pinned source{cuda::device_ref{0}, 4};
    std::ranges::fill(source, 7.0F);
    cuda::copy(source, target, stream);
  }
  std::vector<float> result(4);
  cuda::copy(target, result, stream);
  stream.synchronize();
  CHECK(result == std::vector<float>(4, 7.0F));
}

TEST_CASE_METHOD(on_fake_gpus, "a pinned buffer waits for its copies on every stream, and for nothing behind them",
                 "[cuda][pinned_buffer][B63]") {
  const cuda::stream first{cuda::device_ref{0}};
  const cuda::stream second{cuda::device_ref{1}};
  cuda::device_buffer<float> a{first, 4};
  cuda::device_buffer<float> b{second, 4};
  {
    pinned source{cuda::device_ref{0}, 4};
    std::ranges::fill(source, 1.0F);
    cuda::copy(source, a, first);
    cuda::copy(source, b, second);
    fake::launch(second.get(), 1);  // later work
  }
  CHECK(first.is_done());
  CHECK_FALSE(second.is_done());
  CHECK(fake::count("cudaDeviceSynchronize") == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "move assignment of a pinned buffer waits for the old memory's copy, then frees it",
                 "[cuda][pinned_buffer][B63]") {
  const cuda::stream stream{cuda::device_ref{0}};
  cuda::device_buffer<float> device{stream, 4};
  pinned target{cuda::device_ref{0}, 4};
  pinned source{cuda::device_ref{0}, 2};
  std::ranges::fill(target, 1.0F);
  cuda::copy(target, device, stream);
  target = std::move(source);
  CHECK(fake::count("cudaFreeHost") == 1);
  CHECK(target.size() == 2);
  CHECK(source.data() == nullptr);  // NOLINT(bugprone-use-after-move): what is tested
  CHECK(source.empty());
  source.note_use(stream);
  pinned& same = target;
  target = std::move(same);
  CHECK(target.data() != nullptr);
}

TEST_CASE_METHOD(on_fake_gpus, "an empty pinned buffer takes over memory and frees it on its GPU",
                 "[cuda][pinned_buffer][B61]") {
  fake::make_current(std::nullopt);
  {
    pinned target;
    pinned source{cuda::device_ref{1}, 4};
    target = std::move(source);
    CHECK(target.size() == 4);
  }
  CHECK(fake::count("cudaFreeHost") == 1);
  CHECK(fake::silent_contexts() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a use that the caller notes is waited for", "[cuda][pinned_buffer][B63]") {
  const cuda::stream stream{cuda::device_ref{1}};
  bool done = false;
  {
    const pinned b{cuda::device_ref{1}, 4};
    fake::launch(stream.get(), 1, {b.data()}, [&] { done = true; });
    b.note_use(stream);
  }
  CHECK(done);
}

TEST_CASE_METHOD(on_fake_gpus, "a pinned buffer of no elements is valid, null, and asks CUDA nothing",
                 "[cuda][pinned_buffer][B64]") {
  const cuda::stream stream{cuda::device_ref{0}};
  const cuda::device_ref device{0};
  fake::clear_calls();
  {
    pinned b{device, 0};
    pinned other{std::move(b)};
    b = std::move(other);
    CHECK(b.data() == nullptr);
    CHECK(b.begin() == b.end());
    b.note_use(stream);
    cuda::copy(b, cuda::device_span<float>{}, stream);
  }
  CHECK(fake::calls() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a pinned size that overflows is refused before any CUDA call",
                 "[cuda][pinned_buffer][B64]") {
  const cuda::device_ref device{0};
  fake::clear_calls();
  const auto e = error_of([&] { cuda::pinned_buffer<double>{device, (std::size_t{1} << 61) + 1}; });
  CHECK(e.code() == ge::errc::size_overflow);
  CHECK(contains(e.attempted(), "2305843009213693953"));
  CHECK(fake::calls() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "host memory that cannot be pinned is an error with the bytes",
                 "[cuda][pinned_buffer]") {
  fake::fail_next("cudaHostAlloc", cudaErrorMemoryAllocation);
  const auto e = error_of([] { pinned{cuda::device_ref{1}, 100}; });
  CHECK(e.code() == cuda::make_error_code(cudaErrorMemoryAllocation));
  CHECK(contains(e.attempted(), "400 bytes"));
  CHECK(contains(e.hint(), "host memory"));
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a pinned buffer destroyed where no GPU is current makes no context elsewhere",
                 "[cuda][pinned_buffer][B62]") {
  fake::make_current(std::nullopt);
  {
    const cuda::stream stream{cuda::device_ref{1}};
    const pinned b{cuda::device_ref{1}, 4};
    b.note_use(stream);
    b.note_use(stream);
  }
  CHECK(fake::silent_contexts() == no_lines{});
  CHECK_FALSE(fake::current_gpu().has_value());
}

TEST_CASE_METHOD(on_fake_gpus, "a copy whose end cannot be noted is over before the error goes on",
                 "[cuda][pinned_buffer][copy][B63]") {
  const cuda::stream stream{cuda::device_ref{0}};
  cuda::device_buffer<float> target{stream, 4};
  fake::fail_next("cudaEventCreateWithFlags", cudaErrorMemoryAllocation);
  const auto e = error_of([&] {
    pinned source{cuda::device_ref{0}, 4};
    std::ranges::fill(source, 1.0F);
    cuda::copy(source, target, stream);
  });
  CHECK(e.code() == cuda::make_error_code(cudaErrorMemoryAllocation));
  CHECK(fake::violations() == no_lines{});
}
