// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Owned matrices in device memory, and their way there and back.
//   auto a = upload(eigen_or_host_matrix, stream);   auto back = download(a, stream);
#pragma once

#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/linalg/host_matrix.hpp>

namespace gpuenv::inline v0::linalg {

/// rows x cols elements of T on a device, dense, not initialised. Memory and lifetime are those of device_buffer: made
/// from a stream it is ordered in that stream, made from a device it is plain. Moves, does not copy.
template <class T>
class device_matrix {
 public:
  using value_type = T;

  device_matrix() noexcept = default;

  /// @throws error: negative sizes, sizes that overflow, no memory (bytes wanted and free).
  device_matrix(cuda::stream_hold stream, std::int64_t rows, std::int64_t cols,
                storage_order order = storage_order::row_major,
                std::source_location where = std::source_location::current())
      : buffer_{std::move(stream), count(rows, cols, where), where}, rows_{rows}, cols_{cols}, order_{order} {}
  device_matrix(cuda::device_ref device, std::int64_t rows, std::int64_t cols,
                storage_order order = storage_order::row_major,
                std::source_location where = std::source_location::current())
      : buffer_{device, count(rows, cols, where), where}, rows_{rows}, cols_{cols}, order_{order} {}

  device_matrix(device_matrix&& other) noexcept
      : buffer_{std::move(other.buffer_)},
        rows_{std::exchange(other.rows_, 0)},
        cols_{std::exchange(other.cols_, 0)},
        order_{other.order_} {}
  device_matrix& operator=(device_matrix&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    rows_ = std::exchange(other.rows_, 0);
    cols_ = std::exchange(other.cols_, 0);
    order_ = other.order_;
    return *this;
  }
  device_matrix(const device_matrix&) = delete;
  device_matrix& operator=(const device_matrix&) = delete;
  ~device_matrix() = default;

  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::int64_t cols() const noexcept { return cols_; }
  [[nodiscard]] storage_order order() const noexcept { return order_; }
  [[nodiscard]] const cuda::device_buffer<T>& buffer() const noexcept { return buffer_; }

  [[nodiscard]] device_matrix_view<T> view() noexcept { return make_view(buffer_.data()); }
  [[nodiscard]] device_matrix_view<const T> view() const noexcept { return make_view<const T>(buffer_.data()); }
  operator device_matrix_view<T>() noexcept { return view(); }              // NOLINT(google-explicit-constructor)
  operator device_matrix_view<const T>() const noexcept { return view(); }  // NOLINT(google-explicit-constructor)

  /// Holds the memory until all work that `stream` has now is done; see device_buffer.
  void note_use(cuda::stream_ref stream) const { buffer_.note_use(stream); }

 private:
  [[nodiscard]] static std::size_t count(std::int64_t rows, std::int64_t cols, std::source_location where) {
    if (rows < 0 || cols < 0) {
      throw error{errc::invalid_argument,
                  "device matrix " + std::to_string(rows) + 'x' + std::to_string(cols) + ": a size is negative",
                  "use sizes of 0 or more", recovery::possible, where};
    }
    return static_cast<std::size_t>(checked_multiply(rows, cols, "device matrix: rows * columns", where));
  }

  template <class U>
  [[nodiscard]] device_matrix_view<U> make_view(U* data) const noexcept {
    return order_ == storage_order::row_major ? device_matrix_view<U>{data, rows_, cols_, cols_, 1}
                                              : device_matrix_view<U>{data, rows_, cols_, 1, rows_};
  }

  cuda::device_buffer<T> buffer_;
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  storage_order order_ = storage_order::row_major;
};

/// Copies between host and device views of equal shape, in the order of `stream`; as cuda::copy, the host side must
/// stay as it is until the stream is synchronised. Both sides keep their own leading dimension.
/// @throws error: shapes that differ; memory orders that differ, or strides that neither side has as 1 (make the
///         matrices in one order: a transposing copy is never made behind your back).
template <class S, class From, class T, class To>
requires std::is_same_v<std::remove_const_t<S>, T>
void copy(matrix_view<S, From> source, matrix_view<T, To> target, cuda::stream_ref stream,
          std::source_location where = std::source_location::current()) {
  if (source.rows() != target.rows() || source.cols() != target.cols()) {
    throw error{errc::shape_mismatch,
                "copy: the source is " + std::to_string(source.rows()) + 'x' + std::to_string(source.cols()) +
                    ", the target " + std::to_string(target.rows()) + 'x' + std::to_string(target.cols()),
                "copy between equal shapes", recovery::possible, where};
  }
  if (source.empty()) return;
  const auto runs_along_rows = [](const auto& v) { return v.col_stride() == 1 || v.cols() == 1; };
  const auto runs_along_cols = [](const auto& v) { return v.row_stride() == 1 || v.rows() == 1; };
  const auto pitched = [&](std::int64_t run, std::int64_t runs, std::int64_t from, std::int64_t to) {
    cuda::copy_rows({source.data(), static_cast<std::size_t>(runs > 1 ? from : run) * sizeof(T)},
                    {target.data(), static_cast<std::size_t>(runs > 1 ? to : run) * sizeof(T)},
                    static_cast<std::size_t>(run) * sizeof(T), static_cast<std::size_t>(runs), stream, where);
  };
  if (runs_along_rows(source) && runs_along_rows(target)) {
    pitched(source.cols(), source.rows(), source.row_stride(), target.row_stride());
  } else if (runs_along_cols(source) && runs_along_cols(target)) {
    pitched(source.rows(), source.cols(), source.col_stride(), target.col_stride());
  } else {
    throw error{errc::not_supported, "copy: source and target lie in memory in different orders",
                "make both row-major or both column-major, with one stride of 1", recovery::possible, where};
  }
}

/// A device matrix with the elements of a host matrix, in the host's memory order. Returns when the host memory may
/// be changed again. A host view without a stride of 1 is gathered into a dense host copy first.
template <host_matrix_like M>
[[nodiscard]] device_matrix<scalar_of<M>> upload(const M& host, cuda::stream_hold stream,
                                                 std::source_location where = std::source_location::current()) {
  const auto source = detail::view_of(host);
  if (!source.has_unit_stride()) return upload(dense_copy(source), std::move(stream), where);
  device_matrix<scalar_of<M>> result{stream, source.rows(), source.cols(), source.order(), where};
  copy(source, result.view(), stream, where);
  stream.ref().synchronize(where);
  return result;
}

/// A host matrix with the elements of a device matrix, in its memory order. Waits for the stream.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] host_matrix<T> download(const device_matrix<T>& device, cuda::stream_ref stream,
                                      std::source_location where = std::source_location::current()) {
  host_matrix<T> result{device.rows(), device.cols(), device.order(), where};
  copy(device.view(), result.view(), stream, where);
  device.note_use(stream);
  stream.synchronize(where);
  return result;
}

}  // namespace gpuenv::inline v0::linalg
