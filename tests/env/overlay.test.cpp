// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>
#include <gpuenv/env/overlay.hpp>
#include "support/catch.hpp"

namespace ge = gpuenv;
using ge::env::environment;
using ge::env::overlay;
using namespace std::string_view_literals;

namespace {
const environment base = environment::from_block(std::vector{"A=1"sv, "B=2"sv, "C=3"sv});
}

TEST_CASE("an overlay gives a new environment and leaves the first as it is", "[env][overlay]") {
  const environment before = base;
  const environment changed = overlay{}.set("A", "x").unset("B").set("NEW", "").applied_to(base);
  CHECK(changed == environment::from_block(std::vector{"A=x"sv, "C=3"sv, "NEW="sv}));
  CHECK(base == before);
  CHECK(overlay{}.applied_to(base) == base);
  CHECK(overlay{}.empty());
}

TEST_CASE("the last change of a variable counts and stands where it was made", "[env][overlay]") {
  const overlay changes = overlay{}.set("A", "x").set("B", "y").unset("A").set("C", "z").set("B", "w");
  CHECK(changes.changes() == std::vector<overlay::change>{{"A", std::nullopt}, {"C", "z"}, {"B", "w"}});
  CHECK(changes.applied_to(base) == environment::from_block(std::vector{"B=w"sv, "C=z"sv}));
}

TEST_CASE("two overlays one after the other are one overlay", "[env][overlay]") {
  const overlay first = overlay{}.set("A", "x").unset("B").set("D", "4");
  const overlay second = overlay{}.set("B", "back").unset("D").set("E", "5");
  CHECK(first.then(second).applied_to(base) == second.applied_to(first.applied_to(base)));
  CHECK(second.then(first).applied_to(base) == first.applied_to(second.applied_to(base)));
  CHECK(first.then(second).applied_to(base) != second.then(first).applied_to(base));
  CHECK(first.then(first) == first);
  CHECK(first.then({}) == first);
  CHECK(overlay{}.then(first) == first);
}

TEST_CASE("an overlay refuses what no environment can hold, and keeps what it had", "[env][overlay][B15]") {
  overlay changes = overlay{}.set("A", "x");
  CHECK_THROWS_AS(changes.set("", "x"), ge::error);
  CHECK_THROWS_AS(changes.set("A=B", "x"), ge::error);
  CHECK_THROWS_AS(changes.set("A", std::string{"\0", 1}), ge::error);
  CHECK_THROWS_AS(changes.unset(""), ge::error);
  CHECK_THROWS_AS(changes.unset("A="), ge::error);
  CHECK(changes == overlay{}.set("A", "x"));
}
