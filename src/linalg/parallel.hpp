// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Work cut into blocks, on as many threads as this process may use.
#pragma once

#include <cstdint>
#include <functional>

namespace gpuenv::inline v0::linalg {

/// Calls work(block) for every block from 0 up to `blocks`, on at most `threads` threads, the caller's among them, and
/// never on more than the caller may use CPUs. Blocks are handed out in order; what they compute must not depend on
/// which thread runs them. The first exception is rethrown when all threads have ended.
void for_each_block(std::int64_t blocks, int threads, const std::function<void(std::int64_t)>& work);
void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& work);

/// The CPUs that the calling thread may run on.
[[nodiscard]] int usable_cpus() noexcept;

}  // namespace gpuenv::inline v0::linalg
