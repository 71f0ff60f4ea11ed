// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// For tests that need a device: without one they are skipped, with the reason.
#include <gpuenv/cuda/availability.hpp>
#include "support/session.hpp"

#include <iostream>

int main(int argc, char** argv) {
  constexpr int skipped = 77;  // SKIP_RETURN_CODE
  if (const auto gpu = gpuenv::cuda::availability(); !gpu.ready()) {
    std::cout << "skipped: " << gpu.message() << '\n';
    return skipped;
  }
  return gpuenv::test::run_session(argc, argv);
}
