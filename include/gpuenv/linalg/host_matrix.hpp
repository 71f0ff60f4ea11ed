// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Owned host matrices, dense, row-major unless asked otherwise.
//   host_matrix<float> a{1000, 500};   a(3, 4) = 1;   matmul(a, b);
#pragma once

#include <gpuenv/linalg/matrix_view.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace gpuenv::inline v0::linalg {

/// rows x cols elements of T, aligned to 64 bytes. Moves; copies by `clone()`, so that no large copy happens unseen.
template <class T>
class host_matrix {
 public:
  using value_type = T;

  host_matrix() noexcept = default;

  /// Zeros. @throws error: negative sizes, sizes that overflow, no memory (bytes wanted).
  host_matrix(std::int64_t rows, std::int64_t cols, storage_order order = storage_order::row_major,
              std::source_location where = std::source_location::current())
      : rows_{rows}, cols_{cols}, order_{order} {
    if (rows < 0 || cols < 0) {
      throw error{errc::invalid_argument,
                  "host matrix " + std::to_string(rows) + 'x' + std::to_string(cols) + ": a size is negative",
                  "use sizes of 0 or more", recovery::possible, where};
    }
    const std::int64_t count = checked_multiply(rows, cols, "host matrix: rows * columns", where);
    const std::size_t bytes = checked_bytes<T>(static_cast<std::size_t>(count), "host matrix: bytes", where);
    if (bytes == 0) return;
    void* memory = ::operator new(bytes, alignment, std::nothrow);
    if (memory == nullptr) {
      throw error{errc::out_of_memory,
                  "host matrix " + std::to_string(rows) + 'x' + std::to_string(cols) + ": " + std::to_string(bytes) +
                      " bytes wanted",
                  "use a smaller matrix or a machine with more memory", recovery::possible, where};
    }
    data_.reset(static_cast<T*>(memory));
    std::uninitialized_value_construct_n(data_.get(), count);
  }

  host_matrix(host_matrix&& other) noexcept
      : data_{std::move(other.data_)},
        rows_{std::exchange(other.rows_, 0)},
        cols_{std::exchange(other.cols_, 0)},
        order_{other.order_} {}
  host_matrix& operator=(host_matrix&& other) noexcept {
    data_ = std::move(other.data_);
    rows_ = std::exchange(other.rows_, 0);
    cols_ = std::exchange(other.cols_, 0);
    order_ = other.order_;
    return *this;
  }
  host_matrix(const host_matrix&) = delete;
  host_matrix& operator=(const host_matrix&) = delete;
  ~host_matrix() = default;

  [[nodiscard]] host_matrix clone() const {
    host_matrix result{rows_, cols_, order_};
    std::copy_n(data_.get(), rows_ * cols_, result.data_.get());
    return result;
  }

  [[nodiscard]] T* data() noexcept { return data_.get(); }
  [[nodiscard]] const T* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::int64_t cols() const noexcept { return cols_; }
  [[nodiscard]] std::int64_t size() const noexcept { return rows_ * cols_; }
  [[nodiscard]] storage_order order() const noexcept { return order_; }
  [[nodiscard]] T& operator()(std::int64_t i, std::int64_t j) noexcept { return view()(i, j); }
  [[nodiscard]] const T& operator()(std::int64_t i, std::int64_t j) const noexcept { return view()(i, j); }

  [[nodiscard]] host_matrix_view<T> view() noexcept { return make_view(data_.get()); }
  [[nodiscard]] host_matrix_view<const T> view() const noexcept { return make_view<const T>(data_.get()); }
  operator host_matrix_view<T>() noexcept { return view(); }              // NOLINT(google-explicit-constructor)
  operator host_matrix_view<const T>() const noexcept { return view(); }  // NOLINT(google-explicit-constructor)

 private:
  static constexpr std::align_val_t alignment{64};
  struct release {
    void operator()(T* memory) const noexcept { ::operator delete(static_cast<void*>(memory), alignment); }
  };

  template <class U>
  [[nodiscard]] host_matrix_view<U> make_view(U* data) const noexcept {
    return order_ == storage_order::row_major ? host_matrix_view<U>{data, rows_, cols_, cols_, 1}
                                              : host_matrix_view<U>{data, rows_, cols_, 1, rows_};
  }

  std::unique_ptr<T[], release> data_;
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  storage_order order_ = storage_order::row_major;
};

/// Copies element by element between host views of equal shape, whatever their strides; walks in the target's order.
template <class S, class T>
void copy_elements(host_matrix_view<S> source, host_matrix_view<T> target) {
  if (target.empty()) return;
  if (target.order() == storage_order::column_major) {
    source = source.transposed();
    target = target.transposed();
  }
  for (std::int64_t i = 0; i < target.rows(); ++i) {
    for (std::int64_t j = 0; j < target.cols(); ++j) target(i, j) = source(i, j);
  }
}

/// A new dense matrix with the elements of a view, in the view's memory order.
template <class T>
[[nodiscard]] host_matrix<std::remove_const_t<T>> dense_copy(host_matrix_view<T> m) {
  host_matrix<std::remove_const_t<T>> result{m.rows(), m.cols(), m.order()};
  copy_elements(m, result.view());
  return result;
}

/// Anything that a host view can be made of: host_matrix, host_matrix_view, an Eigen matrix, map or block.
template <class M>
concept host_matrix_like = eigen_like<const M> || requires(const M& m) {
  {m.view()};
} || requires {
  typename M::element_type;
  requires std::is_same_v<M, host_matrix_view<typename M::element_type>>;
};

namespace detail {

template <host_matrix_like M>
[[nodiscard]] auto view_of(const M& m) {
  if constexpr (eigen_like<const M>) {
    return host_matrix_view<const std::remove_cvref_t<decltype(*m.data())>>{m};
  } else if constexpr (requires { m.view(); }) {
    return m.view();
  } else {
    return host_matrix_view<const typename M::value_type>{m};
  }
}

}  // namespace detail

/// float or double, for the view's element.
template <host_matrix_like M>
using scalar_of = typename decltype(detail::view_of(std::declval<const M&>()))::value_type;

}  // namespace gpuenv::inline v0::linalg
