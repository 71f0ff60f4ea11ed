// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/env/child_block.hpp>
#include "support/catch.hpp"
#include "support/run_program.hpp"

#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

using gpuenv::env::child_block;
using gpuenv::env::environment;
using namespace std::string_view_literals;

namespace {

std::vector<std::string_view> lines_of(const child_block& block) {
  std::vector<std::string_view> lines;
  for (char* const* line = block.data(); *line != nullptr; ++line) lines.emplace_back(*line);
  return lines;
}

}  // namespace

TEST_CASE("a child block holds the lines of an environment and ends with null", "[env][child_block]") {
  const std::vector lines{"A=1"sv, "B="sv, "C=x=y\xff"sv};
  const child_block block{environment::from_block(lines)};
  CHECK(lines_of(block) == lines);
  CHECK(block.size() == 3);
}

TEST_CASE("an empty environment makes a block of null alone", "[env][child_block]") {
  const child_block block{environment{}};
  CHECK(block.size() == 0);
  REQUIRE(block.data() != nullptr);
  CHECK(*block.data() == nullptr);
}

TEST_CASE("the lines of a block stay where they are when it moves and its environment dies", "[env][child_block]") {
  auto from = std::make_unique<environment>(environment::from_block(std::vector{"A=1"sv, "B=2"sv}));
  child_block first{*from};
  from.reset();
  char* const* const address = first.data();
  child_block second{std::move(first)};
  CHECK(second.data() == address);
  child_block third{environment{}};
  third = std::move(second);
  CHECK(third.data() == address);
  CHECK(lines_of(third) == std::vector{"A=1"sv, "B=2"sv});
  CHECK(second.data() == nullptr);  // NOLINT(bugprone-use-after-move)
  CHECK(second.size() == 0);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<child_block>);
  STATIC_REQUIRE_FALSE(std::is_copy_assignable_v<child_block>);
}

TEST_CASE("a child sees the variables of its block and no others", "[env][child_block]") {
  const auto variables = environment::from_block(std::vector{"A=a value"sv, "EMPTY="sv});
  const auto child = gpuenv_test::run_program("/usr/bin/env", {"env"}, variables);
  CHECK(child.exit_code == 0);
  CHECK(child.output == "A=a value\nEMPTY=\n");
}
