// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The one exception of gpuenv: what failed, what was attempted, where, and what to do about it.
//   catch (const gpuenv::error& e) { std::cerr << e.what() << '\n'; }
#pragma once

#include <gpuenv/base/export.hpp>

#include <source_location>
#include <string>
#include <string_view>
#include <system_error>

namespace gpuenv::inline v0 {

/// Failures that gpuenv itself finds, before or without a call of another library.
enum class errc {
  invalid_argument = 1,  ///< a value outside what the function takes
  shape_mismatch,        ///< matrices that do not fit together
  out_of_range,          ///< an index, sub-view or count past the end
  size_overflow,         ///< a size that does not fit its 64-bit type
  overlap,               ///< an output that shares memory with an input
  misaligned,            ///< a pointer that is not aligned for its type
  not_supported,         ///< correct, but not on this device or in this build
  no_device,             ///< a GPU was demanded and none can be used
  bad_file,              ///< a file whose content is not what it must be
  file_access,           ///< a file that cannot be opened, read or written
  out_of_memory,         ///< memory that could not be had
  not_ready,             ///< a result that was asked for before it exists
  too_late,              ///< a change that no longer has an effect, or that other threads could meet half-made
};

/// The category of `errc`. Categories compare by name, so that codes from two copies of the library are equal.
[[nodiscard]] GPUENV_EXPORT const std::error_category& category() noexcept;

[[nodiscard]] inline std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), category()};
}

/// What the process can do after a failure.
enum class recovery {
  possible,         ///< the process is as usable as before the call
  restart_process,  ///< CUDA is lost for this process: save what you can, exit, start again
};

/// Thrown by every gpuenv call that fails or is misused. Never thrown by probing functions and destructors.
class GPUENV_EXPORT error : public std::system_error {
 public:
  /// @param code      what went wrong; its category says which library found it
  /// @param attempted what was being done, naming the object and the value ("matmul: a is 3x5, b is 4x7")
  /// @param hint      what the reader can do; may be empty
  error(std::error_code code, std::string attempted, std::string hint = {}, recovery after = recovery::possible,
        std::source_location where = std::source_location::current());

  /// Everything in one line: attempted, reason, category and value, hint, place.
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] const std::string& attempted() const noexcept { return attempted_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }
  [[nodiscard]] recovery after() const noexcept { return after_; }
  [[nodiscard]] const std::source_location& where() const noexcept { return where_; }

  /// True when the code equals `other` by category name and value, whichever shared object made either.
  [[nodiscard]] bool is(std::error_code other) const noexcept;

 private:
  std::string attempted_, hint_, text_;
  recovery after_;
  std::source_location where_;
};

/// A category that equals any category of the same name: inline copies and two static copies of a library agree.
/// Codes compare as `code == std::error_condition(value, category)`, or through `error::is`.
class GPUENV_EXPORT named_category : public std::error_category {
 public:
  using std::error_category::equivalent;
  [[nodiscard]] bool equivalent(const std::error_code& code, int condition) const noexcept override;
};

}  // namespace gpuenv::inline v0

template <>
struct std::is_error_code_enum<gpuenv::errc> : std::true_type {};
