// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include "fakes/cudart/fixture.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {

using buffer = cuda::device_buffer<float>;

static_assert(!std::is_copy_constructible_v<buffer> && !std::is_copy_assignable_v<buffer>);
static_assert(std::is_nothrow_move_constructible_v<buffer> && std::is_nothrow_move_assignable_v<buffer>);
static_assert(std::is_nothrow_default_constructible_v<buffer> && std::is_nothrow_destructible_v<buffer>);
static_assert(!std::is_convertible_v<const buffer&, cuda::device_span<float>>, "a const buffer is read only");

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "a buffer remembers its GPU, its stream and its size", "[cuda][device_buffer]") {
  const cuda::device_ref device{1};
  const cuda::stream stream{device};
  buffer ordered{stream, 10};
  CHECK(ordered.device() == device);
  CHECK(ordered.stream() == stream.ref());
  CHECK(ordered.size() == 10);
  CHECK(ordered.size_bytes() == 40);
  CHECK(ordered.data() != nullptr);
  CHECK(ordered.span().size_bytes() == 40);
  const buffer plain{device, 10};
  CHECK(plain.device() == device);
  CHECK_FALSE(plain.stream().has_value());
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "memory comes from the buffer's GPU, whichever is current",
                 "[cuda][device_buffer][B61]") {
  const cuda::stream stream{cuda::device_ref{1}};
  {
    const buffer ordered{stream, 100};
    const buffer plain{cuda::device_ref{1}, 100};
    CHECK(fake::used_bytes(1) == 800);
    CHECK(fake::used_bytes(0) == 0);
  }
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a buffer of no elements is valid, null, and costs no memory",
                 "[cuda][device_buffer][B64]") {
  const cuda::stream stream{cuda::device_ref{0}};
  const cuda::stream other{cuda::device_ref{0}};
  fake::clear_calls();
  {
    buffer plain{cuda::device_ref{0}, 0};
    buffer ordered{stream, 0};
    for (buffer* b : {&plain, &ordered}) {
      CHECK(b->data() == nullptr);
      CHECK(b->empty());
      CHECK(b->size_bytes() == 0);
      CHECK(b->span().empty());
      CHECK(b->device() == cuda::device_ref{0});
      b->note_use(other);
      buffer moved{std::move(*b)};
      *b = std::move(moved);
      CHECK(b->empty());
    }
    cuda::copy(plain, ordered, stream);
  }
  for (const char* call : {"cudaMalloc", "cudaFree", "cudaMallocFromPoolAsync", "cudaFreeAsync", "cudaMemcpyAsync"}) {
    INFO(call);
    CHECK(fake::count(call) == 0);
  }
}

TEST_CASE_METHOD(on_fake_gpus, "a size that overflows is refused before any CUDA call", "[cuda][device_buffer][B64]") {
  constexpr std::size_t wraps_to_one = (std::size_t{1} << 61) + 1;
  const cuda::device_ref device{0};
  const cuda::stream stream{device};
  fake::clear_calls();
  const auto plain = error_of([&] { cuda::device_buffer<double>{device, wraps_to_one}; });
  const auto ordered = error_of([&] { cuda::device_buffer<double>{stream, wraps_to_one}; });
  CHECK(fake::calls() == no_lines{});
  for (const auto& e : {plain, ordered}) {
    CHECK(e.code() == ge::errc::size_overflow);
    CHECK(contains(e.attempted(), "2305843009213693953"));
    CHECK(contains(e.attempted(), "8"));
    CHECK(contains(e.where().file_name(), "device_buffer.test.cpp"));
  }
}

TEST_CASE_METHOD(on_fake_gpus, "a full GPU is an error that names the bytes wanted and free", "[cuda][device_buffer]") {
  fake::gpu(1).memory_bytes = 1000;
  const cuda::stream stream{cuda::device_ref{1}};
  const buffer first{cuda::device_ref{1}, 100};
  const auto plain = error_of([] { buffer{cuda::device_ref{1}, 200}; });
  const auto ordered = error_of([&] { buffer{stream, 200}; });
  for (const auto& e : {plain, ordered}) {
    CHECK(e.code() == cuda::make_error_code(cudaErrorMemoryAllocation));
    CHECK(e.after() == ge::recovery::possible);
    CHECK(contains(e.attempted(), "800 bytes wanted"));
    CHECK(contains(e.attempted(), "600 free of 1000"));
    CHECK(contains(e.attempted(), "GPU 1 (Fake GPU 1)"));
  }
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a buffer is freed behind its stream's work without waiting", "[cuda][device_buffer]") {
  const cuda::stream stream{cuda::device_ref{0}};
  {
    buffer b{stream, 4};
    fake::launch(stream.get(), 1, {b.data()});
  }
  CHECK(fake::pending(stream.get()) == 2);  // the kernel and the free
  CHECK(fake::count("cudaStreamSynchronize") + fake::count("cudaEventSynchronize") == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "use on the buffer's own stream needs no event", "[cuda][device_buffer]") {
  const cuda::stream stream{cuda::device_ref{0}};
  const buffer b{stream, 4};
  fake::clear_calls();
  b.note_use(stream);
  CHECK(fake::calls() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a plain buffer is freed after all work of its GPU", "[cuda][device_buffer][B60]") {
  const cuda::stream stream{cuda::device_ref{1}};
  bool done = false;
  {
    buffer b{cuda::device_ref{1}, 4};
    fake::launch(stream.get(), 1, {b.data()}, [&] { done = true; });
  }
  CHECK(done);
}

TEST_CASE_METHOD(on_fake_gpus, "a buffer keeps the stream it was made from, not the stream it was only told of",
                 "[cuda][device_buffer]") {
  auto stream = std::make_unique<cuda::stream>(cuda::device_ref{0});
  auto keeps = std::make_unique<buffer>(*stream, 4);
  stream.reset();
  CHECK(fake::count("cudaStreamDestroy") == 0);
  keeps.reset();
  const auto calls = fake::calls();
  const auto freed = std::ranges::find(calls, "cudaFreeAsync");
  const auto destroyed = std::ranges::find(calls, "cudaStreamDestroy");
  CHECK(freed != calls.end());
  CHECK(destroyed != calls.end());
  CHECK(freed < destroyed);

  stream = std::make_unique<cuda::stream>(cuda::device_ref{0});
  const auto refers = std::make_unique<buffer>(stream->ref(), 4);
  const std::size_t before = fake::count("cudaStreamDestroy");
  {
    const cuda::stream keeper = std::move(*stream);  // the caller keeps it, as a reference demands
    CHECK(refers->stream() == keeper.ref());
    *refers = buffer{};
  }
  CHECK(fake::count("cudaStreamDestroy") == before + 1);
}

TEST_CASE_METHOD(on_fake_gpus, "a moved buffer takes its stream along", "[cuda][device_buffer]") {
  auto stream = std::make_unique<cuda::stream>(cuda::device_ref{1});
  auto first = std::make_unique<buffer>(*stream, 4);
  auto second = std::make_unique<buffer>(std::move(*first));
  buffer third;
  third = std::move(*second);
  stream.reset();
  first.reset();
  second.reset();
  CHECK(fake::count("cudaStreamDestroy") == 0);
  CHECK(third.size() == 4);
  CHECK(third.device() == cuda::device_ref{1});
  third = buffer{};
  CHECK(fake::count("cudaStreamDestroy") == 1);
}

TEST_CASE_METHOD(on_fake_gpus, "a buffer that was moved from is empty", "[cuda][device_buffer]") {
  const cuda::stream stream{cuda::device_ref{0}};
  const cuda::stream user{cuda::device_ref{0}};
  buffer first{stream, 4};
  fake::launch(user.get(), 1, {first.data()});
  first.note_use(user);
  const float* memory = first.data();
  {
    const buffer second{std::move(first)};
    CHECK(second.data() == memory);
    CHECK(second.size() == 4);
    // NOLINTBEGIN(bugprone-use-after-move): what is tested
    CHECK(first.data() == nullptr);
    CHECK(first.empty());
    CHECK_FALSE(first.device().has_value());
    CHECK_FALSE(first.stream().has_value());
    first.note_use(user);
    // NOLINTEND(bugprone-use-after-move)
  }
  fake::run(stream.get());  // the noted use moved along
  CHECK(fake::violations() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "move assignment frees the memory that stood there, also across GPUs",
                 "[cuda][device_buffer][B61]") {
  const cuda::stream here{cuda::device_ref{0}};
  const cuda::stream there{cuda::device_ref{1}};
  buffer target{here, 4};
  target = buffer{there, 8};
  CHECK(fake::count("cudaFreeAsync") == 1);
  CHECK(target.device() == cuda::device_ref{1});
  CHECK(target.size() == 8);
  target = buffer{cuda::device_ref{0}, 2};
  CHECK(fake::count("cudaFreeAsync") == 2);
  CHECK_FALSE(target.stream().has_value());
  buffer& same = target;
  target = std::move(same);
  CHECK(target.size() == 2);
  CHECK(target.data() != nullptr);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "buffers of all GPUs are destroyed while any one is current",
                 "[cuda][device_buffer][B61]") {
  for (const int current : {0, 1}) {
    std::vector<buffer> buffers;
    std::vector<cuda::stream> streams;
    for (const int gpu : {0, 1}) {
      streams.emplace_back(cuda::device_ref{gpu});
      buffers.emplace_back(streams.back(), 4);
      buffers.emplace_back(cuda::device_ref{gpu}, 4);
    }
    fake::make_current(current);
    buffers.clear();
    CHECK(fake::current_gpu() == current);
  }
}

TEST_CASE_METHOD(on_fake_gpus, "a constructor that throws half-way leaves nothing and keeps the current GPU",
                 "[cuda][device_buffer][B61]") {
  struct three {
    explicit three(const cuda::stream& stream) : a{stream, 4}, b{cuda::device_ref{1}, 4}, c{stream, 4} {}
    buffer a, b, c;
  };
  const cuda::stream stream{cuda::device_ref{1}};
  int seen = 0;
  fake::fail_when([&](std::string_view call) {
    return call == "cudaMallocFromPoolAsync" && ++seen == 2 ? cudaErrorInvalidValue : cudaSuccess;
  });
  CHECK_THROWS_AS(three{stream}, ge::error);
  fake::fail_when(nullptr);
  fake::run_everything();
  CHECK(fake::live_objects() == 1);  // the stream
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "buffers destroyed where no GPU is current make no context elsewhere",
                 "[cuda][device_buffer][B62]") {
  fake::make_current(std::nullopt);
  {
    const cuda::stream stream{cuda::device_ref{1}};
    const cuda::stream user{cuda::device_ref{1}};
    const buffer ordered{stream, 4};
    ordered.note_use(user);
    ordered.note_use(user);
    const buffer plain{cuda::device_ref{1}, 4};
  }
  CHECK(fake::silent_contexts() == no_lines{});
  CHECK_FALSE(fake::current_gpu().has_value());
}

TEST_CASE_METHOD(on_fake_gpus, "a buffer of a GPU's legacy stream is freed in that stream while another GPU is current",
                 "[cuda][device_buffer][B61]") {
  const auto legacy = cuda::stream_ref::legacy(cuda::device_ref{1});
  {
    buffer b{legacy, 4};
    fake::make_current(1);
    fake::launch(cudaStreamLegacy, 1, {b.data()});
    fake::make_current(0);
  }
  fake::run(cudaStreamLegacy);  // of GPU 0
  CHECK(fake::violations() == no_lines{});
  CHECK(fake::live_objects() == 1);
}
