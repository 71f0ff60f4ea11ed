// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// For the tests of npy: a scratch folder, and .npy files made byte by byte.
#pragma once

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace npy_files {

namespace fs = std::filesystem;
using namespace std::string_literals;

/// A folder of its own for each test, gone at the end of it.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (fs::temp_directory_path() / "gpuenv-npy-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no scratch folder"};
    path_ = name;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const char* name) const { return path_ / name; }
  [[nodiscard]] std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator{path_}, {}); }

 private:
  fs::path path_;
};

inline void put(const fs::path& file, const std::string& bytes) {
  std::ofstream{file, std::ios::binary}.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string get(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The length of the header text, little-endian in `bytes` bytes.
inline std::string length_field(std::size_t length, int bytes) {
  std::string field;
  for (int i = 0; i < bytes; ++i) field += static_cast<char>(length >> (8 * i) & 0xff);
  return field;
}

inline std::string preamble(const std::string& header, char major = 1) {
  return "\x93NUMPY"s + major + '\0' + length_field(header.size(), major == 1 ? 2 : 4) + header;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline const std::string header_2x3 = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
inline const std::vector<float> six{1, 2, 3, 4, 5, 6};

}  // namespace npy_files
