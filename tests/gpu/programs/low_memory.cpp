// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// [B100] The GPU is filled up before the first product: the error must speak of memory, with numbers. Takes nearly all
// memory of the GPU for a moment, so it runs alone.
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/linalg/device_matmul.hpp>
#include <gpuenv/linalg/device_random.hpp>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  using namespace gpuenv::cuda;
  using namespace gpuenv::linalg;
  if (const auto gpu = availability(); !gpu.ready()) {
    std::printf("skipped: %s\n", gpu.message().c_str());
    return 77;
  }
  const device_ref device{0};
  const stream s{device};
  const auto a = random_device_matrix<float>(s, 64, 64);
  s.synchronize();
  std::vector<device_buffer<char>> filling;
  for (std::size_t block = std::size_t{8} << 30; block >= (std::size_t{2} << 20);) {
    if (device.memory().free < block + (std::size_t{20} << 20)) {
      block /= 2;
      continue;
    }
    try {
      filling.emplace_back(device, block);
    } catch (const gpuenv::error&) {
      block /= 2;
    }
  }
  std::printf("%zu bytes left\n", device.memory().free);
  std::string text;
  try {
    static_cast<void>(matmul(a, a, s));
    s.synchronize();
    std::puts("the product worked with what was left");
  } catch (const gpuenv::error& e) {
    text = e.what();
    std::printf("caught: %s\n", text.c_str());
  }
  const bool told =
      text.empty() || (text.find("memory") != std::string::npos && text.find("free") != std::string::npos);
  filling.clear();
  static_cast<void>(matmul(a, a, s));
  s.synchronize();
  std::puts("and works again with memory freed");
  return told ? 0 : 1;
}
