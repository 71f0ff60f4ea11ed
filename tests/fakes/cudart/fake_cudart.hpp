// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A CUDA runtime without a GPU, and its controls for tests. Linked in place of cudart, so that the inline wrappers meet
// it too. It keeps the runtime's contract where gpuenv depends on it:
//   - work that is queued runs only when the test or a synchronising call says so: a free that comes too early is seen
//   - a call that needs a context and finds none current makes one, and the test learns which call did
//   - a failure stays the thread's last error until it is taken; "not ready" is no failure (as in CUDA 12 and 13)
//   - a handle of a destroyed stream is given to the next stream
// Not simulated: how the legacy stream waits for blocking ones, kernels, reuse of freed pool memory.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fake {

struct gpu_description {
  std::string name = "Fake GPU";
  std::array<unsigned char, 16> uuid{};
  int pci_domain = 0;
  int pci_bus = 0;
  int pci_device = 0;
  std::size_t memory_bytes = 1 << 20;
  bool concurrent_managed_access = true;
  bool memory_pools = true;  // gpuenv asks once a process: set it before the first use of the GPU
};

/// A machine with `count` GPUs on which nothing is allocated, queued, current or broken, and an empty log. What gpuenv
/// keeps for the whole process stays: contexts, pools, the table of driver functions.
void reset(int count = 2);
/// The description of a GPU, to be changed by the test.
gpu_description& gpu(int index);

// What was called
std::vector<std::string> calls();          ///< every runtime and driver call, in order
std::size_t count(std::string_view call);  ///< how many of them have this name
void clear_calls();
/// Calls that made a context because none was current: "cudaFree on GPU 0".
std::vector<std::string> silent_contexts();
/// How often a context was made for this GPU since the process started, by whom ever.
int contexts_made(int gpu);

// What is left
std::size_t live_objects();             ///< streams, events and pieces of memory that exist now
std::size_t used_bytes(int gpu);        ///< plain, managed and pool memory taken from this GPU
std::vector<std::string> violations();  ///< memory freed under queued work, handles used after they were destroyed

// The caller's side
std::optional<int> current_gpu();           ///< whose context is current in this thread; empty when none is
void make_current(std::optional<int> gpu);  ///< as another library does with cuCtxSetCurrent
void leave_error(cudaError_t status);       ///< an older failure that nobody has looked at

// Faults
void fail_next(std::string call, cudaError_t status, int times = 1);
/// Asked for each call by name; anything but cudaSuccess is what the call returns.
void fail_when(std::function<cudaError_t(std::string_view call)> predicate);
void lose_gpus(cudaError_t status);  ///< a sticky fault: every call that needs a context fails from now on
void shut_down();                    ///< the runtime is being unloaded, as in destructors after main

// Work
/// Queues a kernel that takes `milliseconds`, uses these pieces of memory, and does `work` when its turn comes.
void launch(cudaStream_t stream, float milliseconds, std::vector<const void*> uses = {},
            std::function<void()> work = {});
void run(cudaStream_t stream);  ///< what can run now; stops where it waits for another stream
void run_everything();
std::size_t pending(cudaStream_t stream);  ///< queued and not run yet

}  // namespace fake
