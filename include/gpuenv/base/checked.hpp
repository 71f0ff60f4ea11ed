// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Arithmetic on sizes that fails instead of wrapping. Every size that reaches an allocation goes through here.
#pragma once

#include <gpuenv/base/error.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gpuenv::inline v0 {

/// a * b, or an `error` (errc::size_overflow) that names `what` and both factors.
template <std::integral I>
[[nodiscard]] constexpr I checked_multiply(I a, I b, std::string_view what,
                                           std::source_location where = std::source_location::current()) {
  I result{};
  if (__builtin_mul_overflow(a, b, &result)) {
    throw error{errc::size_overflow,
                std::string{what} + ": " + std::to_string(a) + " * " + std::to_string(b) + " does not fit " +
                    std::to_string(8 * sizeof(I)) + " bits",
                "use smaller sizes", recovery::possible, where};
  }
  return result;
}

/// a + b, or an `error` (errc::size_overflow) that names `what` and both terms.
template <std::integral I>
[[nodiscard]] constexpr I checked_add(I a, I b, std::string_view what,
                                      std::source_location where = std::source_location::current()) {
  I result{};
  if (__builtin_add_overflow(a, b, &result)) {
    throw error{errc::size_overflow,
                std::string{what} + ": " + std::to_string(a) + " + " + std::to_string(b) + " does not fit " +
                    std::to_string(8 * sizeof(I)) + " bits",
                "use smaller sizes", recovery::possible, where};
  }
  return result;
}

/// `value` as another integer type, or an `error` (errc::size_overflow) when it does not fit.
template <std::integral To, std::integral From>
[[nodiscard]] constexpr To checked_cast(From value, std::string_view what,
                                        std::source_location where = std::source_location::current()) {
  if (!std::in_range<To>(value)) {
    throw error{errc::size_overflow,
                std::string{what} + ": " + std::to_string(value) + " does not fit " +
                    (std::is_signed_v<To> ? "a signed " : "an unsigned ") + std::to_string(8 * sizeof(To)) +
                    "-bit integer",
                "use a smaller or a non-negative value", recovery::possible, where};
  }
  return static_cast<To>(value);
}

/// The bytes of `count` elements of T. The result also fits std::ptrdiff_t, so that pointers into it can be subtracted.
template <class T>
[[nodiscard]] constexpr std::size_t checked_bytes(std::size_t count, std::string_view what,
                                                  std::source_location where = std::source_location::current()) {
  const std::size_t bytes = checked_multiply(count, sizeof(T), what, where);
  static_cast<void>(checked_cast<std::ptrdiff_t>(bytes, what, where));
  return bytes;
}

}  // namespace gpuenv::inline v0
