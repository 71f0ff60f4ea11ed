// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include <gpuenv/cuda/unified_buffer.hpp>
#include "fakes/cudart/fixture.hpp"
#include "fakes/cudart/own_process.hpp"

#include <algorithm>
#include <cstdlib>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {

/// One object of every kind that has something to clean up, all in use.
struct one_of_each {
  one_of_each() {
    ordered.note_use(other);
    cuda::copy(pinned, plain, other);
    start.record(stream);
    point.record(other);
  }

  cuda::device_ref device{0};
  cuda::stream stream{device};
  cuda::stream other{device};
  cuda::event point{device};
  cuda::timed_event start{device};
  cuda::device_buffer<float> ordered{stream, 4};
  cuda::device_buffer<float> plain{device, 4};
  cuda::pinned_buffer<float> pinned{device, 4};
  cuda::unified_buffer<float> unified{device, 4};
};

std::size_t lines_in(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "a clean-up that fails is reported with call and reason, and does not throw",
                 "[cuda][report][B97]") {
  const captured_reports reports;
  {
    const cuda::event point{cuda::device_ref{0}};
    fake::fail_next("cudaEventDestroy", cudaErrorInvalidValue);
  }
  REQUIRE(captured_reports::lines().size() == 1);
  CHECK(captured_reports::lines()[0] ==
        "cudaEventDestroy failed during clean-up: invalid argument (cudaErrorInvalidValue)");
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  ends_clean = false;  // the event that CUDA did not destroy
}

TEST_CASE_METHOD(on_fake_gpus, "every destructor reports its failure and goes on", "[cuda][report][B97]") {
  const captured_reports reports;
  ends_clean = false;
  {
    const one_of_each objects;
    fake::run_everything();
    fake::fail_when([](std::string_view call) {
      return call.starts_with("cudaFree") || call.ends_with("Destroy") ? cudaErrorInvalidValue : cudaSuccess;
    });
  }
  fake::fail_when(nullptr);
  const auto& lines = captured_reports::lines();
  for (const char* call :
       {"cudaStreamDestroy", "cudaEventDestroy", "cudaFreeAsync", "cudaFree failed", "cudaFreeHost"}) {
    INFO(call);
    CHECK(std::ranges::any_of(lines, [=](const std::string& line) { return contains(line, call); }));
  }
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE_METHOD(on_fake_gpus, "a destructor whose GPU cannot be made current does not throw", "[cuda][report][B97]") {
  const captured_reports reports;
  fake::make_current(1);
  {
    const one_of_each objects;
    fake::fail_when([](std::string_view call) { return call == "cuCtxPushCurrent" ? cudaErrorUnknown : cudaSuccess; });
  }
  fake::fail_when(nullptr);
}

TEST_CASE_METHOD(on_fake_gpus, "an older CUDA error survives a clean-up that works", "[cuda][report]") {
  { const one_of_each objects; }
  fake::leave_error(cudaErrorInvalidConfiguration);
  { const one_of_each objects; }
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
}

TEST_CASE_METHOD(on_fake_gpus, "a fault is caught with its own call and place, though every destructor fails after it",
                 "[cuda][report][B97]") {
  const captured_reports reports;
  ends_clean = false;
  const auto e = error_of([] {
    const one_of_each objects;
    fake::lose_gpus(cudaErrorIllegalAddress);
    objects.stream.synchronize();
  });
  CHECK(e.code() == cuda::make_error_code(cudaErrorIllegalAddress));
  CHECK(contains(e.attempted(), "wait for a stream"));
  CHECK(contains(e.what(), "report.test.cpp:"));
  CHECK(e.after() == ge::recovery::restart_process);
  CHECK(captured_reports::lines().size() <= 1);  // once a process: see the next test
}

TEST_CASE("a lost GPU is reported once by all destructors together", "[cuda][report][B97]") {
  const auto child = run_in_own_process("child-lost");
  INFO(child.errors);
  CHECK(child.exit_code == 0);
  CHECK(lines_in(child.errors) == 1);
  CHECK(child.errors.starts_with("gpuenv: "));
  CHECK(contains(child.errors, "cudaErrorIllegalAddress"));
}

TEST_CASE_METHOD(on_fake_gpus, "child: the GPU is lost under objects of every kind", "[.child-lost]") {
  ends_clean = false;
  const one_of_each first;
  const one_of_each second;
  fake::lose_gpus(cudaErrorIllegalAddress);
}

TEST_CASE("objects that outlive main say nothing while CUDA shuts down", "[cuda][report][B94]") {
  const auto child = run_in_own_process("child-shutdown");
  CHECK(child.exit_code == 0);
  CHECK(child.errors.empty());
}

TEST_CASE("child: objects are destroyed after CUDA was shut down", "[.child-shutdown]") {
  fake::reset();
  static const one_of_each objects;
  thread_local const cuda::device_buffer<float> of_thread{objects.stream, 4};
  REQUIRE(std::atexit([] { fake::shut_down(); }) == 0);  // runs before the objects' destructors
}

TEST_CASE("a fault that is met only after main is reported, not crashed on", "[cuda][report][B94][B97]") {
  const auto child = run_in_own_process("child-lost-late");
  INFO(child.errors);
  CHECK(child.exit_code == 0);
  CHECK(lines_in(child.errors) == 1);
  CHECK(contains(child.errors, "cudaErrorIllegalAddress"));
}

TEST_CASE("child: objects are destroyed after main, on a GPU that was lost", "[.child-lost-late]") {
  fake::reset();
  static const one_of_each objects;
  // The categories come to be after the objects and would be destroyed before them.
  CHECK_FALSE(cuda::make_error_code(cudaErrorUnknown).message().empty());
  CHECK_FALSE(ge::category().message(1).empty());
  fake::lose_gpus(cudaErrorIllegalAddress);
}

TEST_CASE_METHOD(on_fake_gpus, "codes of a CUDA that shuts down are no failures", "[cuda][report][B94]") {
  const captured_reports reports;
  for (const cudaError_t status : {cudaErrorCudartUnloading, cudaErrorContextIsDestroyed, cudaSuccess}) {
    cuda::detail::report_failure(status, "cudaFree");
  }
  CHECK(captured_reports::lines() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "the sink is settable, can be silence, and the one before comes back",
                 "[cuda][report]") {
  static int lines = 0;
  const cuda::report_sink before = cuda::set_report_sink([](std::string_view) noexcept { ++lines; });
  CHECK(before != nullptr);
  cuda::detail::report_failure(cudaErrorInvalidValue, "cudaFree");
  CHECK(lines == 1);
  CHECK(cuda::set_report_sink(nullptr) != before);
  cuda::detail::report_failure(cudaErrorInvalidValue, "cudaFree");
  CHECK(lines == 1);
  CHECK(cuda::set_report_sink(before) == nullptr);
}
