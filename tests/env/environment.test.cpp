// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>
#include <gpuenv/env/environment.hpp>
#include "support/catch.hpp"
#include "support/scoped_environment.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <thread>
#include <utility>

namespace ge = gpuenv;
using ge::env::environment;
using gpuenv_test::scoped_environment;
using namespace std::string_view_literals;

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

environment block(const std::vector<std::string_view>& lines) { return environment::from_block(lines); }

/// Every byte but NUL, most of which is no UTF-8.
std::string all_bytes() {
  std::string bytes;
  for (int byte = 1; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

}  // namespace

TEST_CASE("a variable that is set to nothing is not one that is unset", "[env][environment]") {
  const environment e = block({"EMPTY=", "FULL=x"});
  CHECK(e.get("EMPTY") == ""sv);
  CHECK(e.get("FULL") == "x"sv);
  CHECK_FALSE(e.get("ABSENT").has_value());
  CHECK_FALSE(e.get("").has_value());
  CHECK_FALSE(environment{}.get("EMPTY").has_value());
}

TEST_CASE("all behind the first equals sign is the value", "[env][environment]") {
  const environment e = block({"A==", "B=x=y", "C= spaced \t"});
  CHECK(e.get("A") == "="sv);
  CHECK(e.get("B") == "x=y"sv);
  CHECK(e.get("C") == " spaced \t"sv);
  CHECK(e.findings().empty());
}

TEST_CASE("bytes that are no UTF-8 and megabytes are kept as they are", "[env][environment]") {
  const std::string odd = all_bytes();
  const std::string name = "ODD\xff\xfe";
  const std::string large(8U << 20U, 'x');
  const std::string first = name + '=' + odd;
  const std::string second = "LARGE=" + large;
  const environment e = block({first, second});
  CHECK(e.findings().empty());
  CHECK(e.get(name) == std::string_view{odd});
  CHECK((e.get("LARGE") == std::string_view{large}));
}

TEST_CASE("a line that is no variable is kept apart and named", "[env][environment][B15]") {
  const environment e = block({"GOOD=1", "NOVALUE", "=nameless", "", "N\0UL=x"sv, "V=a\0b"sv, "LAST=2"});
  CHECK(e.variables().size() == 2);
  CHECK(e.get("LAST") == "2"sv);
  REQUIRE(e.findings().size() == 5);
  for (const ge::finding& f : e.findings()) {
    CHECK(f.code == "environment-malformed");
    CHECK(f.level == ge::severity::warning);
    CHECK_FALSE(f.fix.empty());
    REQUIRE(f.evidence.size() == 1);
  }
  CHECK(contains(e.findings()[0].evidence[0], "line 2 of 7 bytes"));
  CHECK(contains(e.findings()[0].evidence[0], "'NOVALUE'"));
  CHECK(contains(e.findings()[0].evidence[0], "no '='"));
  CHECK(contains(e.findings()[1].evidence[0], "no name"));
  CHECK_FALSE(contains(e.findings()[1].evidence[0], "nameless"));  // a value, perhaps a secret
  CHECK(contains(e.findings()[2].evidence[0], "line 4 of 0 bytes"));
  CHECK(contains(e.findings()[3].evidence[0], "'N\\x00UL'"));
  CHECK(contains(e.findings()[4].evidence[0], "line 6"));
  CHECK(contains(e.findings()[4].evidence[0], "NUL"));
}

TEST_CASE("a finding about hostile bytes is one short line of ASCII", "[env][environment]") {
  const std::string line = all_bytes().substr(0, 50) + std::string(1U << 20U, '\'');
  const environment e = block({line});
  REQUIRE(e.findings().size() == 1);
  const std::string& said = e.findings()[0].evidence[0];
  CHECK(said.size() < 500);
  for (const char c : said) CHECK((c >= ' ' && c <= '~'));
  CHECK(contains(said, "\\x01\\x02"));
  CHECK(contains(said, "bytes"));
}

TEST_CASE("of a name that comes twice the first value counts, as for getenv", "[env][environment]") {
  const environment e = block({"SAME=1", "A=first", "B=x", "A=second", "A=first", "SAME=1"});
  CHECK(e.get("A") == "first"sv);
  CHECK(e.variables().size() == 3);
  REQUIRE(e.findings().size() == 2);
  CHECK(e.findings()[0].code == "environment-duplicate");
  CHECK(contains(e.findings()[0].cause, "'A'"));
  CHECK(contains(e.findings()[0].evidence[0], "3 times, with different values"));
  CHECK(contains(e.findings()[1].cause, "'SAME'"));
  CHECK(contains(e.findings()[1].evidence[0], "2 times, always with the same value"));
}

TEST_CASE("a variable is set, replaced and removed in the value alone", "[env][environment][B17]") {
  scoped_environment variables{{{"GPUENV_TEST_A", "outside"}}};
  environment e = environment::of_process();
  const environment copy = e;
  e.set("GPUENV_TEST_A", "1");
  e.set("GPUENV_TEST_A", "2");
  e.set("GPUENV_TEST_NEW", "");
  CHECK(e.get("GPUENV_TEST_A") == "2"sv);
  CHECK(e.get("GPUENV_TEST_NEW") == ""sv);
  CHECK(copy.get("GPUENV_TEST_A") == "outside"sv);
  CHECK(std::getenv("GPUENV_TEST_A") == "outside"sv);
  CHECK(std::getenv("GPUENV_TEST_NEW") == nullptr);
  e.unset("GPUENV_TEST_A");
  e.unset("GPUENV_TEST_A");
  e.unset("=");
  CHECK_FALSE(e.get("GPUENV_TEST_A").has_value());
  CHECK(e != copy);
}

TEST_CASE("what no environment can hold is refused by name", "[env][environment][B15]") {
  environment e;
  const auto message_of = [&](std::string name, std::string value) {
    try {
      e.set(std::move(name), std::move(value));
    } catch (const ge::error& refused) {
      CHECK(refused.code() == ge::errc::invalid_argument);
      CHECK_FALSE(refused.hint().empty());
      return refused.attempted();
    }
    return std::string{"taken"};
  };
  CHECK(contains(message_of("", "x"), "empty"));
  CHECK(contains(message_of("A=B", "x"), "'A=B'"));
  CHECK(contains(message_of(std::string{"A\0B", 3}, "x"), "'A\\x00B'"));
  CHECK(contains(message_of("SECRET", std::string{"ab\0c", 4}), "'SECRET' holds a NUL byte at 2 of its 4 bytes"));
  CHECK_FALSE(contains(message_of("SECRET", std::string{"pass\0word", 9}), "pass"));
  CHECK(e.variables().empty());
}

TEST_CASE("the process's environment is read anew each time", "[env][environment][B11]") {
  scoped_environment variables{{{"CUDA_VISIBLE_DEVICES", std::nullopt}}};
  CHECK_FALSE(environment::of_process().get("CUDA_VISIBLE_DEVICES").has_value());
  variables.set("CUDA_VISIBLE_DEVICES", "1");
  CHECK(environment::of_process().get("CUDA_VISIBLE_DEVICES") == "1"sv);
  variables.set("CUDA_VISIBLE_DEVICES", "");
  CHECK(environment::of_process().get("CUDA_VISIBLE_DEVICES") == ""sv);
}

TEST_CASE("a snapshot owns its bytes", "[env][environment][B17]") {
  scoped_environment variables{{{"GPUENV_TEST_A", "before"}}};
  const environment e = environment::of_process();
  variables.set("GPUENV_TEST_A", "behind");  // glibc writes nothing in place, but the old line may be freed
  variables.unset("GPUENV_TEST_A");
  CHECK(e.get("GPUENV_TEST_A") == "before"sv);
}

TEST_CASE("what a temporary environment holds outlives it in a loop", "[env][environment]") {
  std::string names;
  for (const auto& [name, value] : block({"A=1", "B=2"}).variables()) names += name + value;
  for (const ge::finding& f : block({"A=1", "A=2"}).findings()) names += f.code;
  CHECK(names == "A1B2environment-duplicate");
}

TEST_CASE("a process without any environment has an empty one", "[env][environment]") {
  char** const before = environ;
  environ = nullptr;  // as clearenv leaves it
  const environment none = environment::of_process();
  std::array<char*, 1> only_end{nullptr};
  environ = only_end.data();
  const environment empty = environment::of_process();
  environ = before;
  CHECK(none.variables().empty());
  CHECK(empty.variables().empty());
}

TEST_CASE("threads read a snapshot while another changes the process", "[env][environment][B17]") {
  scoped_environment variables{{{"GPUENV_TEST_READ", "constant"}}};
  variables.watch("GPUENV_TEST_WRITTEN");
  const environment e = environment::of_process();
  std::array<int, 8> wrong{};
  std::vector<std::thread> readers;
  for (int& count : wrong) {
    readers.emplace_back([&e, &count] {
      for (int i = 0; i < 100000; ++i) count += e.get("GPUENV_TEST_READ") == "constant"sv ? 0 : 1;
    });
  }
  std::thread writer{[] {
    for (int i = 0; i < 100000; ++i) setenv("GPUENV_TEST_WRITTEN", std::to_string(i % 1000).c_str(), 1);
  }};
  for (std::thread& reader : readers) reader.join();
  writer.join();
  CHECK(wrong == std::array<int, 8>{});
  CHECK_FALSE(e.get("GPUENV_TEST_WRITTEN").has_value());
}
