// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Copies, allocation and unified memory: gpuenv's call against the CUDA call below it. The counter `bytes` is what one
// call moves (on the device: read and written) or allocates.
#include <gpuenv/cuda/availability.hpp>
#include "memory/registrar.hpp"
#include "support/arguments.hpp"
#include "support/context.hpp"

#include <iostream>

int main(int argc, char** argv) {
  using namespace gpuenv_bench;
  const arguments ours = parse_arguments(argc, argv);
  add_context();
  if (const auto seen = gpuenv::cuda::availability(); !seen.ready()) {
    std::cerr << "did not run: " << seen.message() << '\n';
    return 77;
  }
  const registrar r{gpuenv::cuda::device_ref{0}, ours.rounds};
  add_copies(r);
  add_allocation(r);
  add_unified_memory(r);
  return run_benchmarks();
}
