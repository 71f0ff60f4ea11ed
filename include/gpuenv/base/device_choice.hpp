// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Where work shall run: `automatic` (a GPU if one is usable, else the CPU), the CPU, or a GPU that the caller demands.
//   matmul(a, b, {.device = gpuenv::automatic});   matmul(a, b, {.device = device_choice::parse("cuda")});
#pragma once

#include <gpuenv/base/export.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace gpuenv::inline v0 {

struct automatic_t {};
inline constexpr automatic_t automatic{};  ///< a GPU if one is usable, else the CPU; the result says which

class device_choice {
 public:
  enum class kind { any, cpu, any_gpu, one_gpu };

  device_choice(automatic_t = {}) noexcept {}  // NOLINT(google-explicit-constructor): reads as a value
  [[nodiscard]] static device_choice cpu() { return device_choice{kind::cpu, {}}; }
  /// The first visible GPU; an error with the reason when there is none.
  [[nodiscard]] static device_choice any_gpu() { return device_choice{kind::any_gpu, {}}; }
  /// The GPU with this index, UUID or PCI address; an error with the reason when it cannot be used.
  [[nodiscard]] static device_choice gpu(std::string selector) {
    return device_choice{kind::one_gpu, std::move(selector)};
  }

  /// Reads "auto", "cpu", "cuda", "cuda:1", "1", "GPU-<uuid>", "MIG-<uuid>" or a PCI address ("0000:41:00.0").
  /// @throws error (errc::invalid_argument) naming the text and the accepted forms.
  [[nodiscard]] GPUENV_EXPORT static device_choice parse(std::string_view text);

  [[nodiscard]] kind what() const noexcept { return kind_; }
  [[nodiscard]] const std::string& selector() const noexcept { return selector_; }
  [[nodiscard]] bool demands_gpu() const noexcept { return kind_ == kind::any_gpu || kind_ == kind::one_gpu; }

  friend bool operator==(const device_choice&, const device_choice&) = default;

 private:
  device_choice(kind what, std::string selector) : kind_{what}, selector_{std::move(selector)} {}
  kind kind_ = kind::any;
  std::string selector_;
};

}  // namespace gpuenv::inline v0
