// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/gpu_product.hpp"

#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/event.hpp>
#include <gpuenv/linalg/device_matmul.hpp>

#include <cstdlib>

namespace gpuenv::inline v0::linalg {
namespace {

/// Variables by which users change cuBLAS's arithmetic in all programs. Ours stays IEEE: they are said, and have no
/// effect.
void note_overrides(std::vector<std::string>& notes) {
  for (const char* name :
       {"NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_SINGLE_PRECISION", "CUBLAS_EMULATE_DOUBLE_PRECISION"}) {
    if (const char* value = std::getenv(name)) {
      notes.push_back(std::string{name} + '=' + value + " is set; it has no effect on this product");
    }
  }
}

/// Device results into host memory of any strides. Waits for the stream.
template <class T>
void fetch(const device_matrix<T>& from, host_matrix_view<T> to, cuda::stream_ref stream) {
  if (to.has_unit_stride()) {
    copy(from.view(), to, stream);
    stream.synchronize();
  } else {
    copy_elements(download(from, stream).view(), to);
  }
}

template <class T>
product_info run_on(cuda::device_ref device, host_matrix_view<const T> a, host_matrix_view<const T> b,
                    host_matrix_view<T> c, const matmul_options& options) {
  product_info info;
  info.on_gpu = true;
  info.device = to_string(device);
  info.uuid = gpu::to_string(device.uuid());
  const cuda::stream stream{device};
  const device_matmul_options device_options{options.alpha, options.beta, options.route};
  const bool reads_operands = a.cols() != 0 && static_cast<T>(options.alpha) != T{0};
  const auto left = reads_operands ? upload(a, stream) : device_matrix<T>{stream, a.rows(), 0};
  const auto right = reads_operands ? upload(b, stream) : device_matrix<T>{stream, 0, b.cols()};
  device_matrix<T> result = static_cast<T>(options.beta) != T{0}
                                ? upload(host_matrix_view<const T>{c}, stream)
                                : device_matrix<T>{stream, c.rows(), c.cols(), c.order()};

  for (int run = 0; run < options.repeat; ++run) {
    cuda::timed_event start{device};
    cuda::timed_event stop{device};
    start.record(stream);
    info.plan = matmul(left.view(), right.view(), result.view(), stream, device_options);
    stop.record(stream);
    stop.synchronize();
    if (info.plan.route != product_route::nothing) {
      info.seconds.push_back(std::chrono::duration<double>{stop - start}.count());
    }
  }
  if (!c.empty()) fetch(result, c, stream);
  info.plan.k = a.cols();

  if (info.plan.route == product_route::cublas) {
    info.library = "cuBLAS " + cublas_version();
    note_overrides(info.notes);
  } else if (info.plan.route == product_route::tiled && options.route == product_route::automatic) {
    std::string why;
    if (cublas_version(&why).empty()) info.notes.push_back("own kernel: " + why);
  }
  return info;
}

}  // namespace

template <class T>
std::optional<product_info> try_gpu(host_matrix_view<const T> a, host_matrix_view<const T> b, host_matrix_view<T> c,
                                    const matmul_options& options, std::string& why) {
  if (!options.device.demands_gpu()) {
    if (const auto seen = cuda::availability(); !seen.ready()) {
      why = seen.message();
      return std::nullopt;
    }
  }
  return run_on(cuda::device_ref::from(options.device), a, b, c, options);
}

template std::optional<product_info> try_gpu(host_matrix_view<const float>, host_matrix_view<const float>,
                                             host_matrix_view<float>, const matmul_options&, std::string&);
template std::optional<product_info> try_gpu(host_matrix_view<const double>, host_matrix_view<const double>,
                                             host_matrix_view<double>, const matmul_options&, std::string&);

}  // namespace gpuenv::inline v0::linalg
