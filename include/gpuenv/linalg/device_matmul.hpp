// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrices that are on a GPU: C = alpha A B + beta C, in the order of a stream.
//   auto c = matmul(upload(a, stream), upload(b, stream), stream);
#pragma once

#include <gpuenv/linalg/device_matrix.hpp>
#include <gpuenv/linalg/product_plan.hpp>

namespace gpuenv::inline v0::linalg {

struct device_matmul_options {
  double alpha = 1;                                ///< converted to the element type
  double beta = 0;                                 ///< converted to the element type; 0: C is written and never read
  product_route route = product_route::automatic;  ///< or cublas, or tiled
};

/// Enqueues c = alpha a b + beta c. a is m x k, b is k x n, c is m x n; any strides. All three must lie on the
/// stream's device and stay until the stream has passed. Returns the plan that was followed; the host does not wait.
/// In a stream that is being captured into a graph: after one product outside, which loads the library; with views
/// whose owners outlive the graph. Thread-safe. The same plan and operands on the same device with the same library
/// give the same bits.
/// @throws error before anything is enqueued: shapes that do not fit, c overlapping a or b, a route that cannot be
///         had; and the failure of the launch itself.
GPUENV_EXPORT product_plan matmul(device_matrix_view<const float> a, device_matrix_view<const float> b,
                                  device_matrix_view<float> c, cuda::stream_ref stream,
                                  const device_matmul_options& options = {},
                                  std::source_location where = std::source_location::current());
GPUENV_EXPORT product_plan matmul(device_matrix_view<const double> a, device_matrix_view<const double> b,
                                  device_matrix_view<double> c, cuda::stream_ref stream,
                                  const device_matmul_options& options = {},
                                  std::source_location where = std::source_location::current());

namespace detail {
/// @throws error (errc::invalid_argument) naming the operand and both devices when memory and stream do not belong
/// together.
GPUENV_EXPORT void check_on_device(std::optional<cuda::device_ref> memory, const cuda::stream_hold& stream,
                                   const char* operand, const std::source_location& where);
}  // namespace detail

/// A new row-major device matrix alpha a b, ordered in `stream`. The operands may go out of scope at once. What another
/// stream still writes into them is not waited for: let `stream` wait for that stream's event first.
template <class T>
[[nodiscard]] device_matrix<T> matmul(const device_matrix<T>& a, const device_matrix<T>& b, cuda::stream_hold stream,
                                      const device_matmul_options& options = {},
                                      std::source_location where = std::source_location::current()) {
  detail::check_on_device(a.buffer().device(), stream, "a", where);
  detail::check_on_device(b.buffer().device(), stream, "b", where);
  device_matrix<T> c{stream, a.rows(), b.cols(), storage_order::row_major, where};
  matmul(a.view(), b.view(), c.view(), stream, options, where);
  a.note_use(stream);
  b.note_use(stream);
  c.note_use(stream);
  return c;
}

/// The plan that `matmul` would follow; nothing is enqueued. @throws error as `matmul` does before it enqueues.
[[nodiscard]] GPUENV_EXPORT product_plan plan(device_matrix_view<const float> a, device_matrix_view<const float> b,
                                              device_matrix_view<float> c, const device_matmul_options& options = {},
                                              std::source_location where = std::source_location::current());
[[nodiscard]] GPUENV_EXPORT product_plan plan(device_matrix_view<const double> a, device_matrix_view<const double> b,
                                              device_matrix_view<double> c, const device_matmul_options& options = {},
                                              std::source_location where = std::source_location::current());

/// The version of the cuBLAS that products on the GPU use, as "13.1.0"; empty where it cannot be loaded, and then
/// `why` (if given) receives the reason.
[[nodiscard]] GPUENV_EXPORT std::string cublas_version(std::string* why = nullptr);

/// Codes of cuBLAS (cublasStatus_t).
[[nodiscard]] GPUENV_EXPORT const std::error_category& cublas_category() noexcept;

}  // namespace gpuenv::inline v0::linalg
