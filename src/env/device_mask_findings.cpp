// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/env/device_mask.hpp>
#include "env/mask_reader.hpp"

#include <utility>

namespace gpuenv::inline v0::env {
namespace {

/// What entries have in common, of which the first few are shown.
class topic {
 public:
  void add(std::string line) {
    constexpr std::size_t most = 8;
    if (++count_ <= most) evidence_.push_back(std::move(line));
  }
  void move_to(std::vector<finding>& findings, std::string code, severity level, std::string cause, std::string fix) {
    if (count_ == 0) return;
    if (count_ > evidence_.size()) evidence_.push_back("and " + std::to_string(count_ - evidence_.size()) + " more");
    findings.push_back({std::move(code), level, std::move(cause), std::move(evidence_), std::move(fix)});
  }

 private:
  std::size_t count_ = 0;
  std::vector<std::string> evidence_;
};

/// What a word that other programs give or take means, or nothing.
std::string_view meaning_of(std::string_view word) noexcept {
  if (word == "NoDevFiles") return "Slurm's word for \"no GPU allocated\"";
  if (word == "all")
    return "a word of NVIDIA_VISIBLE_DEVICES; to CUDA it is a bad entry, and an unset variable means all";
  if (word == "none" || word == "void") {
    return "a word of NVIDIA_VISIBLE_DEVICES; to CUDA it is a bad entry, and the empty value means none";
  }
  return {};
}

std::string reading_of(const mask_entry& entry) {
  std::string text = entry.kind == mask_entry_kind::index ? "is read as " + std::to_string(entry.index)
                     : entry.kind == mask_entry_kind::bad ? "ends the list"
                     : entry.id.is_whole()                ? "is read as a whole UUID"
                                                          : "is read as the first digits of a UUID";
  if (entry.has_sign) text += ", with a sign";
  if (entry.has_white_space) text += "; white space is skipped";
  if (entry.has_text_behind) text += "; the text behind it counts for nothing";
  return text;
}

}  // namespace

std::vector<finding> device_mask::findings() const {
  topic loose, ranges, wrapped, words;
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    const mask_entry& entry = entries_[place];
    const bool is_plainly_negative = entry.fault == mask_fault::negative && !entry.has_text_behind;
    if (entry.is_range) {
      ranges.add(describe(place) + " is read as " + std::to_string(entry.index));
    } else if (entry.is_wrapped) {
      wrapped.add(describe(place) + " is device " + std::to_string(entry.index) + " for CUDA");
    } else if (entry.is_read_loosely() && !is_plainly_negative) {
      loose.add(describe(place) + ' ' + reading_of(entry));
    }
    if (entry.fault != mask_fault::not_a_number) continue;
    if (const std::string_view meaning = meaning_of(trimmed(text(place))); !meaning.empty()) {
      words.add(describe(place) + " is " + std::string{meaning});
    }
  }
  std::vector<finding> findings;
  wrapped.move_to(findings, "mask-index-wraps", severity::error,
                  "CUDA_VISIBLE_DEVICES holds a number beyond 32 bits, of which CUDA takes the low 32 bits",
                  "write the index or the UUID of the GPU that you mean");
  ranges.move_to(findings, "mask-range", severity::warning,
                 "CUDA_VISIBLE_DEVICES: ranges are not supported, only the first number counts",
                 "write each index: 0,1,2 instead of 0-2");
  loose.move_to(findings, "mask-read-loosely", severity::warning,
                "CUDA_VISIBLE_DEVICES holds what CUDA reads loosely and other programs may read otherwise",
                "write plain indices or UUIDs, separated by commas alone");
  words.move_to(findings, "mask-foreign-word", severity::info,
                "CUDA_VISIBLE_DEVICES holds a word of another program, which ends the list",
                "unset the variable for all GPUs, set it to nothing for none");
  return findings;
}

}  // namespace gpuenv::inline v0::env
