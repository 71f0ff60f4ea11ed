// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/version.hpp>
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/error.hpp>
#include "fakes/cudart/fixture.hpp"
#include "fakes/cudart/own_process.hpp"

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {

class second_copy final : public ge::named_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "cudart"; }
  [[nodiscard]] std::string message(int) const override { return {}; }
};

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "a failed call says what was attempted, its status by name and value, and a hint",
                 "[cuda][error]") {
  const auto e = error_of([] { cuda::check(cudaErrorInvalidConfiguration, "launch the product"); });
  CHECK(e.code() == cuda::make_error_code(cudaErrorInvalidConfiguration));
  CHECK(std::string{e.what()}.starts_with(
      "launch the product: invalid configuration argument (cudaErrorInvalidConfiguration) [cudart 9]; a kernel was "
      "launched with a grid or block that the device refuses"));
  CHECK(contains(e.where().file_name(), "error.test.cpp"));
}

TEST_CASE_METHOD(on_fake_gpus, "a failed call that concerns a GPU names it", "[cuda][error]") {
  const auto e = error_of(
      [] { cuda::check(cudaErrorInvalidValue, "copy", cuda::device_ref{1}, std::source_location::current()); });
  CHECK(e.attempted() == "copy on GPU 1 (Fake GPU 1)");
}

TEST_CASE_METHOD(on_fake_gpus, "success throws nothing and asks CUDA nothing", "[cuda][error]") {
  fake::clear_calls();
  cuda::check(cudaSuccess, "copy");
  CHECK(fake::calls() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a failure that was thrown is not left as the last error", "[cuda][error]") {
  cuda::device_ref device{0};
  fake::fail_next("cudaStreamCreateWithPriority", cudaErrorInvalidValue);
  CHECK_THROWS_AS(cuda::stream{device}, ge::error);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE_METHOD(on_fake_gpus, "an older CUDA error is not blamed on a call of gpuenv, and stays for its owner",
                 "[cuda][error]") {
  fake::leave_error(cudaErrorInvalidConfiguration);
  {
    cuda::stream stream{cuda::device_ref{0}};
    cuda::device_buffer<float> buffer{stream, 4};
    stream.synchronize();
    CHECK(stream.is_done());
  }
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
}

TEST_CASE_METHOD(on_fake_gpus, "asking whether work is done keeps an older CUDA error for its owner", "[cuda][error]") {
  cuda::stream stream{cuda::device_ref{0}};
  cuda::event point{cuda::device_ref{0}};
  fake::launch(stream.get(), 1);
  point.record(stream);
  fake::leave_error(cudaErrorInvalidConfiguration);
  CHECK_FALSE(stream.is_done());
  CHECK_FALSE(point.is_done());
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
}

TEST_CASE("a fault that CUDA does not survive asks for a new process", "[cuda][error][B98]") {
  // The statuses of which CUDA's driver_types.h says: "the process must be terminated and relaunched". By value: the
  // older toolkits lack the names of three.
  for (const int value : {226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911}) {
    INFO(value);
    CHECK(cuda::after(static_cast<cudaError_t>(value)) == ge::recovery::restart_process);
  }
  CHECK(cuda::after(cudaErrorECCUncorrectable) == ge::recovery::restart_process);
}

TEST_CASE("a failure that leaves CUDA as it was does not ask for a new process", "[cuda][error][B98]") {
  for (const cudaError_t status :
       {cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorInvalidConfiguration, cudaErrorInvalidDevice,
        cudaErrorInvalidResourceHandle, cudaErrorNotReady, cudaErrorNoKernelImageForDevice,
        cudaErrorLaunchOutOfResources, cudaErrorInvalidPitchValue, cudaErrorNotSupported}) {
    INFO(static_cast<int>(status));
    CHECK(cuda::after(status) == ge::recovery::possible);
  }
}

TEST_CASE_METHOD(on_fake_gpus, "the error of a fatal fault says that the process must restart, and where to look",
                 "[cuda][error][B98]") {
  const auto fatal = error_of([] { cuda::check(cudaErrorIllegalAddress, "wait for a stream"); });
  CHECK(fatal.after() == ge::recovery::restart_process);
  CHECK(contains(fatal.what(), "restart"));
  CHECK(contains(fatal.hint(), "earlier call"));
  CHECK(contains(fatal.hint(), "compute-sanitizer"));
  const auto harmless = error_of([] { cuda::check(cudaErrorMemoryAllocation, "allocate"); });
  CHECK(harmless.after() == ge::recovery::possible);
  CHECK_FALSE(contains(harmless.what(), "restart"));
}

TEST_CASE("faults that have different remedies have different hints", "[cuda][error]") {
  CHECK(contains(cuda::hint_for(cudaErrorMemoryAllocation), "free memory"));
  CHECK(contains(cuda::hint_for(cudaErrorNoKernelImageForDevice), "CMAKE_CUDA_ARCHITECTURES"));
  CHECK(contains(cuda::hint_for(cudaErrorNoKernelImageForDevice), ge::built_architectures()));
  CHECK(contains(cuda::hint_for(cudaErrorUnsupportedPtxVersion), "update the driver"));
  CHECK(contains(cuda::hint_for(cudaErrorDevicesUnavailable), "exclusive"));
  CHECK(contains(cuda::hint_for(cudaErrorSystemNotReady), "fabricmanager"));
  CHECK(contains(cuda::hint_for(cudaErrorSystemDriverMismatch), "reboot"));
  CHECK(contains(cuda::hint_for(cudaErrorInitializationError), "fork"));
}

TEST_CASE_METHOD(on_fake_gpus, "a status whose cause only the driver knows is explained by the probe",
                 "[cuda][error][B99]") {
  const auto seen = cuda::availability();  // of the machine that runs the test
  const auto e = error_of([] { cuda::check(cudaErrorInsufficientDriver, "count the GPUs"); });
  CHECK(e.code() == cuda::make_error_code(cudaErrorInsufficientDriver));
  CHECK(e.hint() == (seen.ready() ? cuda::hint_for(cudaErrorInsufficientDriver) : seen.message()));
}

TEST_CASE_METHOD(on_fake_gpus, "a driver's code has the driver's category and the hint of its twin", "[cuda][error]") {
  const auto e = error_of([] { cuda::throw_driver_error(700, "make GPU 0 current", std::source_location::current()); });
  CHECK(e.code() == std::error_code{700, cuda::driver_category()});
  CHECK_FALSE(e.is(cuda::make_error_code(cudaErrorIllegalAddress)));
  CHECK(contains(e.what(), "CUDA_ERROR_ILLEGAL_ADDRESS"));
  CHECK(contains(e.what(), "[cuda-driver 700]"));
  CHECK(e.hint() == cuda::hint_for(cudaErrorIllegalAddress));
  CHECK(e.after() == ge::recovery::restart_process);
}

TEST_CASE("a driver's code that is not in the table still shows its value", "[cuda][error]") {
  CHECK(contains(cuda::driver_category().message(4711), "4711"));
}

TEST_CASE("runtime codes of two copies of the library are equal", "[cuda][error]") {
  const second_copy copy;
  CHECK(cuda::make_error_code(cudaErrorMemoryAllocation) == std::error_condition{2, copy});
  CHECK(ge::error(cuda::make_error_code(cudaErrorMemoryAllocation), "x").is({2, copy}));
  CHECK(cuda::make_error_code(cudaErrorMemoryAllocation) != std::error_condition{2, cuda::driver_category()});
}

TEST_CASE_METHOD(on_fake_gpus, "a call in a forked child says that CUDA does not survive a fork",
                 "[cuda][error][B95]") {
  cuda::stream stream{cuda::device_ref{0}};
  fake::fail_when([](std::string_view call) {
    return call.starts_with("cudaGetDriver") ? cudaSuccess : cudaErrorInitializationError;
  });
  const auto e = error_of([&] { stream.synchronize(); });
  CHECK(e.code().value() == static_cast<int>(cudaErrorInitializationError));
  CHECK(contains(e.hint(), "fork"));
  CHECK(contains(e.hint(), "exec"));
  fake::fail_when(nullptr);
}

TEST_CASE("a driver that cannot be loaded is an error with its reason, and is asked again", "[cuda][error]") {
  const auto child = run_in_own_process("child-no-driver");
  INFO(child.errors);
  CHECK(child.exit_code == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "child: the first load of the driver fails", "[.child-no-driver]") {
  fake::fail_next("cudaGetDriverEntryPointByVersion", cudaErrorInsufficientDriver);
  fake::fail_next("cudaGetDriverEntryPoint", cudaErrorInsufficientDriver);
  const cuda::device_ref device{0};
  const auto e = error_of([&] { cuda::stream{device}; });
  CHECK(e.is(cuda::make_error_code(cudaErrorInsufficientDriver)));
  CHECK(contains(e.attempted(), "load the CUDA driver"));
  CHECK_NOTHROW(cuda::stream{device});
}
