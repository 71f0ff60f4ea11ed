// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/stream.hpp>
#include "fakes/cudart/fixture.hpp"

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {

constexpr auto uuid_of_1 = "GPU-a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1";  // as the fake machine names its second GPU

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "a GPU is opened by index, UUID or PCI address", "[cuda][device]") {
  CHECK(cuda::device_ref{1}.index() == 1);
  CHECK(cuda::device_ref{uuid_of_1} == cuda::device_ref{1});
  CHECK(cuda::device_ref{"0000:42:00.0"} == cuda::device_ref{1});
  CHECK(cuda::device_ref{"00000000:42:00.0"} == cuda::device_ref{1});
  CHECK(cuda::device_ref{0} != cuda::device_ref{1});
}

TEST_CASE_METHOD(on_fake_gpus, "a GPU whose UUID holds zero bytes is found", "[cuda][device][B34]") {
  fake::gpu(0).uuid.fill(0xc3);
  fake::gpu(1).uuid.fill(0xc3);
  fake::gpu(0).uuid[10] = fake::gpu(1).uuid[10] = 0;
  fake::gpu(1).uuid[15] = 1;
  const cuda::device_ref second{"GPU-c3c3c3c3-c3c3-c3c3-c3c3-00c3c3c3c301"};
  CHECK(second.index() == 1);
  CHECK(second.uuid() == *ge::gpu::uuid::parse("GPU-c3c3c3c3-c3c3-c3c3-c3c3-00c3c3c3c301"));
}

TEST_CASE_METHOD(on_fake_gpus, "opening a GPU and reading its properties makes no context", "[cuda][device][B62]") {
  fake::reset(8);
  constexpr int untouched = 7;  // no other test uses it
  const cuda::device_ref device{untouched};
  CHECK(device.properties().multiprocessors == 132);
  CHECK(device.attribute(cudaDevAttrL2CacheSize) == 50 << 20);
  CHECK(cuda::device_ref::all().size() == 8);
  CHECK(cuda::device_ref{"0000:48:00.0"} == device);
  CHECK(fake::contexts_made(untouched) == 0);
  CHECK(fake::silent_contexts() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "a device that is known to exist is named without asking CUDA", "[cuda][device]") {
  fake::clear_calls();
  const auto device = cuda::device_ref::known(1);
  CHECK(fake::calls() == no_lines{});
  CHECK(device == cuda::device_ref{1});
}

TEST_CASE_METHOD(on_fake_gpus, "an index that does not exist is refused with the number of GPUs", "[cuda][device]") {
  for (const int index : {-1, 2, 1000}) {
    const auto e = error_of([=] { cuda::device_ref{index}; });
    CHECK(e.code() == cuda::make_error_code(cudaErrorInvalidDevice));
    CHECK(contains(e.attempted(), "GPU " + std::to_string(index)));
    CHECK(contains(e.hint(), "2 GPU"));
    CHECK(contains(e.hint(), "CUDA_VISIBLE_DEVICES"));
    CHECK(contains(e.where().file_name(), "device.test.cpp"));
  }
}

TEST_CASE_METHOD(on_fake_gpus, "a GPU that is not visible is refused with those that are", "[cuda][device]") {
  const auto e = error_of([] { cuda::device_ref{"GPU-00000000-0000-0000-0000-000000000001"}; });
  CHECK(e.code() == ge::errc::no_device);
  CHECK(contains(e.attempted(), "GPU-00000000-0000-0000-0000-000000000001"));
  CHECK(contains(e.hint(), uuid_of_1));
  CHECK(contains(e.hint(), "0000:42:00.0"));
  CHECK_THROWS_AS(cuda::device_ref{"0000:43:00.0"}, ge::error);
}

TEST_CASE_METHOD(on_fake_gpus, "a name that is no name of a GPU is refused before CUDA is asked", "[cuda][device]") {
  fake::clear_calls();
  for (const char* bad : {"", "GPU-", "H200", "0"}) {
    const auto e = error_of([=] { cuda::device_ref{std::string_view{bad}}; });
    CHECK(e.code() == ge::errc::invalid_argument);
    CHECK(contains(e.attempted(), "'" + std::string{bad} + "'"));
  }
  CHECK(fake::calls() == no_lines{});
}

TEST_CASE_METHOD(on_fake_gpus, "without any GPU the error has the reason", "[cuda][device]") {
  fake::reset(0);
  const auto e = error_of([] { cuda::device_ref{0}; });
  CHECK(e.is(cuda::make_error_code(cudaErrorNoDevice)));
  CHECK(contains(e.attempted(), "count the GPUs"));
  CHECK_THROWS_AS(cuda::device_ref::all(), ge::error);
}

TEST_CASE_METHOD(on_fake_gpus, "the CPU is not a GPU", "[cuda][device]") {
  const auto e = error_of([] { static_cast<void>(cuda::device_ref::from(ge::device_choice::cpu())); });
  CHECK(e.code() == ge::errc::invalid_argument);
}

TEST_CASE_METHOD(on_fake_gpus, "a choice of GPU is opened where a driver is, and refused with the reason where none is",
                 "[cuda][device]") {
  const auto seen = cuda::availability();  // of the machine that runs the test
  if (seen.ready()) {
    CHECK(cuda::device_ref::from(ge::device_choice::any_gpu()).index() == 0);
    CHECK(cuda::device_ref::from(ge::device_choice::gpu("1")).index() == 1);
    CHECK(cuda::device_ref::from(ge::device_choice::gpu(uuid_of_1)).index() == 1);
    const auto e = error_of([] { static_cast<void>(cuda::device_ref::from(ge::device_choice::gpu("2"))); });
    CHECK(e.code() == ge::errc::no_device);
  } else {
    const auto e = error_of([] { static_cast<void>(cuda::device_ref::from(ge::device_choice::any_gpu())); });
    CHECK(e.code() == ge::errc::no_device);
    CHECK(contains(e.attempted(), seen.cause));
    CHECK(e.hint() == seen.fix);
  }
}

TEST_CASE_METHOD(on_fake_gpus, "properties hold what CUDA tells, and zero for a clock it no longer tells",
                 "[cuda][device]") {
  fake::gpu(1).name = "NVIDIA H200";
  fake::gpu(1).pci_domain = 0x10000;
  fake::gpu(1).memory_pools = false;
  fake::gpu(1).concurrent_managed_access = false;
  const auto properties = cuda::device_ref{1}.properties();
  CHECK(properties.name == "NVIDIA H200");
  CHECK(to_string(properties.pci) == "10000:42:00.0");
  CHECK(to_string(properties.uuid) == uuid_of_1);
  CHECK(properties.memory_bytes == 1 << 20);
  CHECK(properties.l2_bytes == 50 << 20);
  CHECK_FALSE(properties.memory_pools);
  CHECK_FALSE(properties.concurrent_managed_access);
  CHECK(properties.clock_khz == 0);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(cuda::device_ref{0}.properties().concurrent_managed_access);
}

TEST_CASE_METHOD(on_fake_gpus, "the memory of a GPU is that GPU's, whichever is current", "[cuda][device][B61]") {
  fake::gpu(0).memory_bytes = 1000;
  fake::gpu(1).memory_bytes = 2000;
  CHECK(cuda::device_ref{1}.memory().total == 2000);
  CHECK(cuda::device_ref{0}.memory().free == 1000);
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a GPU is named for messages even when it no longer answers", "[cuda][device]") {
  const cuda::device_ref device{1};
  CHECK(to_string(device) == "GPU 1 (Fake GPU 1)");
  fake::fail_next("cudaGetDeviceProperties", cudaErrorUnknown);
  CHECK(to_string(device) == "GPU 1");
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE_METHOD(on_fake_gpus, "synchronize waits for all streams of the GPU and for no other GPU's",
                 "[cuda][device]") {
  cuda::stream first{cuda::device_ref{1}};
  cuda::stream second{cuda::device_ref{1}};
  cuda::stream elsewhere{cuda::device_ref{0}};
  for (const auto* s : {&first, &second, &elsewhere}) fake::launch(s->get(), 1);
  cuda::device_ref{1}.synchronize();
  CHECK(first.is_done());
  CHECK(second.is_done());
  CHECK_FALSE(elsewhere.is_done());
}
