// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/npy.hpp>
#include "npy_files.hpp"
#include "support/catch.hpp"

#include <sys/stat.h>

namespace {

using namespace gpuenv;
using namespace gpuenv::linalg;
using namespace npy_files;

/// Reads a file with this content, and returns the error; its text must hold file name, remedy and each of `words`.
void check_refused(const std::string& content, errc code, const std::vector<std::string>& words) {
  const scratch_folder folder;
  put(folder / "hostile.npy", content);
  try {
    static_cast<void>(read_npy(folder / "hostile.npy"));
    FAIL("the file was read: " << words.front());
  } catch (const error& e) {
    INFO(e.what());
    CHECK(e.is(code));
    CHECK(e.attempted().find("hostile.npy") != std::string::npos);
    CHECK_FALSE(e.hint().empty());
    for (const std::string& word : words) {
      INFO("expected: " << word);
      CHECK((e.attempted() + " | " + e.hint()).find(word) != std::string::npos);
    }
  }
}

void check_header_refused(const std::string& header, const std::vector<std::string>& words) {
  check_refused(preamble(header) + bytes_of(six), errc::bad_file, words);
}

std::string header_with(const std::string& descr, const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n";
}

}  // namespace

TEST_CASE("a file that is shorter or longer than its header says is refused", "[npy]") {
  const std::string whole = preamble(header_2x3) + bytes_of(six);
  for (const std::size_t length : std::vector<std::size_t>{0, 3, 7, 9, 30, whole.size() - 1}) {
    check_refused(whole.substr(0, length), errc::bad_file, {"cut short", std::to_string(length) + " bytes"});
  }
  check_refused(whole + '\0', errc::bad_file,
                {std::to_string(whole.size() + 1), std::to_string(whole.size()), "one array"});
}

TEST_CASE("a header length that lies is refused", "[npy]") {
  const std::string start = "\x93NUMPY"s;
  const std::string body = header_2x3 + bytes_of(six);
  check_refused(start + "\x01\0"s + length_field(header_2x3.size() + 8, 2) + body, errc::bad_file, {"damaged"});
  check_refused(start + "\x01\0"s + length_field(header_2x3.size() - 9, 2) + body, errc::bad_file, {"damaged"});
  check_refused(start + "\x01\0"s + length_field(65535, 2) + body, errc::bad_file, {"cut short", "65545"});
  check_refused(start + "\x02\0"s + length_field(0xffffffff, 4) + body, errc::bad_file, {"4294967295", "65535"});
}

TEST_CASE("other files and other formats are refused", "[npy]") {
  check_refused("PK\x03\x04 an archive", errc::bad_file, {".npz", "np.load"});
  check_refused("1.0 2.0\n3.0 4.0\n", errc::bad_file, {"NUMPY", "np.save"});
  check_refused("\x93NUMPY\x09\0"s + length_field(header_2x3.size(), 2) + header_2x3 + bytes_of(six), errc::bad_file,
                {"9.0", "1.0, 2.0 or 3.0"});
  check_refused("\x93NUMPY\x01\x01"s + length_field(header_2x3.size(), 2) + header_2x3, errc::bad_file, {"1.1"});
}

TEST_CASE("other element types are refused with the way to convert them", "[npy]") {
  check_header_refused(header_with("'>f4'", "(2, 3)"), {"big-endian", "a.astype('<f4')"});
  check_header_refused(header_with("'>f8'", "(2, 3)"), {"big-endian", "a.astype('<f8')"});
  check_header_refused(header_with("'|O'", "(2, 3)"), {"pickled", "astype"});
  check_header_refused(header_with("[('x', '<f4'), ('y', '<f4')]", "(2, 3)"), {"structured", "a['field']"});
  check_header_refused(header_with("('<f4', (3,))", "(2, 3)"), {"structured"});
  for (const char* descr : {"'=f4'", "'|f4'", "'f4'", "'<f2'", "'<i8'", "'<c8'", "'|b1'", "''"}) {
    check_header_refused(header_with(descr, "(2, 3)"), {descr, "'<f4'", "astype"});
  }
}

TEST_CASE("other numbers of dimensions are refused with the way to reshape", "[npy]") {
  check_header_refused(header_with("'<f4'", "()"), {"0 dimensions", "reshape(1, 1)"});
  check_header_refused(header_with("'<f4'", "(6,)"), {"(6,)", "1 dimension", "reshape(1, -1)"});
  check_header_refused(header_with("'<f4'", "(1, 2, 3)"), {"(1, 2, 3)", "3 dimensions", "reshape"});
}

TEST_CASE("shapes that overflow are refused before anything is allocated", "[npy]") {
  check_header_refused(header_with("'<f4'", "(4294967296, 4294967296)"), {"64-bit"});
  check_header_refused(header_with("'<f4'", "(2, 2305843009213693955)"), {"64-bit"});  // the bytes wrap to 24
  check_header_refused(header_with("'<f4'", "(0, 9223372036854775808)"), {"64 bits"});
  check_header_refused(header_with("'<f4'", "(1000000000, 1000000000)"), {"cut short"});
}

TEST_CASE("a header that is no plain dictionary is refused, and nothing in it is evaluated", "[npy]") {
  const std::string good = "'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)";
  const std::vector<std::string> broken{"",
                                        "\n",
                                        "{",
                                        "{" + good,
                                        "{" + good + "} {}",
                                        "{" + good + "}}",
                                        "{," + good + "}",
                                        "{" + good + ",,}",
                                        "{" + good + "}\xff\xfe",
                                        "{'d\xc3\xa9scr': '<f4'}",
                                        "{descr: '<f4'}",
                                        "{'fortran_order': 0}",
                                        header_with("'<f4'", "[2, 3]"),
                                        header_with("'<f4'", "(2L, 3L)"),
                                        header_with("'<f4'", "(-2, -3)"),
                                        header_with("'<f4'", "(02, 3)"),
                                        header_with("'<f4'", "(1+1, 3)"),
                                        header_with("'<f4'", "(6)"),
                                        header_with("'<f4'", "(2, 3"),
                                        header_with("'<f4'", "(2 3)"),
                                        header_with("'<\\x664'", "(2, 3)"),
                                        header_with("'<f4", "(2, 3)"),
                                        header_with("exec('x')", "(2, 3)")};
  for (const std::string& header : broken) {
    INFO(header);
    check_header_refused(header, {"damaged at byte", "expected"});
  }
  check_header_refused("{'descr': '<f4', 'fortran_order': False}", {"no 'shape'"});
  check_header_refused("{'fortran_order': False, 'shape': (2, 3)}", {"no 'descr'"});
  check_header_refused("{'descr': '<f4', 'shape': (2, 3)}", {"no 'fortran_order'"});
  check_header_refused("{" + good + ", 'descr': '<f4'}", {"repeated key 'descr'"});
  check_header_refused("{" + good + ", 'more': 'x'}", {"unknown", "'more'"});
}

TEST_CASE("what is no regular file is refused without waiting for it", "[npy]") {
  const scratch_folder folder;
  const auto check_access = [&](const fs::path& file, const char* word) {
    try {
      static_cast<void>(read_npy(file));
      FAIL("it was read: " << file);
    } catch (const error& e) {
      INFO(e.what());
      CHECK(e.is(errc::file_access));
      CHECK(e.attempted().find(file.string()) != std::string::npos);
      CHECK(e.attempted().find(word) != std::string::npos);
      CHECK_FALSE(e.hint().empty());
    }
  };
  check_access(folder / "missing.npy", "No such file");
  check_access(folder / ".", "folder");
  REQUIRE(::mkfifo((folder / "pipe.npy").c_str(), 0600) == 0);
  check_access(folder / "pipe.npy", "pipe");
  check_access("/dev/null", "device");
}
