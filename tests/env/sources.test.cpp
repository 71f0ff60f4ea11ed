// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// The library's own sources, read as text: who writes the process's environment.
#include "support/catch.hpp"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace fs = std::filesystem;

namespace {

/// The words of C++ code without comments of the form `// ...`.
std::set<std::string> words_of(std::istream& source) {
  std::set<std::string> words;
  for (std::string line; std::getline(source, line);) {
    std::string word;
    for (const char c : line.substr(0, line.find("//")) + ' ') {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
      } else if (!word.empty()) {
        words.insert(word);
        word.clear();
      }
    }
  }
  return words;
}

/// The files under include/, src/ and kernels/ that hold one of `words`, relative to the repository's root.
std::set<std::string> files_with(const std::set<std::string>& words) {
  const fs::path root = GPUENV_SOURCE_DIR;
  std::set<std::string> found;
  for (const char* folder : {"include", "src", "kernels"}) {
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator{root / folder}) {
      if (!entry.is_regular_file()) continue;
      ++files;
      std::ifstream source{entry.path()};
      for (const std::string& word : words_of(source)) {
        if (words.contains(word)) found.insert(entry.path().lexically_relative(root).generic_string());
      }
    }
    CHECK(files > 2);
  }
  return found;
}

}  // namespace

TEST_CASE("the scan sees calls, pointers and qualified names, and no comments", "[env][sources]") {
  std::istringstream source{"int x = ::setenv(a, b, 1);  // putenv\nauto f = &std::clearenv;\nint my_unsetenv;"};
  const std::set<std::string> words = words_of(source);
  CHECK(words.contains("setenv"));
  CHECK(words.contains("clearenv"));
  CHECK_FALSE(words.contains("putenv"));
  CHECK_FALSE(words.contains("unsetenv"));
}

TEST_CASE("the library writes the environment of its process in one place", "[env][sources][B17]") {
  CHECK(files_with({"setenv", "unsetenv", "putenv", "clearenv"}) ==
        std::set<std::string>{"src/env/apply_to_process.cpp"});
}

TEST_CASE("the library takes the block of its process in one place", "[env][sources][B17]") {
  CHECK(files_with({"environ", "__environ"}) == std::set<std::string>{"src/env/environment.cpp"});
}
