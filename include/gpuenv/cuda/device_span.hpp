// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A view of device memory: a pointer that the host must not follow, and a count. Who owns the memory keeps it alive.
#pragma once

#include <cstddef>
#include <type_traits>

namespace gpuenv::inline v0::cuda {

template <class T>
class device_span {
 public:
  using element_type = T;

  constexpr device_span() noexcept = default;
  constexpr device_span(T* data, std::size_t size) noexcept : data_{data}, size_{size} {}
  template <class U>
  requires std::is_same_v<const U, T>
  constexpr device_span(const device_span<U>& other) noexcept  // NOLINT: adds const
      : data_{other.data()}, size_{other.size()} {}

  [[nodiscard]] constexpr T* data() const noexcept { return data_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gpuenv::inline v0::cuda
