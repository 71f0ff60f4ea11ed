// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>
#include "support/catch.hpp"

#include <set>

namespace ge = gpuenv;

namespace {

/// The category of a second copy of the library, as another shared object would hold it.
class second_copy final : public ge::named_category {
 public:
  explicit second_copy(const char* name) : name_{name} {}
  [[nodiscard]] const char* name() const noexcept override { return name_; }
  [[nodiscard]] std::string message(int) const override { return "said by the copy"; }

 private:
  const char* name_;
};

std::source_location deep_in_home();
std::source_location shallow_in_home();
std::source_location at_the_root();
std::source_location relative_file();

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

ge::error error_at(std::source_location where) {
  return {ge::errc::shape_mismatch, "matmul: a is 3x5, b is 4x7", "give b 5 rows", ge::recovery::possible, where};
}

}  // namespace

TEST_CASE("an error says attempted, reason, category and value, hint and place in one line", "[base][error]") {
  const ge::error e = error_at(deep_in_home());
  CHECK(std::string{e.what()} ==
        "matmul: a is 3x5, b is 4x7: shapes do not fit [gpuenv 2]; give b 5 rows (src/linalg/matmul.cpp:42)");
  CHECK(e.attempted() == "matmul: a is 3x5, b is 4x7");
  CHECK(e.hint() == "give b 5 rows");
  CHECK(e.code() == ge::errc::shape_mismatch);
  CHECK(e.after() == ge::recovery::possible);
  CHECK(e.where().line() == 42);
}

TEST_CASE("the place of an error is never an absolute path", "[base][error]") {
  for (const auto where : {deep_in_home(), shallow_in_home(), at_the_root(), relative_file()}) {
    const ge::error e = error_at(where);
    INFO(e.what());
    CHECK_FALSE(contains(e.what(), "(/"));
    CHECK_FALSE(contains(e.what(), "somebody"));  // nobody's name, nobody's folders
    CHECK(contains(e.what(), ".cpp:42)"));
  }
}

TEST_CASE("an error without a hint has no empty part", "[base][error]") {
  const ge::error e{ge::errc::not_ready, "read a result", {}, ge::recovery::possible, deep_in_home()};
  CHECK(std::string{e.what()} == "read a result: not ready [gpuenv 12] (src/linalg/matmul.cpp:42)");
}

TEST_CASE("an error that ends CUDA for the process says so", "[base][error][B98]") {
  const ge::error e{ge::errc::not_ready, "x", "y", ge::recovery::restart_process};
  CHECK(e.after() == ge::recovery::restart_process);
  CHECK(contains(e.what(), "restart"));
  CHECK_FALSE(contains(ge::error(ge::errc::not_ready, "x", "y").what(), "restart"));
}

TEST_CASE("an error names the place of the caller", "[base][error]") {
  const ge::error e{ge::errc::overlap, "x"};
  CHECK(contains(e.where().file_name(), "error.test.cpp"));
  CHECK(contains(e.what(), "error.test.cpp:" + std::to_string(e.where().line())));
}

TEST_CASE("an error is caught as std::system_error with its code", "[base][error]") {
  try {
    throw ge::error{ge::errc::file_access, "open x"};
  } catch (const std::system_error& e) {
    CHECK(e.code() == ge::errc::file_access);
    CHECK(std::string{e.what()}.starts_with("open x: file access failed [gpuenv 10]"));
  }
}

TEST_CASE("a copied error keeps everything", "[base][error]") {
  const ge::error first{ge::errc::overlap, "attempted", "hint", ge::recovery::restart_process, deep_in_home()};
  const ge::error copy = first;  // NOLINT(performance-unnecessary-copy-initialization)
  CHECK(std::string{copy.what()} == first.what());
  CHECK(copy.attempted() == first.attempted());
  CHECK(copy.hint() == first.hint());
  CHECK(copy.after() == first.after());
  CHECK(copy.where().line() == first.where().line());
}

TEST_CASE("every code of gpuenv has a text of its own", "[base][error]") {
  std::set<std::string> texts;
  for (int value = 1; value <= static_cast<int>(ge::errc::too_late); ++value) {
    const std::string text = ge::category().message(value);
    CHECK_FALSE(contains(text, "unknown"));
    texts.insert(text);
  }
  CHECK(texts.size() == static_cast<std::size_t>(ge::errc::too_late));
  CHECK(ge::category().message(4711) == "unknown gpuenv error 4711");
}

TEST_CASE("codes of two copies of the library are equal by category name and value", "[base][error]") {
  const second_copy copy{"gpuenv"};
  const ge::error e{ge::errc::overlap, "x"};
  const int value = static_cast<int>(ge::errc::overlap);
  CHECK(e.code() != std::error_code{value, copy});  // the standard compares addresses: hence is()
  CHECK(e.is(std::error_code{value, copy}));
  CHECK(e.code() == std::error_condition{value, copy});
  CHECK(std::error_code{value, copy} == std::error_condition{value, ge::category()});
}

TEST_CASE("codes of other values or other categories are not equal", "[base][error]") {
  const second_copy other{"another library"};
  const ge::error e{ge::errc::overlap, "x"};
  const int value = static_cast<int>(ge::errc::overlap);
  CHECK_FALSE(e.is(ge::errc::misaligned));
  CHECK_FALSE(e.is(std::error_code{value, other}));
  CHECK(e.code() != std::error_condition{value, other});
  CHECK(e.code() != std::error_condition{value + 1, ge::category()});
}

namespace {

// The places below are what a compiler writes for files in such folders.
// clang-format off
std::source_location deep_in_home() {
#line 42 "/home/somebody/gpuenv/src/linalg/matmul.cpp"
  return std::source_location::current();
}
std::source_location shallow_in_home() {
#line 42 "/home/somebody/main.cpp"
  return std::source_location::current();
}
std::source_location at_the_root() {
#line 42 "/app/main.cpp"
  return std::source_location::current();
}
std::source_location relative_file() {
#line 42 "main.cpp"
  return std::source_location::current();
}
// clang-format on

}  // namespace
