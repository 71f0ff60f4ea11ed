// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>

namespace gpuenv::inline v0 {
namespace {

class own_category final : public named_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "gpuenv"; }

  [[nodiscard]] std::string message(int value) const override {
    switch (static_cast<errc>(value)) {
      case errc::invalid_argument: return "invalid argument";
      case errc::shape_mismatch: return "shapes do not fit";
      case errc::out_of_range: return "out of range";
      case errc::size_overflow: return "size too large";
      case errc::overlap: return "output overlaps an input";
      case errc::misaligned: return "misaligned pointer";
      case errc::not_supported: return "not supported here";
      case errc::no_device: return "no usable GPU";
      case errc::bad_file: return "bad file";
      case errc::file_access: return "file access failed";
      case errc::out_of_memory: return "out of memory";
      case errc::not_ready: return "not ready";
      case errc::too_late: return "too late";
    }
    return "unknown gpuenv error " + std::to_string(value);
  }
};

bool same_code(const std::error_code& a, const std::error_code& b) noexcept {
  return a.value() == b.value() && std::string_view{a.category().name()} == b.category().name();
}

/// "src/cuda/device.cpp:42": the last three parts of a path name the place without the build machine's folders; of an
/// absolute path that has no more parts, the file's name.
std::string short_place(const std::source_location& where) {
  std::string_view file = where.file_name();
  std::size_t start = file.size();
  for (int parts = 0; parts < 3 && start != 0 && start != std::string_view::npos; ++parts) {
    start = file.rfind('/', start - 1);
  }
  if (start == 0 || (start == std::string_view::npos && file.starts_with('/'))) start = file.rfind('/');
  if (start != std::string_view::npos) file.remove_prefix(start + 1);
  return std::string{file} + ':' + std::to_string(where.line());
}

std::string compose(const std::error_code& code, const std::string& attempted, const std::string& hint, recovery after,
                    const std::source_location& where) {
  std::string text =
      attempted + ": " + code.message() + " [" + code.category().name() + ' ' + std::to_string(code.value()) + ']';
  if (!hint.empty()) text += "; " + hint;
  if (after == recovery::restart_process) text += "; CUDA cannot be used again in this process: restart it";
  return text + " (" + short_place(where) + ')';
}

}  // namespace

const std::error_category& category() noexcept {
  static const auto* const instance = new own_category;  // outlives every static object that may fail
  return *instance;
}

bool named_category::equivalent(const std::error_code& code, int condition) const noexcept {
  return same_code(code, std::error_code{condition, *this});
}

error::error(std::error_code code, std::string attempted, std::string hint, recovery after, std::source_location where)
    : std::system_error{code, attempted},
      attempted_{std::move(attempted)},
      hint_{std::move(hint)},
      text_{compose(code, attempted_, hint_, after, where)},
      after_{after},
      where_{where} {}

bool error::is(std::error_code other) const noexcept { return same_code(code(), other); }

}  // namespace gpuenv::inline v0
