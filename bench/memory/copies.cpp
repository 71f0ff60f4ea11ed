// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include "memory/registrar.hpp"

#include <memory>
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

/// cuda::copy and the raw call, in the order of a stream.
template <class State, class From, class To>
std::vector<contender> stream_copies(const std::shared_ptr<State>& state, From State::*from, To State::*to) {
  return by_events(
      state, [=](State& s) { cuda::copy(s.*from, s.*to, s.clock.stream); },
      [=](State& s) {
        check(cudaMemcpyAsync((s.*to).data(), (s.*from).data(), (s.*from).size(), cudaMemcpyDefault,
                              s.clock.stream.ref().get()));
      });
}

/// The same with a wait behind it.
template <class State, class From, class To>
std::vector<contender> waiting_copies(const std::shared_ptr<State>& state, From State::*from, To State::*to) {
  return by_wall(
      state,
      [=](State& s) {
        cuda::copy(s.*from, s.*to, s.clock.stream);
        s.clock.stream.ref().synchronize();
      },
      [=](State& s) { check(cudaMemcpy((s.*to).data(), (s.*from).data(), (s.*from).size(), cudaMemcpyDefault)); });
}

void add_pinned_copies(const registrar& r, std::size_t size) {
  using state = transfer<cuda::pinned_buffer<std::byte>>;
  const auto make = [r, size] {
    return std::make_shared<state>(r.device, size, cuda::pinned_buffer<std::byte>{r.device, size});
  };
  const auto moved = static_cast<double>(size);
  r.add("copy_to_device/pinned", size, moved, [=] { return stream_copies(make(), &state::host, &state::on_device); });
  r.add("copy_to_host/pinned", size, moved, [=] { return stream_copies(make(), &state::on_device, &state::host); });
}

void add_ordinary_copies(const registrar& r, std::size_t size) {
  using state = transfer<bytes>;
  const auto make = [r, size] { return std::make_shared<state>(r.device, size, bytes(size)); };
  const auto moved = static_cast<double>(size);
  r.add("copy_to_device/ordinary", size, moved,
        [=] { return waiting_copies(make(), &state::host, &state::on_device); });
  r.add("copy_to_host/ordinary_touched", size, moved,
        [=] { return waiting_copies(make(), &state::on_device, &state::host); });
  r.add("copy_to_host/ordinary_fresh", size, moved, [=] {
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
  r.add("copy_on_device", size, 2.0 * static_cast<double>(size),
        [=] { return stream_copies(std::make_shared<state>(r.device, size), &state::from, &state::to); });
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
