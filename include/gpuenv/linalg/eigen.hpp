// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Eigen and gpuenv side by side, without copies. gpuenv's functions take Eigen's matrices as they are; this header
// gives Eigen objects back. It is the only one that includes Eigen.
//   Eigen::MatrixXf c = as_eigen(product.value);   auto d = download<Eigen::MatrixXf>(device_c, stream);
#pragma once

#include <gpuenv/base/config.hpp>
#include <gpuenv/linalg/host_matrix.hpp>
#if GPUENV_HAS_CUDA
#include <gpuenv/linalg/device_matrix.hpp>
#endif

#include <Eigen/Core>

namespace gpuenv::inline v0::linalg {

/// A map with run-time strides over a host view: reads and writes the view's own memory.
template <class T>
using eigen_map = Eigen::Map<
    std::conditional_t<std::is_const_v<T>, const Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, Eigen::Dynamic>,
                       Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>>,
    Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

template <class T>
[[nodiscard]] eigen_map<T> as_eigen(host_matrix_view<T> m) {
  return {m.data(), m.rows(), m.cols(), Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>{m.col_stride(), m.row_stride()}};
}
template <class T>
[[nodiscard]] eigen_map<T> as_eigen(host_matrix<T>& m) {
  return as_eigen(m.view());
}
template <class T>
[[nodiscard]] eigen_map<const T> as_eigen(const host_matrix<T>& m) {
  return as_eigen(m.view());
}
template <class T>
void as_eigen(host_matrix<T>&&) = delete;  // the map would outlive its memory

#if GPUENV_HAS_CUDA
/// A new Eigen matrix with the elements of a device matrix; waits for the stream. The copy runs in the device
/// matrix's memory order; where the Eigen type has the other one, Eigen reorders on the host.
template <class EigenMatrix, class T>
requires eigen_like<EigenMatrix> && std::is_same_v<typename EigenMatrix::Scalar, T>
[[nodiscard]] EigenMatrix download(const device_matrix<T>& device, cuda::stream_ref stream,
                                   std::source_location where = std::source_location::current()) {
  constexpr auto wanted = EigenMatrix::IsRowMajor ? storage_order::row_major : storage_order::column_major;
  if (device.order() != wanted) {
    const host_matrix<T> in_device_order = download(device, stream, where);
    return as_eigen(in_device_order);
  }
  EigenMatrix result(device.rows(), device.cols());
  copy(device.view(), host_matrix_view<T>{result}, stream, where);
  device.note_use(stream);
  stream.synchronize(where);
  return result;
}
#endif

}  // namespace gpuenv::inline v0::linalg
