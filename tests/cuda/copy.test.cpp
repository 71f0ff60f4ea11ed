// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include <gpuenv/cuda/unified_buffer.hpp>
#include "fakes/cudart/fixture.hpp"

#include <sys/mman.h>

#include <array>
#include <numeric>
#include <span>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {

template <class Source, class Target>
concept copyable = requires(Source s, Target t, cuda::stream_ref stream) {
  cuda::copy(s, t, stream);
};

using floats = std::vector<float>;
static_assert(copyable<const floats, cuda::device_span<float>>);
static_assert(copyable<cuda::device_span<const float>, floats>);
static_assert(copyable<std::array<float, 4>, std::span<float>>);
static_assert(!copyable<floats, cuda::device_span<double>>, "the element types must be the same");
static_assert(!copyable<floats, cuda::device_span<const float>>, "a target is writable");
static_assert(!copyable<floats, const floats>);

floats counted(std::size_t size) {
  floats values(size);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "what goes through every kind of memory comes back the same", "[cuda][copy]") {
  const cuda::device_ref device{1};
  const cuda::stream stream{device};
  cuda::device_buffer<float> ordered{stream, 5};
  cuda::device_buffer<float> plain{device, 5};
  cuda::pinned_buffer<float> pinned{device, 5};
  cuda::unified_buffer<float> unified{device, 5};
  floats result(5);
  cuda::copy(counted(5), ordered, stream);
  cuda::copy(ordered, plain, stream);
  cuda::copy(std::as_const(plain).span(), pinned, stream);
  cuda::copy(pinned, unified, stream);
  cuda::copy(unified, std::span{result}, stream);
  stream.synchronize();
  CHECK(result == counted(5));
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE("the bytes of strings are not strings: only trivially copyable elements are copied", "[cuda][copy]") {
  CHECK_FALSE(copyable<std::vector<std::string>, std::vector<std::string>>);
}

TEST_CASE_METHOD(on_fake_gpus, "a copy takes its turn in the stream", "[cuda][copy]") {
  const cuda::stream stream{cuda::device_ref{0}};
  cuda::pinned_buffer<float> source{cuda::device_ref{0}, 1};
  cuda::pinned_buffer<float> target{cuda::device_ref{0}, 1};
  source[0] = 1;
  target[0] = 0;
  fake::launch(stream.get(), 1, {source.data()}, [&] { source[0] = 2; });
  cuda::copy(source, target, stream);
  CHECK(target[0] == 0);
  stream.synchronize();
  CHECK(target[0] == 2);
}

TEST_CASE_METHOD(on_fake_gpus, "a copy between different sizes is refused before any CUDA call", "[cuda][copy]") {
  const cuda::stream stream{cuda::device_ref{0}};
  cuda::device_buffer<float> target{stream, 4};
  const floats source(5);
  fake::clear_calls();
  const auto e = error_of([&] { cuda::copy(source, target, stream); });
  CHECK(e.code() == ge::errc::shape_mismatch);
  CHECK(contains(e.attempted(), "5"));
  CHECK(contains(e.attempted(), "4"));
  CHECK(contains(e.where().file_name(), "copy.test.cpp"));
  CHECK(fake::calls() == no_lines{});
  CHECK_THROWS_AS(cuda::copy(floats{}, target, stream), ge::error);
  CHECK_THROWS_AS(cuda::copy(target, cuda::device_span<float>{}, stream), ge::error);
}

TEST_CASE_METHOD(on_fake_gpus, "a copy of nothing asks CUDA nothing", "[cuda][copy][B64]") {
  const cuda::stream stream{cuda::device_ref{0}};
  fake::clear_calls();
  cuda::copy(floats{}, cuda::device_span<float>{}, stream);
  cuda::copy_rows({nullptr, 0}, {nullptr, 0}, 0, 5, stream);
  cuda::copy_rows({nullptr, 0}, {nullptr, 0}, 5, 0, stream);
  CHECK(fake::calls() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a copy that CUDA refuses names the GPU and the caller, and restores the current GPU",
                 "[cuda][copy][B61]") {
  const cuda::stream stream{cuda::device_ref{1}};
  cuda::device_buffer<float> target{stream, 4};
  fake::fail_next("cudaMemcpyAsync", cudaErrorInvalidValue);
  const auto e = error_of([&] { cuda::copy(counted(4), target, stream); });
  CHECK(e.attempted() == "copy on GPU 1 (Fake GPU 1)");
  CHECK(contains(e.where().file_name(), "copy.test.cpp"));
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a copy where no GPU is current makes no context elsewhere", "[cuda][copy][B62]") {
  fake::make_current(std::nullopt);
  {
    const cuda::stream stream{cuda::device_ref{1}};
    const cuda::stream other{cuda::device_ref{1}};
    cuda::device_buffer<float> target{stream, 4};
    floats result(4);
    cuda::copy(counted(4), target, other);
    cuda::copy(target, result, other);
    other.synchronize();
    CHECK(result == counted(4));
  }
  CHECK(fake::silent_contexts() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "rows are copied between different pitches and nothing between them", "[cuda][copy]") {
  const cuda::stream stream{cuda::device_ref{0}};
  cuda::device_buffer<float> device{stream, 3 * 5};
  floats padded(3 * 5, -1.0F);
  cuda::copy(padded, device, stream);
  const floats source = counted(3 * 2);
  constexpr std::size_t row = 2 * sizeof(float);
  cuda::copy_rows({source.data(), row}, {device.data(), 5 * sizeof(float)}, row, 3, stream);
  cuda::copy(device, padded, stream);
  stream.synchronize();
  CHECK(padded == floats{1, 2, -1, -1, -1, 3, 4, -1, -1, -1, 5, 6, -1, -1, -1});
}

TEST_CASE_METHOD(on_fake_gpus, "rows without gaps, and a single row, are one plain copy", "[cuda][copy]") {
  const cuda::stream stream{cuda::device_ref{0}};
  cuda::device_buffer<float> device{stream, 6};
  const floats source = counted(6);
  constexpr std::size_t row = 2 * sizeof(float);
  cuda::copy_rows({source.data(), row}, {device.data(), row}, row, 3, stream);
  cuda::copy_rows({source.data(), 4711}, {device.data(), 0}, row, 1, stream);  // the pitch of one row does not matter
  CHECK(fake::count("cudaMemcpyAsync") == 2);
  CHECK(fake::count("cudaMemcpy2DAsync") == 0);
  floats result(6);
  cuda::copy(device, result, stream);
  stream.synchronize();
  CHECK(result == source);
}

TEST_CASE_METHOD(on_fake_gpus, "rows further apart than CUDA's largest pitch are copied one by one", "[cuda][copy]") {
  constexpr std::size_t pitch = std::size_t{1} << 31;
  constexpr std::size_t row = 2 * sizeof(float);
  void* reserved =
      mmap(nullptr, pitch + row, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(reserved != MAP_FAILED);  // address space only: two pages are touched
  auto* first = static_cast<float*>(reserved);
  float* second = first + pitch / sizeof(float);
  std::iota(first, first + 2, 1.0F);
  std::iota(second, second + 2, 3.0F);
  const cuda::stream stream{cuda::device_ref{0}};
  cuda::device_buffer<float> device{stream, 4};
  cuda::copy_rows({first, pitch}, {device.data(), row}, row, 2, stream);
  floats result(4);
  cuda::copy(device, result, stream);
  stream.synchronize();
  CHECK(munmap(reserved, pitch + row) == 0);
  CHECK(result == counted(4));
  CHECK(fake::count("cudaMemcpy2DAsync") == 0);
}
