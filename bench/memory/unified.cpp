// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/unified_buffer.hpp>
#include "memory/registrar.hpp"

#include <cstring>
#include <functional>
#include <stdexcept>

namespace gpuenv_bench {
namespace {

namespace cuda = gpuenv::cuda;

/// Where pages go next, so that each call of a contender has some to move.
struct unified_state {
  unified_state(cuda::device_ref device, std::size_t size) : stream{device}, memory{device, size} {
    std::memset(memory.data(), 1, size);
  }

  void to_device() {
    memory.prefetch_to_device(stream);
    stream.ref().synchronize();
  }
  void to_host() {
    memory.prefetch_to_host(stream);
    stream.ref().synchronize();
  }

  cuda::stream stream;
  cuda::unified_buffer<std::byte> memory;
};

#if CUDART_VERSION >= 13000
void raw_prefetch(unified_state& s, cudaMemLocationType type) {
  check(cudaMemPrefetchAsync(s.memory.data(), s.memory.size(), cudaMemLocation{.type = type, .id = 0}, 0,
                             s.stream.ref().get()));
  check(cudaStreamSynchronize(s.stream.ref().get()));
}
void raw_to_device(unified_state& s) { raw_prefetch(s, cudaMemLocationTypeDevice); }
void raw_to_host(unified_state& s) { raw_prefetch(s, cudaMemLocationTypeHost); }
#else
void raw_prefetch(unified_state& s, int device) {
  check(cudaMemPrefetchAsync(s.memory.data(), s.memory.size(), device, s.stream.ref().get()));
  check(cudaStreamSynchronize(s.stream.ref().get()));
}
void raw_to_device(unified_state& s) { raw_prefetch(s, 0); }
void raw_to_host(unified_state& s) { raw_prefetch(s, cudaCpuDeviceId); }
#endif

using page_move = std::function<void(unified_state&)>;

/// @param back takes the pages back before each call, untimed
void add_prefetch(const registrar& r, const char* name, std::size_t size, page_move back, page_move ours,
                  page_move raw) {
  r.add(name, size, static_cast<double>(size), [=] {
    const auto state = std::make_shared<unified_state>(r.device, size);
    const auto timed = [&](const page_move& move) {
      return [state, back, move] {
        back(*state);
        return wall_seconds(1, [&] { move(*state); });
      };
    };
    return std::vector<contender>{{"gpuenv", timed(ours)}, {"raw", timed(raw)}};
  });
}

/// The host reads pages that lie on the device: by page faults, against after a prefetch.
void add_touch(const registrar& r, std::size_t size) {
  r.add("unified/host_reads", size, static_cast<double>(size), [=] {
    const auto state = std::make_shared<unified_state>(r.device, size);
    const auto read = [](unified_state& s) {
      constexpr std::size_t page = 4096;
      unsigned sum = 0;
      for (std::size_t i = 0; i < s.memory.size(); i += page) sum += static_cast<unsigned>(s.memory.data()[i]);
      if (sum == 0) throw std::runtime_error{"unified memory lost its content"};
    };
    return std::vector<contender>{{"gpuenv",
                                   [state, read] {
                                     state->to_device();
                                     return wall_seconds(1, [&] {
                                       state->to_host();
                                       read(*state);
                                     });
                                   }},
                                  {"raw", [state, read] {
                                     state->to_device();
                                     return wall_seconds(1, [&] { read(*state); });
                                   }}};
  });
}

}  // namespace

void add_unified_memory(const registrar& r) {
  if (!cuda::unified_buffer<std::byte>{r.device, 1}.shares_access()) return;  // pages do not move on this system
  constexpr std::size_t size = 256 * mib;
  const page_move to_device = [](unified_state& s) { s.to_device(); };
  const page_move to_host = [](unified_state& s) { s.to_host(); };
  add_prefetch(r, "unified/prefetch_to_device", size, to_host, to_device, raw_to_device);
  add_prefetch(r, "unified/prefetch_to_host", size, to_device, to_host, raw_to_host);
  add_touch(r, size);
}

}  // namespace gpuenv_bench
