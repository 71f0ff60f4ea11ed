// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include <gpuenv/cuda/unified_buffer.hpp>
#include "support/catch.hpp"
#include "test_kernels.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

using gpuenv::errc;
using gpuenv::error;
using namespace gpuenv::cuda;
using gpuenv_test::late_fill;
using gpuenv_test::spin;

namespace {

constexpr std::int64_t ms = 1'000'000;

unsigned long long differing(device_buffer<float>& data, float value, stream_ref stream) {
  device_buffer<unsigned long long> count{stream, 1};
  std::vector<unsigned long long> host{0};
  copy(host, count, stream);
  check(gpuenv_test::count_differing(data.data(), data.size(), value, count.data(), stream.get()), "count");
  copy(count, host, stream);
  stream.synchronize();
  return host[0];
}

template <class F>
std::error_code code_of(F&& f) {
  try {
    f();
  } catch (const error& e) {
    return e.code();
  }
  return {};
}

int current_device() {
  int device = -1;
  REQUIRE(cudaGetDevice(&device) == cudaSuccess);
  return device;
}

}  // namespace

TEST_CASE("A device is opened by index, UUID and PCI address, and says what it is") {
  const device_ref device{0};
  const auto facts = device.properties();
  CHECK(device_ref{gpuenv::gpu::to_string(facts.uuid)} == device);
  CHECK(device_ref{gpuenv::gpu::to_string(facts.pci)} == device);
  CHECK_FALSE(facts.name.empty());
  CHECK(facts.compute_major * 10 + facts.compute_minor >= 75);
  CHECK(facts.multiprocessors > 0);
  CHECK(device.memory().free <= device.memory().total);
  CHECK(device.memory().free > 0);
  CHECK(code_of([] { device_ref{9999}; }) == make_error_code(cudaErrorInvalidDevice));
  CHECK(code_of([] { device_ref{"GPU-00000000-0000-0000-0000-000000000000"}; }) == errc::no_device);
}

TEST_CASE("The caller's current device is left alone", "[B61]") {
  const int before = current_device();
  for (const device_ref device : device_ref::all()) {
    const stream s{device};
    device_buffer<float> x{s, 100};
    device_buffer<float> y{device, 100};
    const std::vector<float> ones(100, 1.0F);
    copy(ones, x, s);
    copy(x, y, s);
    s.synchronize();
    CHECK(current_device() == before);
  }
}

TEST_CASE("A failed call leaves the current device and the last error as they were", "[B61][api_error]") {
  const int before = current_device();
  CHECK(code_of([] {
          device_buffer<char>{device_ref{0}, std::size_t{1} << 50};
        }) == make_error_code(cudaErrorMemoryAllocation));
  CHECK(current_device() == before);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("Host, pinned, unified and device memory copy into each other") {
  const device_ref device{0};
  const stream s{device};
  constexpr std::size_t size = 1000;
  std::vector<int> source(size);
  std::iota(source.begin(), source.end(), 7);
  pinned_buffer<int> pinned{device, size};
  unified_buffer<int> unified{device, size};
  device_buffer<int> on_device{s, size};
  device_buffer<int> plain{device, size};
  std::vector<int> result(size, 0);
  copy(source, pinned, s);
  copy(pinned, on_device, s);
  copy(on_device, plain, s);
  copy(plain, unified, s);
  copy(unified, result, s);
  s.synchronize();
  CHECK(result == source);
  CHECK(std::equal(unified.begin(), unified.end(), source.begin()));
}

TEST_CASE("Zero elements are a valid buffer of every kind", "[B64]") {
  const device_ref device{0};
  const stream s{device};
  device_buffer<float> a{s, 0};
  device_buffer<float> b{device, 0};
  pinned_buffer<float> c{device, 0};
  unified_buffer<float> d{device, 0};
  CHECK((a.data() == nullptr && b.data() == nullptr && c.data() == nullptr && d.data() == nullptr));
  copy(a, b, s);
  copy(c, a, s);
  copy(a, d, s);
  CHECK_FALSE(d.prefetch_to_device(s));
  a = std::move(b);
  s.synchronize();
}

TEST_CASE("A buffer used on another stream is not reused under the running kernel", "[B60][slow]") {
  const device_ref device{0};
  const stream a{device};
  const stream b{device};
  constexpr std::size_t size = 1 << 18;
  for (int round = 0; round < 500; ++round) {
    device_buffer<float> result{device, size};
    {
      device_buffer<float> x{a, size};
      a.synchronize();
      // Stream b writes x late and then reads it back; meanwhile x is dropped and its memory asked for again.
      check(late_fill(x.data(), size, 1.0F, ms / 10, b.get()), "late_fill");
      copy(x, result, b);
    }
    device_buffer<float> y{a, size};
    check(late_fill(y.data(), size, 2.0F, 0, a.get()), "late_fill");
    REQUIRE(differing(y, 2.0F, a) == 0);
    REQUIRE(differing(result, 1.0F, b) == 0);
  }
}

TEST_CASE("A use that the caller notes holds the memory", "[B60]") {
  const device_ref device{0};
  const stream a{device};
  const stream b{device};
  constexpr std::size_t size = 1 << 18;
  for (int round = 0; round < 50; ++round) {
    {
      device_buffer<float> x{a, size};
      a.synchronize();
      check(late_fill(x.data(), size, 1.0F, ms, b.get()), "late_fill");
      x.note_use(b);
    }
    device_buffer<float> y{a, size};
    check(late_fill(y.data(), size, 2.0F, 0, a.get()), "late_fill");
    b.synchronize();
    REQUIRE(differing(y, 2.0F, a) == 0);
  }
}

TEST_CASE("Pinned memory waits for the copy that runs from and to it", "[B63][slow]") {
  const device_ref device{0};
  const stream s{device};
  constexpr std::size_t size = 64 << 20;  // 256 MiB
  device_buffer<float> source{device, size};
  check(late_fill(source.data(), size, 1.0F, 0, s.get()), "late_fill");
  const float* freed = nullptr;
  {
    pinned_buffer<float> target{device, size};
    freed = target.data();
    check(spin(20 * ms, s.get()), "spin");
    copy(source, target, s);
    CHECK_FALSE(s.is_done());
  }
  CHECK(s.is_done());  // the destructor waited
  pinned_buffer<float> next{device, size};
  std::fill(next.begin(), next.end(), 3.0F);
  s.synchronize();
  CHECK(std::count(next.begin(), next.end(), 3.0F) == static_cast<std::ptrdiff_t>(size));
  INFO("memory at " << freed);
}

TEST_CASE("Unified memory is prefetched, advised and read on both sides", "[B65]") {
  const device_ref device{0};
  const stream s{device};
  constexpr std::size_t size = 1 << 20;
  unified_buffer<float> x{device, size};
  std::fill(x.begin(), x.end(), 1.0F);
  CHECK(x.shares_access() == device.properties().concurrent_managed_access);
  for (const auto hint : {unified_advice::read_mostly, unified_advice::prefer_host, unified_advice::prefer_device,
                          unified_advice::mapped_on_device}) {
    CHECK(x.advise(hint) == x.shares_access());
  }
  CHECK(x.prefetch_to_device(s) == x.shares_access());
  check(late_fill(x.data(), size, 5.0F, 0, s.get()), "late_fill");
  CHECK(x.prefetch_to_host(s) == x.shares_access());
  s.synchronize();
  CHECK(std::count(x.begin(), x.end(), 5.0F) == static_cast<std::ptrdiff_t>(size));
}

TEST_CASE("Events are timed, and each mistake with them has its own error", "[B70]") {
  const device_ref device{0};
  const stream s{device};
  timed_event start{device};
  timed_event stop{device};
  CHECK(code_of([&] { static_cast<void>(stop - start); }) == errc::invalid_argument);  // never recorded
  start.record(s);
  check(spin(20 * ms, s.get()), "spin");
  stop.record(s);
  CHECK_FALSE(stop.is_done());
  CHECK(code_of([&] { static_cast<void>(stop - start); }) == errc::not_ready);
  CHECK(cudaGetLastError() == cudaSuccess);
  stop.synchronize();
  CHECK((stop - start).count() >= 19.9F);
  CHECK((stop - start).count() < 1000.0F);
  static_assert(!std::is_convertible_v<event, timed_event>, "an event without time cannot be subtracted");
}

TEST_CASE("A stream waits for an event of another stream") {
  const device_ref device{0};
  const stream a{device};
  const stream b{device};
  event point{device};
  device_buffer<float> x{device, 1000};
  check(late_fill(x.data(), x.size(), 4.0F, 5 * ms, a.get()), "late_fill");
  point.record(a);
  wait(b, point);
  CHECK(differing(x, 4.0F, b) == 0);
}

TEST_CASE("A buffer keeps its stream alive") {
  const device_ref device{0};
  device_buffer<float> x;
  {
    const stream s{device};
    x = device_buffer<float>{s, 100};
    check(late_fill(x.data(), 100, 6.0F, ms, s.get()), "late_fill");
  }
  CHECK(differing(x, 6.0F, *x.stream()) == 0);
}

TEST_CASE("The legacy and the per-thread stream are there by name") {
  const device_ref device{0};
  for (const stream_ref s : {stream_ref::legacy(device), stream_ref::per_thread(device)}) {
    device_buffer<float> x{s, 100};
    check(late_fill(x.data(), 100, 7.0F, 0, s.get()), "late_fill");
    CHECK(differing(x, 7.0F, s) == 0);
  }
}

TEST_CASE("The pool keeps memory, trims, and leaves the device's own pool alone", "[B69]") {
  const device_ref device{0};
  const stream s{device};
  auto& pool = memory_pool::of(device);
  s.synchronize();
  pool.trim();
  { device_buffer<char> x{s, 256 << 20}; }
  s.synchronize();
  CHECK(pool.reserved() >= std::size_t{256} << 20);
  CHECK(pool.in_use() == 0);
  const std::size_t free_kept = device.memory().free;
  pool.trim();
  CHECK(pool.reserved() == 0);
  CHECK(device.memory().free >= free_kept + (std::size_t{200} << 20));
}

TEST_CASE("Memory that the pool keeps is given back when a large allocation needs it", "[B69][slow]") {
  const device_ref device{0};
  const stream s{device};
  const std::size_t most = device.memory().free / 10 * 6;
  { device_buffer<char> x{s, most}; }
  s.synchronize();
  CHECK_NOTHROW(device_buffer<char>{s, device.memory().free / 10 * 6 + most / 2});
  s.synchronize();
  memory_pool::of(device).trim();
}

TEST_CASE("A full device is an error with the bytes wanted and free, and the process goes on", "[B98][api_error]") {
  const device_ref device{0};
  const stream s{device};
  for (const bool pooled : {true, false}) {
    try {
      const std::size_t wanted = device.memory().total + 1;
      if (pooled) {
        device_buffer<char>{s, wanted};
      } else {
        device_buffer<char>{device, wanted};
      }
      FAIL("nothing was thrown");
    } catch (const error& e) {
      const std::string text = e.what();
      CHECK(e.code() == make_error_code(cudaErrorMemoryAllocation));
      CHECK(text.find(std::to_string(device.memory().total + 1) + " bytes wanted") != std::string::npos);
      CHECK(text.find(" free of ") != std::string::npos);
      CHECK(e.after() == gpuenv::recovery::possible);
    }
  }
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK_NOTHROW(device_buffer<char>{s, 1000});
}

TEST_CASE("A launch that cannot be is an error of its own, and the next call is clean", "[B98][api_error]") {
  const device_ref device{0};
  const stream s{device};
  const auto code = code_of([&] { check(gpuenv_test::launch_too_many_threads(s.get()), "launch"); });
  CHECK((code == make_error_code(cudaErrorInvalidConfiguration) || code == make_error_code(cudaErrorInvalidValue)));
  CHECK_NOTHROW(s.synchronize());
}

TEST_CASE("An older error of the caller is not blamed on our calls, nor taken away", "[api_error]") {
  const device_ref device{0};
  const stream s{device};
  device_buffer<float> x{s, 10};
  CHECK(cudaFree(reinterpret_cast<void*>(0x1234)) != cudaSuccess);
  const std::vector<float> ones(10, 1.0F);
  CHECK_NOTHROW(copy(ones, x, s));
  event point{device};
  check(spin(ms, s.get()), "spin");
  point.record(s);
  CHECK_FALSE(point.is_done());
  CHECK_NOTHROW(s.synchronize());
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("Threads use streams and buffers of one device at once", "[B62][slow]") {
  const device_ref device{0};
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const stream s{device};
      for (int round = 0; round < 50; ++round) {
        const auto value = static_cast<float>(t * 1000 + round);
        device_buffer<float> x{s, 10000};
        if (late_fill(x.data(), x.size(), value, 0, s.get()) != cudaSuccess) ++wrong;
        std::vector<float> host(x.size());
        copy(x, host, s);
        s.synchronize();
        if (std::count(host.begin(), host.end(), value) != 10000) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("Objects of two devices live side by side, whichever is current", "[B61][B62]") {
  const auto devices = device_ref::all();
  if (devices.size() < 2) {
    WARN("not run: needs two GPUs");
    return;
  }
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  std::vector<device_buffer<float>> buffers;
  {
    const stream first{devices[0]};
    const stream second{devices[1]};
    for (int round = 0; round < 20; ++round) {
      const stream& s = round % 2 == 0 ? first : second;
      buffers.emplace_back(s, 10000);
      check(late_fill(buffers.back().data(), 10000, static_cast<float>(round), ms / 10, s.get()), "late_fill");
    }
    event point{devices[1]};
    point.record(second);
    wait(first, point);
    CHECK(code_of([&] { point.record(first); }) == errc::invalid_argument);
    timed_event start{devices[0]};
    timed_event stop{devices[1]};
    start.record(first);
    stop.record(second);
    start.synchronize();
    stop.synchronize();
    CHECK(code_of([&] { static_cast<void>(stop - start); }) == errc::invalid_argument);  // [B70]: two devices
  }
  for (int round = 0; round < 20; ++round) {
    auto& buffer = buffers[static_cast<std::size_t>(round)];
    CHECK(buffer.device() == devices[static_cast<std::size_t>(round % 2)]);
    CHECK(differing(buffer, static_cast<float>(round), *buffer.stream()) == 0);
  }
  std::swap(buffers[0], buffers[1]);
  buffers.clear();
  CHECK(current_device() == 0);
}

TEST_CASE("Work on one device touches no memory of another", "[B62]") {
  const auto devices = device_ref::all();
  if (devices.size() < 2) {
    WARN("not run: needs two GPUs");
    return;
  }
  std::thread{[&] {  // a new thread has device 0 as its current one
    const stream s{devices[1]};
    device_buffer<float> x{s, 1000};
    pinned_buffer<float> p{devices[1], 1000};
    const std::vector<float> ones(1000, 1.0F);
    copy(ones, x, s);
    copy(x, p, s);
    s.synchronize();
    CUctx_st* current = reinterpret_cast<CUctx_st*>(1);
    CHECK(detail::contexts.get_current.load()(&current) == 0);
    CHECK(current == nullptr);  // and still has no context there
  }}
      .join();
}
