// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What a raw result has to say about where it was made, into Google Benchmark's context.
#pragma once

#include <string>

namespace gpuenv_bench {

/// Whether a benchmark uses the GPU: device 0 of this process.
enum class gpu_use { none, first_device };

/// Commit, compiler and flags, CPU; of the GPU in use its name, driver, clocks and CUDA. Chooses what the sensors read.
void add_context(gpu_use use = gpu_use::first_device);

/// One further fact.
void add_fact(const std::string& name, const std::string& value);

}  // namespace gpuenv_bench
