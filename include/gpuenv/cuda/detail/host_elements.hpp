// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What buffers that the host can read have in common: they are ranges of elements.
#pragma once

#include <cstddef>
#include <utility>

namespace gpuenv::inline v0::cuda::detail {

template <class T>
class host_elements {
 public:
  using value_type = T;

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }

 protected:
  host_elements() noexcept = default;
  explicit host_elements(std::size_t size) noexcept : size_{size} {}
  host_elements(host_elements&& other) noexcept
      : data_{std::exchange(other.data_, nullptr)}, size_{std::exchange(other.size_, 0)} {}
  host_elements& operator=(host_elements&& other) noexcept {
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  host_elements(const host_elements&) = delete;
  host_elements& operator=(const host_elements&) = delete;
  ~host_elements() = default;

  T* data_ = nullptr;  // owned, allocated and freed by the buffer itself
  std::size_t size_ = 0;
};

}  // namespace gpuenv::inline v0::cuda::detail
