// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/npy.hpp>
#include "linalg/npy_dictionary.hpp"
#include "linalg/npy_file.hpp"
#include "linalg/npy_header.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

static_assert(std::endian::native == std::endian::little, "elements are read and written as they lie in memory");

namespace gpuenv::inline v0::linalg {
namespace {

namespace fs = std::filesystem;
using detail::input_file;
using detail::npy_layout;
using detail::npy_type;
using detail::replacement_file;
using detail::throw_bad_npy;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t longest_header = 65535;  // two sizes need about 80 bytes; only records need more

/// Reads everything before the elements. Afterwards the file holds exactly the elements that the layout tells of.
npy_layout read_preamble(input_file& file) {
  std::array<unsigned char, 12> head{};
  const auto cut_short = [&](std::uint64_t expected) {
    const std::string found = "it is cut short: it has " + std::to_string(file.size()) + " bytes";
    throw_bad_npy(file.name(), found + "; expected " + std::to_string(expected), "copy or save the file again");
  };
  file.read(head.data(), std::min<std::uint64_t>(file.size(), 8));
  const std::string_view start{reinterpret_cast<const char*>(head.data()), std::min<std::uint64_t>(file.size(), 8)};
  if (start.starts_with("PK\x03\x04")) {
    throw_bad_npy(file.name(), "it is an archive (.npz); expected one array (.npy)",
                  "take one array out: np.save('a.npy', np.load(file)['a'])");
  }
  if (!start.starts_with(magic) && !magic.starts_with(start)) {
    throw_bad_npy(file.name(), "it does not begin as an .npy file does (\\x93NUMPY)",
                  "save the array with np.save(file, a)");
  }
  if (file.size() < 10) cut_short(10);
  const int major = head[6];
  if (major < 1 || major > 3 || head[7] != 0) {
    throw_bad_npy(
        file.name(),
        "its format is " + std::to_string(major) + '.' + std::to_string(head[7]) + "; expected 1.0, 2.0 or 3.0",
        "save it again: np.lib.format.write_array(open(file, 'wb'), a, version=(1, 0))");
  }
  const std::uint64_t before_text = major == 1 ? 10 : 12;
  if (file.size() < before_text) cut_short(before_text);
  file.read(head.data() + 8, before_text - 8);
  std::uint64_t length = head[8] + (std::uint64_t{head[9]} << 8);
  if (major > 1) length += (std::uint64_t{head[10]} << 16) + (std::uint64_t{head[11]} << 24);
  if (length > longest_header) {
    throw_bad_npy(
        file.name(),
        "its header claims " + std::to_string(length) + " bytes; expected at most " + std::to_string(longest_header),
        "save plain numbers: np.save(file, a.astype('<f4'))");
  }
  if (file.size() - before_text < length) cut_short(before_text + length);
  std::string text(length, '\0');
  file.read(text.data(), length);
  const npy_layout layout = detail::parse_npy_header(text, file.name());
  const std::uint64_t expected = before_text + length + layout.bytes;  // all three are below 2^63
  if (file.size() < expected) cut_short(expected);
  if (file.size() > expected) {
    const std::string shape = std::to_string(layout.rows) + 'x' + std::to_string(layout.cols);
    throw_bad_npy(file.name(),
                  "it has " + std::to_string(file.size()) + " bytes; expected " + std::to_string(expected) +
                      " for its " + shape + " matrix",
                  "save one array in a file, and nothing behind it");
  }
  return layout;
}

template <class T>
host_matrix<T> read_elements(input_file& file, const npy_layout& layout) {
  host_matrix<T> m{layout.rows, layout.cols, layout.order};
  file.read(m.data(), layout.bytes);
  return m;
}

template <class T>
[[nodiscard]] bool is_dense_row_major(host_matrix_view<const T> m) {
  return (m.cols() <= 1 || m.col_stride() == 1) && (m.rows() <= 1 || m.row_stride() == m.cols());
}

template <class T>
void gather_row_major(replacement_file& file, host_matrix_view<const T> m) {
  constexpr std::size_t chunk = (std::size_t{1} << 20) / sizeof(T);
  std::vector<T> buffer;
  buffer.reserve(chunk);
  const auto flush = [&] {
    file.write(buffer.data(), buffer.size() * sizeof(T));
    buffer.clear();
  };
  for (std::int64_t i = 0; i < m.rows(); ++i) {
    for (std::int64_t j = 0; j < m.cols(); ++j) {
      buffer.push_back(m(i, j));
      if (buffer.size() == chunk) flush();
    }
  }
  flush();
}

/// Dense matrices go out as they lie in memory, all others row by row.
template <class T>
void write(const fs::path& path, host_matrix_view<const T> m) {
  npy_layout layout;
  layout.type = sizeof(T) == 4 ? npy_type::float32 : npy_type::float64;
  layout.rows = m.rows();
  layout.cols = m.cols();
  layout.bytes = static_cast<std::uint64_t>(m.size()) * sizeof(T);
  const bool rows_dense = m.empty() || is_dense_row_major(m);
  const bool cols_dense = !rows_dense && is_dense_row_major(m.transposed());
  layout.order = cols_dense ? storage_order::column_major : storage_order::row_major;
  replacement_file file{path};
  const std::string preamble = detail::make_npy_preamble(layout);
  file.write(preamble.data(), preamble.size());
  if (rows_dense || cols_dense) {
    file.write(m.data(), layout.bytes);
  } else {
    gather_row_major(file, m);
  }
  file.commit();
}

}  // namespace

npy_matrix read_npy(const fs::path& path) {
  input_file file{path};
  const npy_layout layout = read_preamble(file);
  if (layout.type == npy_type::float32) return read_elements<float>(file, layout);
  return read_elements<double>(file, layout);
}

void write_npy(const fs::path& path, host_matrix_view<const float> m) { write(path, m); }
void write_npy(const fs::path& path, host_matrix_view<const double> m) { write(path, m); }

}  // namespace gpuenv::inline v0::linalg
