// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The dictionary at the head of an .npy file, by the part of Python's grammar that NumPy writes. Nothing is evaluated.
#pragma once

#include <gpuenv/base/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuenv::inline v0::linalg::detail {

struct npy_dictionary {
  std::string descr;  ///< "<f4"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Reads "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }": exactly these keys, in any order.
/// @param name the file's name, for messages
/// @throws error (errc::bad_file) with the place, what was found there and what was expected
[[nodiscard]] npy_dictionary parse_npy_dictionary(std::string_view text, const std::string& name);

[[noreturn]] void throw_bad_npy(const std::string& name, const std::string& found, const std::string& remedy);

/// `text` in quotes, at most 40 characters of it, without bytes that would act on a terminal.
[[nodiscard]] std::string quoted_for_message(std::string_view text);

}  // namespace gpuenv::inline v0::linalg::detail
