// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu_contenders.hpp"

#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/linalg/device_matmul.hpp>
#include <gpuenv/linalg/matmul.hpp>
#include "peers/cublas_product.hpp"
#include "support/event_clock.hpp"

namespace gpuenv_bench {
namespace {

namespace cuda = gpuenv::cuda;
namespace linalg = gpuenv::linalg;

/// What stays on the device while a shape is measured.
template <class T>
struct resident_case {
  resident_case(const product_operands<T>& host, cuda::device_ref device)
      : clock{device},
        a{upload(host.a, clock.stream)},
        b{upload(host.b, clock.stream)},
        c{clock.stream, host.c.rows(), host.c.cols()},
        cublas{clock.stream.ref().get()} {}

  event_clock clock;
  linalg::device_matrix<T> a, b, c;
  cublas_product cublas;
  int calls = 1;
};

template <class F>
contender timed_on(std::string name, int calls, event_clock& clock, F enqueue) {
  return {std::move(name), [calls, &clock, enqueue] { return clock.seconds(calls, enqueue); }};
}

}  // namespace

bool has_gpu_contenders() { return cuda::availability().ready(); }

template <class T>
std::vector<contender> gpu_contenders(const std::shared_ptr<product_operands<T>>& host) {
  if (!has_gpu_contenders()) return {};
  const auto device = std::make_shared<resident_case<T>>(*host, cuda::device_ref{0});
  const auto resident = [device] {
    matmul(device->a.view(), device->b.view(), device->c.view(), device->clock.stream);
  };
  const auto bare = [device] {
    device->cublas(device->a.view().data(), device->b.view().data(), device->c.view().data(),
                   static_cast<int>(device->c.rows()), static_cast<int>(device->c.cols()),
                   static_cast<int>(device->a.cols()));
  };
  const auto end_to_end = [host] {
    linalg::matmul(host->a.view(), host->b.view(), host->c.view(), {.device = gpuenv::device_choice::any_gpu()});
  };
  bare();
  end_to_end();
  const int calls = calls_for_batch(device->clock.seconds(1, resident));
  const int whole_calls = calls_for_batch(wall_seconds(1, end_to_end));
  return {timed_on("resident", calls, device->clock, resident),
          timed_on("cublas", calls, device->clock, bare),
          {"end_to_end", [whole_calls, end_to_end] { return wall_seconds(whole_calls, end_to_end); }}};
}

template std::vector<contender> gpu_contenders(const std::shared_ptr<product_operands<float>>&);
template std::vector<contender> gpu_contenders(const std::shared_ptr<product_operands<double>>&);

}  // namespace gpuenv_bench
