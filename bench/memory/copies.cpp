// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include "memory/registrar.hpp"

#include <span>
#include <vector>

namespace gpuenv_bench {
namespace {

namespace cuda = gpuenv::cuda;
using bytes = std::vector<std::byte>;

template <class Host>
struct transfer {
  transfer(cuda::device_ref device, std::size_t size, Host memory)
      : clock{device}, host{std::move(memory)}, on_device{clock.stream, size} {
    for (std::size_t i = 0; i < size; ++i) host.data()[i] = static_cast<std::byte>(i * 31);
    cuda::copy(host, on_device, clock.stream);
    clock.stream.ref().synchronize();
  }
  event_clock clock;
  Host host;
  cuda::device_buffer<std::byte> on_device;
};

void add_pinned_copies(const registrar& r, std::size_t size) {
  using state = transfer<cuda::pinned_buffer<std::byte>>;
  const auto make = [r, size] {
    return std::make_shared<state>(r.device, size, cuda::pinned_buffer<std::byte>{r.device, size});
  };
  r.add("copy_to_device/pinned", size, static_cast<double>(size), [=] {
    return by_events(
        make(), [](state& s) { cuda::copy(s.host, s.on_device, s.clock.stream); },
        [](state& s) {
          check(cudaMemcpyAsync(s.on_device.data(), s.host.data(), s.host.size(), cudaMemcpyDefault,
                                s.clock.stream.ref().get()));
        });
  });
  r.add("copy_to_host/pinned", size, static_cast<double>(size), [=] {
    return by_events(
        make(), [](state& s) { cuda::copy(s.on_device, s.host, s.clock.stream); },
        [](state& s) {
          check(cudaMemcpyAsync(s.host.data(), s.on_device.data(), s.host.size(), cudaMemcpyDefault,
                                s.clock.stream.ref().get()));
        });
  });
}

void add_ordinary_copies(const registrar& r, std::size_t size) {
  using state = transfer<bytes>;
  const auto make = [r, size] { return std::make_shared<state>(r.device, size, bytes(size)); };
  r.add("copy_to_device/ordinary", size, static_cast<double>(size), [=] {
    return by_wall(
        make(),
        [](state& s) {
          cuda::copy(s.host, s.on_device, s.clock.stream);
          s.clock.stream.ref().synchronize();
        },
        [](state& s) { check(cudaMemcpy(s.on_device.data(), s.host.data(), s.host.size(), cudaMemcpyDefault)); });
  });
  r.add("copy_to_host/ordinary_touched", size, static_cast<double>(size), [=] {
    return by_wall(
        make(),
        [](state& s) {
          cuda::copy(s.on_device, s.host, s.clock.stream);
          s.clock.stream.ref().synchronize();
        },
        [](state& s) { check(cudaMemcpy(s.host.data(), s.on_device.data(), s.host.size(), cudaMemcpyDefault)); });
  });
  r.add("copy_to_host/ordinary_fresh", size, static_cast<double>(size), [=] {
    return by_wall(
        make(),
        [](state& s) {
          const std::unique_ptr<std::byte[]> fresh{new std::byte[s.host.size()]};
          cuda::copy(s.on_device, std::span{fresh.get(), s.host.size()}, s.clock.stream);
          s.clock.stream.ref().synchronize();
        },
        [](state& s) {
          const std::unique_ptr<std::byte[]> fresh{new std::byte[s.host.size()]};
          check(cudaMemcpy(fresh.get(), s.on_device.data(), s.host.size(), cudaMemcpyDefault));
        });
  });
}

void add_device_copy(const registrar& r, std::size_t size) {
  struct state {
    state(cuda::device_ref device, std::size_t n) : clock{device}, from{clock.stream, n}, to{clock.stream, n} {}
    event_clock clock;
    cuda::device_buffer<std::byte> from, to;
  };
  r.add("copy_on_device", size, 2.0 * static_cast<double>(size), [=] {
    return by_events(
        std::make_shared<state>(r.device, size), [](state& s) { cuda::copy(s.from, s.to, s.clock.stream); },
        [](state& s) {
          check(cudaMemcpyAsync(s.to.data(), s.from.data(), s.from.size(), cudaMemcpyDefault,
                                s.clock.stream.ref().get()));
        });
  });
}

}  // namespace

void add_copies(const registrar& r) {
  for (const std::size_t size : {mib, 64 * mib, 256 * mib}) {
    add_pinned_copies(r, size);
    add_ordinary_copies(r, size);
    add_device_copy(r, size);
  }
}

}  // namespace gpuenv_bench
