// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/stream.hpp>
#include "fakes/cudart/fixture.hpp"

#include <thread>
#include <type_traits>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {

template <class Device>
concept takes_zero = requires(Device d) {
  cuda::stream_ref{0, d};
};
template <class Device>
concept takes_nullptr = requires(Device d) {
  cuda::stream_ref{nullptr, d};
};
template <class Device>
concept takes_handle = requires(Device d, cudaStream_t s) {
  cuda::stream_ref{s, d};
};

static_assert(!takes_zero<cuda::device_ref>, "0 would be the legacy stream by silence");
static_assert(!takes_nullptr<cuda::device_ref>);
static_assert(takes_handle<cuda::device_ref>);
static_assert(!std::is_constructible_v<cuda::stream_ref, int, cuda::device_ref>);
static_assert(!std::is_default_constructible_v<cuda::stream_ref>);
static_assert(!std::is_copy_constructible_v<cuda::stream> && !std::is_copy_assignable_v<cuda::stream>);
static_assert(std::is_nothrow_move_constructible_v<cuda::stream> && std::is_nothrow_move_assignable_v<cuda::stream>);
static_assert(std::is_nothrow_destructible_v<cuda::stream>);
static_assert(std::is_convertible_v<const cuda::stream&, cuda::stream_ref>);
static_assert(!std::is_convertible_v<cudaStream_t, cuda::stream_ref>, "a handle alone does not know its device");

unsigned flags_of(const cuda::stream& stream) {
  unsigned flags = 0;
  REQUIRE(cudaStreamGetFlags(stream.get(), &flags) == cudaSuccess);
  return flags;
}

int priority_of(const cuda::stream& stream) {
  int priority = 0;
  REQUIRE(cudaStreamGetPriority(stream.get(), &priority) == cudaSuccess);
  return priority;
}

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "a stream does not wait for the legacy stream unless asked", "[cuda][stream]") {
  const cuda::device_ref device{0};
  CHECK(flags_of(cuda::stream{device}) == cudaStreamNonBlocking);
  CHECK(flags_of(cuda::stream{device, {.priority = 0, .blocking = true}}) == cudaStreamDefault);
  CHECK(priority_of(cuda::stream{device, {.priority = -2}}) == -2);
}

TEST_CASE_METHOD(on_fake_gpus, "a stream lives on its own GPU and remembers it, whichever is current",
                 "[cuda][stream][B61]") {
  {
    const cuda::stream stream{cuda::device_ref{1}};
    CHECK(stream.device() == cuda::device_ref{1});
    CHECK(stream.ref().device() == cuda::device_ref{1});
    fake::launch(stream.get(), 1);
    CHECK_FALSE(stream.is_done());
    stream.synchronize();
    CHECK(stream.is_done());
    CHECK(fake::current_gpu() == 0);
  }
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a stream used and destroyed where no GPU is current makes no context elsewhere",
                 "[cuda][stream][B62]") {
  fake::make_current(std::nullopt);
  {
    const cuda::stream stream{cuda::device_ref{1}};
    stream.synchronize();
    CHECK(stream.is_done());
  }
  CHECK(fake::silent_contexts() == no_lines{});
  CHECK_FALSE(fake::current_gpu().has_value());
}

TEST_CASE_METHOD(on_fake_gpus, "a stream destroyed by a new thread makes no context on GPU 0", "[cuda][stream][B62]") {
  std::thread{[stream = cuda::stream{cuda::device_ref{1}}] {}}.join();
  CHECK(fake::silent_contexts() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "work that is not done is no error and leaves none", "[cuda][stream]") {
  const cuda::stream stream{cuda::device_ref{0}};
  fake::launch(stream.get(), 1);
  CHECK_FALSE(stream.is_done());
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE_METHOD(on_fake_gpus, "a failure of the stream's work comes out where the stream is waited for",
                 "[cuda][stream][B98]") {
  const cuda::stream stream{cuda::device_ref{1}};
  fake::fail_next("cudaStreamSynchronize", cudaErrorIllegalAddress);
  const auto waiting = error_of([&] { stream.synchronize(); });
  CHECK(waiting.code() == cuda::make_error_code(cudaErrorIllegalAddress));
  CHECK(waiting.attempted() == "wait for a stream on GPU 1 (Fake GPU 1)");
  CHECK(waiting.after() == ge::recovery::restart_process);
  CHECK(contains(waiting.where().file_name(), "stream.test.cpp"));
  fake::fail_next("cudaStreamQuery", cudaErrorLaunchFailure);
  CHECK(error_of([&] { static_cast<void>(stream.is_done()); }).code() == cuda::make_error_code(cudaErrorLaunchFailure));
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a stream that cannot be made leaves nothing and keeps the current GPU",
                 "[cuda][stream][B61]") {
  fake::fail_next("cudaStreamCreateWithPriority", cudaErrorMemoryAllocation);
  const auto e = error_of([] { cuda::stream{cuda::device_ref{1}}; });
  CHECK(contains(e.attempted(), "GPU 1"));
  CHECK(fake::live_objects() == 0);
  CHECK(fake::count("cudaStreamDestroy") == 0);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a stream that was moved from says so", "[cuda][stream]") {
  cuda::stream first{cuda::device_ref{0}};
  const cudaStream_t handle = first.get();
  const cuda::stream second{std::move(first)};
  CHECK(second.get() == handle);
  const auto e = error_of([&] { first.synchronize(); });  // NOLINT(bugprone-use-after-move): what is tested
  CHECK(e.code() == ge::errc::invalid_argument);
  CHECK(contains(e.what(), "moved from"));
  CHECK_THROWS_AS(first.get(), ge::error);
  CHECK_THROWS_AS(first.ref(), ge::error);
}

TEST_CASE_METHOD(on_fake_gpus, "move assignment destroys the stream that stood there", "[cuda][stream][B61]") {
  cuda::stream target{cuda::device_ref{0}};
  cuda::stream source{cuda::device_ref{1}};
  CHECK(fake::live_objects() == 2);
  target = std::move(source);
  CHECK(fake::live_objects() == 1);
  CHECK(target.device() == cuda::device_ref{1});
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "what holds a stream keeps it alive, what only refers to it does not",
                 "[cuda][stream]") {
  auto stream = std::make_unique<cuda::stream>(cuda::device_ref{0});
  const auto reference = std::make_unique<cuda::stream_hold>(stream->ref());
  auto owner = std::make_unique<cuda::stream_hold>(*stream);
  stream.reset();
  CHECK(fake::live_objects() == 1);
  CHECK_NOTHROW(owner->ref().synchronize());
  owner.reset();
  CHECK(fake::live_objects() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "the default streams are named, never meant by silence", "[cuda][stream]") {
  const cuda::device_ref device{1};
  CHECK(cuda::stream_ref::legacy(device).get() == cudaStreamLegacy);
  CHECK(cuda::stream_ref::per_thread(device).get() == cudaStreamPerThread);
  CHECK(cuda::stream_ref::legacy(device) != cuda::stream_ref::per_thread(device));
  CHECK(cuda::stream_ref::legacy(device) != cuda::stream_ref::legacy(cuda::device_ref{0}));
}

TEST_CASE_METHOD(on_fake_gpus, "the legacy stream of a GPU is that GPU's while another is current",
                 "[cuda][stream][B61]") {
  const auto legacy = cuda::stream_ref::legacy(cuda::device_ref{1});
  fake::make_current(1);
  fake::launch(cudaStreamLegacy, 1);
  fake::make_current(0);
  CHECK_FALSE(legacy.is_done());
  CHECK(cuda::stream_ref::legacy(cuda::device_ref{0}).is_done());
  legacy.synchronize();
  CHECK(legacy.is_done());
}

TEST_CASE_METHOD(on_fake_gpus, "a stream of another library is used without owning it", "[cuda][stream]") {
  cudaStream_t handle = nullptr;
  REQUIRE(cudaStreamCreateWithPriority(&handle, cudaStreamNonBlocking, 0) == cudaSuccess);
  { CHECK(cuda::stream_ref(handle, cuda::device_ref{0}).is_done()); }
  CHECK(fake::live_objects() == 1);
  REQUIRE(cudaStreamDestroy(handle) == cudaSuccess);
}
