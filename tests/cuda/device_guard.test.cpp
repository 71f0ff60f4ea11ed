// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/device_guard.hpp>
#include "fakes/cudart/fixture.hpp"

#include <thread>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

TEST_CASE_METHOD(on_fake_gpus, "a guard makes its GPU current and gives the caller's back",
                 "[cuda][device_guard][B61]") {
  {
    const cuda::device_guard guard{cuda::device_ref{1}};
    CHECK(fake::current_gpu() == 1);
  }
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a guard makes no context on the caller's GPU", "[cuda][device_guard][B61]") {
  fake::make_current(std::nullopt);
  fake::clear_calls();
  {
    const cuda::device_guard guard{cuda::device_ref{1}};
    CHECK(fake::current_gpu() == 1);
  }
  CHECK_FALSE(fake::current_gpu().has_value());
  CHECK(fake::silent_contexts() == no_lines{});
  CHECK(fake::count("cudaSetDevice") == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "the GPU that the caller chose with cudaSetDevice is the same afterwards",
                 "[cuda][device_guard][B61]") {
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  { const cuda::device_guard guard{cuda::device_ref{0}}; }
  int current = -1;
  REQUIRE(cudaGetDevice(&current) == cudaSuccess);
  CHECK(current == 1);
}

TEST_CASE_METHOD(on_fake_gpus, "a guard gives the caller's GPU back when an exception passes",
                 "[cuda][device_guard][B61]") {
  try {
    const cuda::device_guard guard{cuda::device_ref{1}};
    throw std::runtime_error{"passes"};
  } catch (const std::runtime_error&) {
    CHECK(fake::current_gpu() == 0);
  }
}

TEST_CASE_METHOD(on_fake_gpus, "guards nest", "[cuda][device_guard][B61]") {
  const cuda::device_guard outer{cuda::device_ref{1}};
  {
    const cuda::device_guard inner{cuda::device_ref{0}};
    const cuda::device_guard same{cuda::device_ref{0}};
    CHECK(fake::current_gpu() == 0);
  }
  CHECK(fake::current_gpu() == 1);
}

TEST_CASE_METHOD(on_fake_gpus, "a guard for the current GPU pushes nothing", "[cuda][device_guard]") {
  { const cuda::device_guard first{cuda::device_ref{0}}; }
  fake::clear_calls();
  { const cuda::device_guard guard{cuda::device_ref{0}}; }
  CHECK(fake::count("cuCtxPushCurrent") == 0);
  CHECK(fake::count("cuCtxPopCurrent") == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a new thread gets the GPU it asks for and nothing else", "[cuda][device_guard][B62]") {
  std::optional<int> inside;
  std::optional<int> afterwards{4711};
  std::thread{[&] {
    {
      const cuda::device_guard guard{cuda::device_ref{1}};
      inside = fake::current_gpu();
    }
    afterwards = fake::current_gpu();
  }}.join();
  CHECK(inside == 1);
  CHECK_FALSE(afterwards.has_value());
  CHECK(fake::silent_contexts() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a context that cannot be made is an error that names the GPU, and is tried again",
                 "[cuda][device_guard]") {
  fake::reset(8);
  const cuda::device_ref device{6};  // no other test makes its context
  fake::fail_next("cuDevicePrimaryCtxRetain", cudaErrorDevicesUnavailable);
  const auto e = error_of([=] { const cuda::device_guard guard{device}; });
  CHECK(e.code() == std::error_code{static_cast<int>(cudaErrorDevicesUnavailable), cuda::driver_category()});
  CHECK(contains(e.attempted(), "GPU 6"));
  CHECK(contains(e.hint(), "exclusive"));
  CHECK_FALSE(fake::current_gpu().has_value());
  CHECK_NOTHROW(cuda::device_guard{device});
  CHECK(fake::contexts_made(6) == 1);
  CHECK_NOTHROW(cuda::device_guard{device});
  CHECK(fake::count("cuDevicePrimaryCtxRetain") == 2);
}

TEST_CASE_METHOD(on_fake_gpus, "a guard that cannot push throws and pops nothing", "[cuda][device_guard]") {
  fake::fail_next("cuCtxPushCurrent", cudaErrorIllegalAddress);
  const auto e = error_of([] { const cuda::device_guard guard{cuda::device_ref{1}}; });
  CHECK(e.code() == std::error_code{700, cuda::driver_category()});
  CHECK(e.after() == ge::recovery::restart_process);
  CHECK(contains(e.attempted(), "GPU 1"));
  CHECK(fake::current_gpu() == 0);
  CHECK(fake::count("cuCtxPopCurrent") == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "the driver's versioned functions are bound, not the plain old ones",
                 "[cuda][device_guard][B87]") {
  // The fake answers "not supported" from every function of an interface older than CUDA 7.
  CHECK_NOTHROW(cuda::device_guard{cuda::device_ref{1}});
}
