// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Memory that several streams use, seen through device_buffer: it is given back only behind those uses.
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/unified_buffer.hpp>
#include "fakes/cudart/fixture.hpp"

#include <memory>
#include <thread>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {
using buffer = cuda::device_buffer<float>;
}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "a use on another stream is over before the memory is freed", "[cuda][use_list][B60]") {
  const cuda::stream owner{cuda::device_ref{0}};
  const cuda::stream user{cuda::device_ref{0}};
  {
    buffer b{owner, 4};
    fake::launch(user.get(), 1, {b.data()});
    b.note_use(user);
  }
  const std::size_t with_memory = fake::live_objects();
  fake::run(owner.get());
  CHECK(fake::live_objects() == with_memory);  // the owner's stream waits for the user's
  CHECK(fake::count("cudaEventSynchronize") + fake::count("cudaStreamSynchronize") == 0);
  fake::run(user.get());
  fake::run(owner.get());
  CHECK(fake::live_objects() == with_memory - 1);
}

TEST_CASE_METHOD(on_fake_gpus, "a copy on another stream is over before the memory is freed",
                 "[cuda][use_list][copy][B60]") {
  const cuda::stream owner{cuda::device_ref{0}};
  const cuda::stream user{cuda::device_ref{0}};
  buffer target{user, 4};
  { cuda::copy(buffer{owner, 4}, target, user); }
  fake::run(owner.get());
  CHECK(fake::violations() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "uses on streams of several GPUs are all over before the free",
                 "[cuda][use_list][B60][B61]") {
  const cuda::stream owner{cuda::device_ref{0}};
  const cuda::stream here{cuda::device_ref{0}};
  const cuda::stream there{cuda::device_ref{1}};
  {
    buffer b{owner, 4};
    for (const auto* user : {&here, &there}) {
      fake::launch(user->get(), 1, {b.data()});
      b.note_use(*user);
    }
  }
  fake::run(owner.get());
  fake::run(here.get());
  fake::run(owner.get());
  CHECK(fake::violations() == no_lines{});
  CHECK(fake::pending(owner.get()) > 0);  // still behind the other GPU
}

TEST_CASE_METHOD(on_fake_gpus, "the latest of several uses on one stream counts", "[cuda][use_list][B60]") {
  const cuda::stream owner{cuda::device_ref{0}};
  const cuda::stream user{cuda::device_ref{0}};
  {
    buffer b{owner, 4};
    for (int i = 0; i < 3; ++i) {
      fake::launch(user.get(), 1, {b.data()});
      b.note_use(user);
    }
  }
  CHECK(fake::count("cudaEventCreateWithFlags") == 1);  // one event a stream, recorded again
  fake::run(owner.get());
}

TEST_CASE_METHOD(on_fake_gpus, "a use outlives its stream, also when the next stream gets the same handle",
                 "[cuda][use_list][B60]") {
  const cuda::stream owner{cuda::device_ref{0}};
  {
    buffer b{owner, 4};
    auto gone = std::make_unique<cuda::stream>(cuda::device_ref{0});
    const cudaStream_t handle = gone->get();
    fake::launch(handle, 1, {b.data()});
    b.note_use(*gone);
    gone.reset();  // CUDA lets its work go on
    const cuda::stream next{cuda::device_ref{0}};
    REQUIRE(next.get() == handle);
    b.note_use(next);
    next.synchronize();
  }
  fake::run(owner.get());
  CHECK(fake::violations() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "the per-thread streams of two threads are two streams", "[cuda][use_list][B60]") {
  const cuda::device_ref device{0};
  const cuda::stream owner{device};
  {
    buffer b{owner, 4};
    const auto use = [&] {
      fake::make_current(0);
      fake::launch(cudaStreamPerThread, 1, {b.data()});
      b.note_use(cuda::stream_ref::per_thread(device));
    };
    std::thread{use}.join();
    use();
    cuda::stream_ref::per_thread(device).synchronize();
  }
  fake::run(owner.get());  // the first thread's work still stands in its queue
  CHECK(fake::violations() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a buffer of the per-thread stream notes the use of another thread",
                 "[cuda][use_list][B60]") {
  const cuda::device_ref device{0};
  {
    const buffer b{cuda::stream_ref::per_thread(device), 4};
    std::thread{[&] {
      fake::make_current(0);
      fake::launch(cudaStreamPerThread, 1, {b.data()});
      b.note_use(cuda::stream_ref::per_thread(device));
    }}.join();
  }
  fake::run(cudaStreamPerThread);
  CHECK(fake::violations() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "uses noted by several threads at once are all kept", "[cuda][use_list][B60]") {
  const cuda::stream owner{cuda::device_ref{0}};
  std::vector<cuda::stream> users;
  for (int i = 0; i < 4; ++i) users.emplace_back(cuda::device_ref{i % 2});
  {
    const buffer b{owner, 4};
    std::vector<std::thread> threads;
    for (const cuda::stream& user : users) {
      fake::launch(user.get(), 1, {b.data()});
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) b.note_use(user);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  fake::run(owner.get());
  CHECK(fake::violations() == no_lines{});
  CHECK(fake::silent_contexts() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "move assignment keeps the uses of both memories apart", "[cuda][use_list][B60]") {
  const cuda::stream owner{cuda::device_ref{0}};
  const cuda::stream user_of_target{cuda::device_ref{0}};
  const cuda::stream user_of_source{cuda::device_ref{0}};
  {
    buffer target{owner, 4};
    buffer source{owner, 4};
    fake::launch(user_of_target.get(), 1, {target.data()});
    fake::launch(user_of_source.get(), 1, {source.data()});
    target.note_use(user_of_target);
    source.note_use(user_of_source);
    target = std::move(source);
  }
  fake::run(owner.get());
  fake::run(user_of_target.get());
  fake::run(owner.get());
  CHECK(fake::violations() == no_lines{});
  CHECK(fake::pending(owner.get()) > 0);  // still behind the use that came with the source
}

TEST_CASE_METHOD(on_fake_gpus, "a free that cannot be ordered behind a use is never done early",
                 "[cuda][use_list][B60]") {
  const captured_reports reports;
  const cuda::stream owner{cuda::device_ref{0}};
  const cuda::stream user{cuda::device_ref{0}};
  {
    buffer b{owner, 4};
    fake::launch(user.get(), 1, {b.data()});
    b.note_use(user);
    fake::fail_next("cudaStreamWaitEvent", cudaErrorInvalidValue);
  }
  fake::run(owner.get());
  CHECK(fake::violations() == no_lines{});
  CHECK(captured_reports::lines().size() == 1);
}

TEST_CASE_METHOD(on_fake_gpus, "a use that cannot be noted is waited for before the error goes on",
                 "[cuda][use_list][copy][B60]") {
  const cuda::stream owner{cuda::device_ref{0}};
  const cuda::stream user{cuda::device_ref{0}};
  buffer target{user, 4};
  fake::fail_next("cudaEventCreateWithFlags", cudaErrorMemoryAllocation);
  CHECK_THROWS_AS(cuda::copy(buffer{owner, 4}, target, user), ge::error);
  fake::run(owner.get());
  CHECK(fake::violations() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a plain buffer that another GPU uses is freed after that use",
                 "[cuda][use_list][B60][B61]") {
  const cuda::stream there{cuda::device_ref{1}};
  bool done = false;
  {
    buffer plain{cuda::device_ref{0}, 4};
    fake::launch(there.get(), 1, {plain.data()}, [&] { done = true; });
    plain.note_use(there);
  }
  CHECK(done);
}

TEST_CASE_METHOD(on_fake_gpus, "unified memory that another GPU uses is freed after that use, also when it was moved",
                 "[cuda][use_list][B60][B61]") {
  const cuda::stream there{cuda::device_ref{1}};
  bool done = false;
  {
    cuda::unified_buffer<float> source{cuda::device_ref{0}, 4};
    fake::launch(there.get(), 1, {source.data()}, [&] { done = true; });
    source.note_use(there);
    cuda::unified_buffer<float> moved{std::move(source)};
    cuda::unified_buffer<float> target;
    target = std::move(moved);
    CHECK_FALSE(done);
  }
  CHECK(done);
}

TEST_CASE_METHOD(on_fake_gpus, "use on its own GPU needs no event where the free waits for that GPU",
                 "[cuda][use_list]") {
  const cuda::stream stream{cuda::device_ref{0}};
  const buffer plain{cuda::device_ref{0}, 4};
  const cuda::unified_buffer<float> unified{cuda::device_ref{0}, 4};
  fake::clear_calls();
  plain.note_use(stream);
  unified.note_use(stream);
  CHECK(fake::calls() == no_lines{});
}
