// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/finding.hpp>
#include "support/catch.hpp"

#include <sstream>

namespace ge = gpuenv;

namespace {
std::string printed(const ge::finding& f) {
  std::ostringstream out;
  out << f;
  return out.str();
}
}  // namespace

TEST_CASE("a finding prints its level, code, cause, evidence and fix", "[base][finding]") {
  const ge::finding f{
      "driver-too-old", ge::severity::error, "the driver is old", {"version 12.2", "built with 13.0"}, "update it"};
  CHECK(printed(f) ==
        "error [driver-too-old]: the driver is old\n  seen: version 12.2\n  seen: built with 13.0\n  fix: update it");
}

TEST_CASE("a finding without evidence and fix is one line", "[base][finding]") {
  CHECK(printed({"ready", ge::severity::info, "2 GPUs", {}, {}}) == "info [ready]: 2 GPUs");
  CHECK(printed({"slow", ge::severity::warning, "slow link", {}, {}}) == "warning [slow]: slow link");
}
