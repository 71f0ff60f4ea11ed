// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The value of CUDA_VISIBLE_DEVICES, cut into entries and read as the driver reads it. Which devices the entries name
// depends on the machine: gpu::resolve.
//   const auto mask = env::device_mask::parse(now.get("CUDA_VISIBLE_DEVICES"));   // unset and empty differ
#pragma once

#include <gpuenv/base/export.hpp>
#include <gpuenv/base/finding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuenv::inline v0::env {

/// The hexadecimal digits of a UUID that an entry gives: all 32, or the first ones.
struct uuid_prefix {
  std::array<std::uint8_t, 16> bytes{};  ///< digits that are not given are 0
  std::uint8_t digits = 0;               ///< 0 to 32

  [[nodiscard]] bool is_whole() const noexcept { return digits == 32; }
  [[nodiscard]] GPUENV_EXPORT bool matches(const std::array<std::uint8_t, 16>& whole) const noexcept;
  friend bool operator==(const uuid_prefix&, const uuid_prefix&) = default;
};

enum class mask_entry_kind : std::uint8_t {
  index,     ///< a number in CUDA's own order (CUDA_DEVICE_ORDER)
  gpu_uuid,  ///< "GPU-" and digits
  mig_uuid,  ///< "MIG-" and digits; the driver takes a whole GPU's digits here too
  mig_path,  ///< "MIG-GPU-<uuid>/<GPU instance>/<compute instance>", the form before driver 470
  bad,       ///< ends the list: this entry and all behind it count for nothing
};

/// Why an entry is bad whatever the machine is.
enum class mask_fault : std::uint8_t {
  none,
  empty,              ///< nothing, or white space alone
  negative,           ///< an index below 0, perhaps only after CUDA has wrapped it at 32 bits
  not_a_number,       ///< neither digits nor the head of a UUID
  space_before_uuid,  ///< white space is skipped before an index only
  wrong_head,         ///< a UUID without its head, or with one in lower case
  no_digits,          ///< a head alone
  incomplete_path,    ///< a MIG path without its whole UUID or its two numbers
};

/// One entry, without its text: `device_mask::text`.
struct mask_entry {
  std::size_t position = 0;  ///< of its first byte in the value
  std::size_t length = 0;    ///< in bytes, white space included
  mask_entry_kind kind = mask_entry_kind::bad;
  mask_fault fault = mask_fault::none;
  std::int32_t index = 0;              ///< as CUDA reads it: the low 32 bits of the number
  uuid_prefix id;                      ///< of a gpu_uuid, mig_uuid or mig_path
  std::uint32_t gpu_instance = 0;      ///< of a mig_path
  std::uint32_t compute_instance = 0;  ///< of a mig_path

  // What was read loosely: the driver takes it, people and other programs may not.
  bool has_white_space = false;  ///< around an index
  bool has_sign = false;         ///< "+0", "-0"
  bool has_text_behind = false;  ///< bytes behind what was read, which count for nothing: "0x1", "GPU-<uuid>x"
  bool is_range = false;         ///< "0-2", of which only the first number counts
  bool is_wrapped = false;       ///< a number beyond 32 bits, of which the low 32 bits count

  [[nodiscard]] bool is_read_loosely() const noexcept {
    return has_white_space || has_sign || has_text_behind || is_range || is_wrapped;
  }
  friend bool operator==(const mask_entry&, const mask_entry&) = default;
};

/// A value that owns its text. Nothing is cached, and parsing never fails: what the driver cannot read is an entry too.
class GPUENV_EXPORT device_mask {
 public:
  device_mask() = default;  // unset: all devices

  /// @param value what the variable holds, up to a NUL byte; nothing when it is not set
  [[nodiscard]] static device_mask parse(std::optional<std::string_view> value);

  /// False: all devices are visible. True without entries (the empty value): none is.
  [[nodiscard]] bool is_set() const noexcept { return is_set_; }
  [[nodiscard]] const std::string& value() const noexcept { return value_; }
  [[nodiscard]] const std::vector<mask_entry>& entries() const noexcept { return entries_; }

  /// The bytes of an entry, valid as long as this object is unchanged.
  /// @param place 0 to entries().size() - 1
  /// @throw std::out_of_range past the end
  [[nodiscard]] std::string_view text(std::size_t place) const;

  /// For messages: "entry 2 of 4 ('-1')", short and printable.
  [[nodiscard]] std::string describe(std::size_t place) const;

  /// Why the entry is bad, as words that follow its description: "is empty"; empty for one that is not bad.
  [[nodiscard]] std::string why(std::size_t place) const;

  /// The entry as its writer probably meant it: "0-2" as 0,1,2; ' GPU-12' without its space; "'0'" without its quotes.
  /// The same reading when there is nothing better.
  [[nodiscard]] device_mask meant(std::size_t place) const;

  /// "mask-read-loosely", "mask-range", "mask-index-wraps", "mask-foreign-word": each at most once, with the entries
  /// that it is about. What the mask does on a machine is said by gpu::resolve.
  [[nodiscard]] std::vector<finding> findings() const;

  friend bool operator==(const device_mask& a, const device_mask& b) {
    return a.is_set_ == b.is_set_ && a.value_ == b.value_;
  }

 private:
  std::string value_;
  std::vector<mask_entry> entries_;
  bool is_set_ = false;
};

}  // namespace gpuenv::inline v0::env
