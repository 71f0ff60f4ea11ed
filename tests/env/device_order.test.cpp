// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/env/device_order.hpp>
#include "support/catch.hpp"

namespace env = gpuenv::env;
using kind = env::device_order::kind;

TEST_CASE("the order of devices is one of two words, or not set", "[env][order][B09]") {
  CHECK(env::device_order::parse("PCI_BUS_ID").what == kind::pci_bus_id);
  CHECK(env::device_order::parse("FASTEST_FIRST").what == kind::fastest_first);
  CHECK(env::device_order::parse(std::nullopt).what == kind::unset);
  CHECK(env::device_order::parse("PCI_BUS_ID").findings().empty());
  CHECK(env::device_order::parse(std::nullopt).findings().empty());
}

TEST_CASE("any other order is an error that names the value", "[env][order][B09]") {
  for (const char* value : {"pci_bus_id", "PCI_BUS", "", " PCI_BUS_ID", "PCI_BUS_ID ", "PCI"}) {
    INFO(value);
    const auto order = env::device_order::parse(value);
    CHECK(order.what == kind::invalid);
    REQUIRE(order.findings().size() == 1);
    CHECK(order.findings()[0].level == gpuenv::severity::error);
    CHECK(order.findings()[0].cause.find("'" + std::string{value} + "'") != std::string::npos);
  }
}

TEST_CASE("an order that is nearly right is met with the right one", "[env][order][B09]") {
  for (const char* value : {"pci_bus_id", "PCI-BUS-ID", " PCI_BUS_ID", "PciBusId"}) {
    CHECK(env::device_order::parse(value).findings().at(0).fix.starts_with("did you mean PCI_BUS_ID?"));
  }
  CHECK(env::device_order::parse("fastest_first").findings().at(0).fix.starts_with("did you mean FASTEST_FIRST?"));
  CHECK(env::device_order::parse("xyz").findings().at(0).fix.starts_with("set CUDA_DEVICE_ORDER="));
}
