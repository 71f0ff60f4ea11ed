// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/npy_header.hpp"

#include "linalg/npy_dictionary.hpp"

namespace gpuenv::inline v0::linalg::detail {
namespace {

npy_type judge_type(const std::string& descr, const std::string& name) {
  if (descr == "<f4") return npy_type::float32;
  if (descr == "<f8") return npy_type::float64;
  const std::string found = "its elements are of type " + quoted_for_message(descr);
  if (descr == ">f4" || descr == ">f8") {
    throw_bad_npy(name, found + ", which is big-endian; expected '<f4' or '<f8'",
                  "swap the bytes with NumPy: np.save(file, a.astype('<" + descr.substr(1) + "'))");
  }
  if (descr == "|O" || descr == "O") {
    throw_bad_npy(name, found + ", pickled Python objects, which are never loaded; expected '<f4' or '<f8'",
                  "save plain numbers: np.save(file, a.astype('<f8'))");
  }
  throw_bad_npy(name, found + "; expected '<f4' (float32) or '<f8' (float64)",
                "convert with NumPy: np.save(file, a.astype('<f4')) or a.astype('<f8')");
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size() && i < 8; ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() > 8 ? ", ...)" : shape.size() == 1 ? ",)" : ")");
}

void judge_dimensions(const std::vector<std::int64_t>& shape, const std::string& name) {
  if (shape.size() == 2) return;
  const std::string remedy = shape.empty()       ? "a.reshape(1, 1)"
                             : shape.size() == 1 ? "a.reshape(1, -1) for a row, or a.reshape(-1, 1) for a column"
                                                 : "a.reshape(-1, a.shape[-1]), or save one matrix of it";
  throw_bad_npy(name,
                "its shape " + shape_text(shape) + " has " + std::to_string(shape.size()) +
                    (shape.size() == 1 ? " dimension" : " dimensions") + "; expected 2",
                "make it a matrix with NumPy: " + remedy);
}

}  // namespace

npy_layout parse_npy_header(std::string_view text, const std::string& name) {
  const npy_dictionary found = parse_npy_dictionary(text, name);
  npy_layout layout;
  layout.type = judge_type(found.descr, name);
  judge_dimensions(found.shape, name);
  layout.order = found.fortran_order ? storage_order::column_major : storage_order::row_major;
  layout.rows = found.shape[0];
  layout.cols = found.shape[1];
  const std::int64_t element_bytes = layout.type == npy_type::float32 ? 4 : 8;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(layout.rows, layout.cols, &bytes) ||
      __builtin_mul_overflow(bytes, element_bytes, &bytes)) {
    throw_bad_npy(name, "its shape " + shape_text(found.shape) + " does not fit 64-bit sizes",
                  "write the file again with np.save(file, a)");
  }
  layout.bytes = static_cast<std::uint64_t>(bytes);
  return layout;
}

std::string make_npy_preamble(const npy_layout& layout) {
  constexpr std::size_t before_text = 10;  // magic string, version, length of the text
  std::string text = "{'descr': '" + std::string{layout.type == npy_type::float32 ? "<f4" : "<f8"} +
                     "', 'fortran_order': " + (layout.order == storage_order::column_major ? "True" : "False") +
                     ", 'shape': (" + std::to_string(layout.rows) + ", " + std::to_string(layout.cols) + "), }";
  const std::size_t unpadded = before_text + text.size() + 1;
  text.append((64 - unpadded % 64) % 64, ' ');
  text += '\n';
  std::string preamble{"\x93NUMPY\x01\x00", 8};
  preamble += static_cast<char>(text.size() & 0xff);
  preamble += static_cast<char>(text.size() >> 8);
  return preamble + text;
}

}  // namespace gpuenv::inline v0::linalg::detail
