// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A whole program: look at the environment, choose a GPU (or the CPU), multiply two random matrices there, verify the
// product and log all of it.  01_gpu_matmul [LOG FILE]
// Exit code: 0 verified, 1 not verified, 2 another failure.
#include <gpuenv/gpuenv.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace ge = gpuenv;
namespace fs = std::filesystem;

/// The GPU with the most free memory. Without a usable GPU the program does not fail: it says why, and takes the CPU.
ge::device_choice choose_device(std::ostream& log) {
#if GPUENV_HAS_CUDA
  const auto gpu = ge::cuda::availability();  // asks the driver; never throws
  if (gpu.ready()) {
    const auto devices = ge::cuda::device_ref::all();
    const auto best = std::ranges::max_element(devices, {}, [](auto device) { return device.memory().free; });
    log << "chosen: " << to_string(*best) << ", " << (best->memory().free >> 20) << " MiB free\n";
    return ge::device_choice::gpu(to_string(best->uuid()));  // a UUID names one GPU everywhere, an index does not
  }
  log << "chosen: the CPU, since " << gpu.message() << '\n';
#else
  log << "chosen: the CPU, since this gpuenv was built without CUDA\n";
#endif
  return ge::device_choice::cpu();
}

int main(int argc, char** argv) try {
  const fs::path file = argc > 1 ? fs::path{argv[1]} : fs::temp_directory_path() / "gpuenv" / "01_gpu_matmul.log";
  if (file.has_parent_path()) fs::create_directories(file.parent_path());

  std::ostringstream log;
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "CUDA_HOME"}) {
    const char* value = std::getenv(name);  // only read: to set it once CUDA has started would change nothing
    log << name << (value == nullptr ? " is not set" : std::string{" = "} + value) << '\n';
  }
  log << "PATH is " << (std::getenv("PATH") == nullptr ? "not set\n" : "set\n");

  const auto a = ge::linalg::random_matrix<float>(1000, 1000, {.seed = 42, .sequence = 0});
  const auto b = ge::linalg::random_matrix<float>(1000, 1000, {.seed = 42, .sequence = 1});
  const auto [c, info] = ge::linalg::matmul(a, b, {.device = choose_device(log), .repeat = 3});
  const auto verdict = ge::linalg::verify({.a = a, .b = b}, c);  // against an error bound, not a tolerance
  log << info << '\n' << verdict << '\n';

  std::cout << log.str() << "log: " << file.string() << '\n';
  if (!(std::ofstream{file} << log.str() << std::flush)) throw std::runtime_error{"cannot write " + file.string()};
  return verdict.passed() ? 0 : 1;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 2;
}
