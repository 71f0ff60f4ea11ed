// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/npy_dictionary.hpp"

#include <charconv>
#include <optional>

namespace gpuenv::inline v0::linalg::detail {
namespace {

constexpr const char* save_again = "write the file again with np.save(file, a)";

bool is_printable(char c) noexcept { return c >= ' ' && c <= '~'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

struct entries {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

/// The part of Python's grammar that NumPy writes: one dictionary of strings, True or False, and a tuple of integers.
class header_parser {
 public:
  header_parser(std::string_view text, const std::string& name) : text_{text}, name_{name} {}

  entries dictionary() {
    entries found;
    expect('{', "a dictionary");
    while (!accept('}')) {
      entry(found);
      if (accept(',')) continue;
      expect('}', "',' or the closing '}'");
      break;
    }
    skip_space();
    if (at_ != text_.size()) wrong("nothing more than spaces");
    if (!found.descr || !found.fortran_order || !found.shape) {
      const char* missing = !found.descr ? "'descr'" : !found.fortran_order ? "'fortran_order'" : "'shape'";
      throw_bad_npy(name_, std::string{"its header has no "} + missing, save_again);
    }
    return found;
  }

 private:
  void entry(entries& found) {
    const std::string key = string("a key");
    expect(':', "':'");
    if (key == "descr" && !found.descr) {
      found.descr = type();
    } else if (key == "fortran_order" && !found.fortran_order) {
      found.fortran_order = boolean();
    } else if (key == "shape" && !found.shape) {
      found.shape = tuple();
    } else {
      throw_bad_npy(name_, "its header has an unknown or repeated key " + quoted_for_message(key), save_again);
    }
  }

  std::string type() {
    skip_space();
    if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
      throw_bad_npy(name_, "its elements are records (a structured type); expected '<f4' or '<f8'",
                    "save one field as plain numbers: np.save(file, a['field'].astype('<f4'))");
    }
    return string("the element type");
  }

  std::string string(const char* what) {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') wrong(std::string{what} + " in quotes");
    const std::size_t start = ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\\' && is_printable(text_[at_])) ++at_;
    if (at_ == text_.size() || text_[at_] != quote) wrong("plain ASCII up to a closing quote");
    return std::string{text_.substr(start, at_++ - start)};
  }

  bool boolean() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    wrong("True or False");
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> sizes;
    expect('(', "a tuple of sizes");
    while (!accept(')')) {
      sizes.push_back(integer());
      if (accept(',')) continue;
      if (sizes.size() == 1) wrong("',' behind the only size of a tuple");
      expect(')', "',' or the closing ')' of the shape");
      break;
    }
    return sizes;
  }

  std::int64_t integer() {
    skip_space();
    std::size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    const std::string_view digits = text_.substr(at_, end - at_);
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) wrong("a size of 0 or more in decimal digits");
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) {
      throw_bad_npy(name_, "its shape has a size that does not fit 64 bits: " + quoted_for_message(digits), save_again);
    }
    at_ = end;
    return value;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  bool accept(char wanted) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted, const char* what) {
    if (!accept(wanted)) wrong(what);
  }

  [[noreturn]] void wrong(const std::string& expected) const {
    const std::string found = at_ == text_.size() ? "the header ends" : quoted_for_message(text_.substr(at_));
    throw_bad_npy(
        name_, "its header is damaged at byte " + std::to_string(at_) + ": found " + found + ", expected " + expected,
        save_again);
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

}  // namespace

npy_dictionary parse_npy_dictionary(std::string_view text, const std::string& name) {
  entries found = header_parser{text, name}.dictionary();
  return {std::move(*found.descr), *found.fortran_order, std::move(*found.shape)};
}

void throw_bad_npy(const std::string& name, const std::string& found, const std::string& remedy) {
  throw error{errc::bad_file, "read " + name + ": " + found, remedy};
}

std::string quoted_for_message(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, 40)) result += is_printable(c) ? c : '?';
  return result + (text.size() > 40 ? "...'" : "'");
}

}  // namespace gpuenv::inline v0::linalg::detail
