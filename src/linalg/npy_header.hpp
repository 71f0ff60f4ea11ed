// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The header of an .npy file: from its text to a matrix that gpuenv can hold, and back.
#pragma once

#include <gpuenv/linalg/matrix_view.hpp>

#include <string>
#include <string_view>

namespace gpuenv::inline v0::linalg::detail {

enum class npy_type { float32, float64 };

struct npy_layout {
  npy_type type = npy_type::float32;
  storage_order order = storage_order::row_major;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::uint64_t bytes = 0;  ///< of all elements
};

/// Reads "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }".
/// @param name the file's name, for messages
/// @throws error (errc::bad_file): not such a dictionary, a type, number of dimensions or size that cannot be held
[[nodiscard]] npy_layout parse_npy_header(std::string_view text, const std::string& name);

/// All that stands before the elements in a file of format 1.0: a multiple of 64 bytes, as NumPy has it.
[[nodiscard]] std::string make_npy_preamble(const npy_layout& layout);

}  // namespace gpuenv::inline v0::linalg::detail
