// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/gpu_product.hpp"

namespace gpuenv::inline v0::linalg {

template <class T>
std::optional<product_info> try_gpu(host_matrix_view<const T>, host_matrix_view<const T>, host_matrix_view<T>,
                                    const matmul_options& options, std::string& why) {
  if (options.device.demands_gpu()) {
    throw error{errc::no_device, "this gpuenv was built without CUDA",
                "build gpuenv with a CUDA toolkit and -DGPUENV_CUDA=ON, or ask for the CPU"};
  }
  why = "this gpuenv was built without CUDA";
  return std::nullopt;
}

template std::optional<product_info> try_gpu(host_matrix_view<const float>, host_matrix_view<const float>,
                                             host_matrix_view<float>, const matmul_options&, std::string&);
template std::optional<product_info> try_gpu(host_matrix_view<const double>, host_matrix_view<const double>,
                                             host_matrix_view<double>, const matmul_options&, std::string&);

}  // namespace gpuenv::inline v0::linalg
