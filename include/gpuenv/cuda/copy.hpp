// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Copies in the order of a stream: device, pinned, unified and ordinary host memory, in any direction.
//   cuda::copy(host_vector, device_buffer, stream);   cuda::copy(device_buffer, pinned, stream);
#pragma once

#include <gpuenv/cuda/device_span.hpp>
#include <gpuenv/cuda/stream.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace gpuenv::inline v0::cuda {

/// Contiguous elements with data() and size(): buffers, device_span, std::span, std::vector, std::array.
template <class R>
concept contiguous_elements = requires(R& r) {
  { r.size() } -> std::convertible_to<std::size_t>;
  requires std::is_pointer_v<decltype(r.data())>;
};

namespace detail {

template <class R>
using element_of = std::remove_pointer_t<decltype(std::declval<R&>().data())>;

/// Owners learn which stream uses their memory; views do not own.
template <class R>
void note_use(R& memory, stream_ref stream) {
  if constexpr (requires { memory.note_use(stream); }) memory.note_use(stream);
}

}  // namespace detail

/// Copies all elements of `source` to `target`, in the order of `stream`; CUDA finds the direction from the pointers.
/// Both must have the same size and element type. From and to pinned or device memory the host goes on at once, and
/// the memory must live until the stream has passed (owners made by gpuenv see to that). With ordinary host memory
/// the call may wait; its content may be changed, or read, only after the stream is synchronised.
/// @throws error (errc::shape_mismatch) naming both sizes, before anything is copied.
template <contiguous_elements S, contiguous_elements D>
requires std::is_same_v<std::remove_const_t<detail::element_of<S>>, detail::element_of<D>> &&
    std::is_trivially_copyable_v<detail::element_of<D>>
void copy(S&& source, D&& target, stream_ref stream, std::source_location where = std::source_location::current()) {
  const std::size_t size = source.size();
  if (size != target.size()) {
    throw error{
        errc::shape_mismatch,
        "copy: the source has " + std::to_string(size) + " elements, the target " + std::to_string(target.size()),
        "copy between equal sizes, or take a sub-span", recovery::possible, where};
  }
  if (size == 0) return;
  const device_guard guard{stream.device()};
  check(cudaMemcpyAsync(target.data(), source.data(), size * sizeof(detail::element_of<D>), cudaMemcpyDefault,
                        stream.get()),
        "copy", stream.device(), where);
  detail::note_use(source, stream);
  detail::note_use(target, stream);
}

/// A block of `rows` runs of `row_bytes` bytes each, the runs `pitch_bytes` apart.
template <class Byte>
struct byte_rows {
  Byte* data = nullptr;
  std::size_t pitch_bytes = 0;
};

/// Copies `rows` runs of `row_bytes` bytes between pitched memories, in the order of `stream`; as `copy` otherwise.
inline void copy_rows(byte_rows<const void> source, byte_rows<void> target, std::size_t row_bytes, std::size_t rows,
                      stream_ref stream, std::source_location where = std::source_location::current()) {
  if (row_bytes == 0 || rows == 0) return;
  const device_guard guard{stream.device()};
  if ((source.pitch_bytes == row_bytes && target.pitch_bytes == row_bytes) || rows == 1) {
    check(cudaMemcpyAsync(target.data, source.data, row_bytes * rows, cudaMemcpyDefault, stream.get()), "copy",
          stream.device(), where);
    return;
  }
  constexpr std::size_t largest_pitch = 0x7fffffff;  // cudaDevAttrMaxPitch: beyond it, run by run
  if (source.pitch_bytes > largest_pitch || target.pitch_bytes > largest_pitch) {
    for (std::size_t row = 0; row < rows; ++row) {
      check(cudaMemcpyAsync(static_cast<char*>(target.data) + row * target.pitch_bytes,
                            static_cast<const char*>(source.data) + row * source.pitch_bytes, row_bytes,
                            cudaMemcpyDefault, stream.get()),
            "copy a row", stream.device(), where);
    }
    return;
  }
  check(cudaMemcpy2DAsync(target.data, target.pitch_bytes, source.data, source.pitch_bytes, row_bytes, rows,
                          cudaMemcpyDefault, stream.get()),
        "copy rows", stream.device(), where);
}

}  // namespace gpuenv::inline v0::cuda
