// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/npy.hpp>
#include "npy_files.hpp"
#include "support/catch.hpp"

#include <sys/stat.h>

#include <utility>

namespace {

using namespace gpuenv;
using namespace gpuenv::linalg;
using namespace npy_files;

template <class T>
host_matrix<T> counted(std::int64_t rows, std::int64_t cols, storage_order order) {
  host_matrix<T> m{rows, cols, order};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) m(i, j) = static_cast<T>(i * cols + j + 1) / 3;
  }
  return m;
}

template <class T>
void check_round_trip(std::int64_t rows, std::int64_t cols, storage_order order) {
  const scratch_folder folder;
  const auto written = counted<T>(rows, cols, order);
  write_npy(folder / "m.npy", written.view());
  const npy_matrix read = read_npy(folder / "m.npy");
  REQUIRE(std::holds_alternative<host_matrix<T>>(read));
  const auto& back = std::get<host_matrix<T>>(read);
  REQUIRE(back.rows() == rows);
  REQUIRE(back.cols() == cols);
  if (rows > 1 && cols > 1) CHECK(back.order() == order);
  std::int64_t differing = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) differing += back(i, j) != written(i, j);
  }
  CHECK(differing == 0);
  CHECK(folder.entries() == 1);
}

}  // namespace

TEST_CASE("a matrix comes back from an .npy file in its type and memory order", "[npy]") {
  const std::vector<std::pair<int, int>> shapes{{3, 5}, {1, 7}, {7, 1}, {1, 1}, {0, 4}, {4, 0}, {0, 0}};
  for (const auto order : {storage_order::row_major, storage_order::column_major}) {
    for (const auto& [rows, cols] : shapes) {
      check_round_trip<float>(rows, cols, order);
      check_round_trip<double>(rows, cols, order);
    }
  }
  check_round_trip<float>(1031, 517, storage_order::row_major);
}

TEST_CASE("formats 1.0, 2.0 and 3.0 are read alike", "[npy]") {
  for (const char major : {'\x01', '\x02', '\x03'}) {
    const scratch_folder folder;
    put(folder / "a.npy", preamble(header_2x3, major) + bytes_of(six));
    const auto a = std::get<host_matrix<float>>(read_npy(folder / "a.npy"));
    CHECK(a(0, 2) == 3);
    CHECK(a(1, 0) == 4);
  }
}

TEST_CASE("keys may come in any order, with other quotes and spaces", "[npy]") {
  const scratch_folder folder;
  put(folder / "a.npy", preamble("{ \"shape\" :(2,3,),'fortran_order':True,\n\t'descr':'<f4'}   \n") + bytes_of(six));
  const auto a = std::get<host_matrix<float>>(read_npy(folder / "a.npy"));
  CHECK(a.order() == storage_order::column_major);
  CHECK(a(1, 0) == 2);
  CHECK(a(0, 1) == 3);
}

TEST_CASE("a written file is laid out as NumPy lays it out", "[npy]") {
  const scratch_folder folder;
  write_npy(folder / "a.npy", counted<double>(2, 3, storage_order::column_major).view());
  const std::string bytes = get(folder / "a.npy");
  REQUIRE(bytes.size() == 128 + 6 * sizeof(double));
  CHECK(bytes.substr(0, 10) == "\x93NUMPY\x01\x00\x76\x00"s);
  CHECK(bytes.substr(10, 60) == "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }  ");
  CHECK(bytes[127] == '\n');
}

TEST_CASE("a view with gaps is written row by row", "[npy]") {
  const scratch_folder folder;
  const auto m = counted<float>(600, 900, storage_order::column_major);
  const auto block = m.view().block(1, 2, 500, 700);  // more than one buffer of a MiB
  write_npy(folder / "block.npy", block);
  const auto back = std::get<host_matrix<float>>(read_npy(folder / "block.npy"));
  REQUIRE(back.rows() == 500);
  REQUIRE(back.cols() == 700);
  CHECK(back.order() == storage_order::row_major);
  std::int64_t differing = 0;
  for (std::int64_t i = 0; i < 500; ++i) {
    for (std::int64_t j = 0; j < 700; ++j) differing += back(i, j) != block(i, j);
  }
  CHECK(differing == 0);
}

TEST_CASE("a failed write leaves the old file and no other", "[npy]") {
  const scratch_folder folder;
  const auto m = counted<float>(2, 3, storage_order::row_major);
  CHECK_THROWS_AS(write_npy(folder / "missing/a.npy", m.view()), error);
  CHECK_THROWS_AS(write_npy(folder / ".", m.view()), error);
  CHECK_THROWS_AS(write_npy("/dev/null", m.view()), error);
  CHECK(fs::is_character_file("/dev/null"));
  REQUIRE(::mkfifo((folder / "pipe.npy").c_str(), 0600) == 0);
  CHECK_THROWS_AS(write_npy(folder / "pipe.npy", m.view()), error);
  CHECK(fs::is_fifo(folder / "pipe.npy"));
  CHECK(folder.entries() == 1);
}

TEST_CASE("a write replaces the old file, keeps its mode, and follows a link to it", "[npy]") {
  const scratch_folder folder;
  put(folder / "old.npy", "old");
  fs::permissions(folder / "old.npy", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(folder / "old.npy", folder / "link.npy");
  write_npy(folder / "link.npy", counted<float>(2, 3, storage_order::row_major).view());
  CHECK(fs::is_symlink(folder / "link.npy"));
  CHECK(std::get<host_matrix<float>>(read_npy(folder / "old.npy")).rows() == 2);
  CHECK(fs::status(folder / "old.npy").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(folder.entries() == 2);
}
