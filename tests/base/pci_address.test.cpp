// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/gpu/pci_address.hpp>
#include "support/catch.hpp"

namespace gpu = gpuenv::gpu;

TEST_CASE("a PCI address compares as a number, however a tool writes it", "[gpu][pci]") {
  const gpu::pci_address expected{0, 0x41, 0, 0};
  for (const char* text : {"0000:41:00.0", "00000000:41:00.0", "0:41:0.0", "0000:41:00", "41:00.0", "41:00", "41:0"}) {
    INFO(text);
    CHECK(gpu::pci_address::parse(text) == expected);
  }
}

TEST_CASE("hexadecimal digits of a PCI address may be in either case", "[gpu][pci]") {
  const gpu::pci_address expected{0xab, 0xcd, 0x1f, 7};
  CHECK(gpu::pci_address::parse("00AB:CD:1F.7") == expected);
  CHECK(gpu::pci_address::parse("000000ab:cd:1f.7") == expected);
}

TEST_CASE("a PCI address is written as Linux names the device", "[gpu][pci]") {
  CHECK(gpu::to_string(gpu::pci_address{0, 0x41, 0, 0}) == "0000:41:00.0");
  CHECK(gpu::to_string(gpu::pci_address{0xab, 0xcd, 0x1f, 7}) == "00ab:cd:1f.7");
}

TEST_CASE("a domain of more than four digits survives", "[gpu][pci]") {
  const auto address = gpu::pci_address::parse("10000:e1:00.0");  // behind a volume management device
  REQUIRE(address);
  CHECK(address->domain == 0x10000);
  CHECK(gpu::to_string(*address) == "10000:e1:00.0");
  CHECK(gpu::pci_address::parse(gpu::to_string(*address)) == address);
}

TEST_CASE("every written PCI address is read back", "[gpu][pci]") {
  for (const gpu::pci_address address : {gpu::pci_address{0, 0, 0, 0}, gpu::pci_address{0xffff, 0xff, 0x1f, 7},
                                         gpu::pci_address{0xffffffff, 0xff, 0x1f, 7}}) {
    CHECK(gpu::pci_address::parse(gpu::to_string(address)) == address);
  }
}

TEST_CASE("two PCI addresses are ordered by domain, bus, device and function", "[gpu][pci]") {
  CHECK(gpu::pci_address{0, 0xff, 0, 0} < gpu::pci_address{1, 0, 0, 0});
  CHECK(gpu::pci_address{0, 0x41, 0, 0} < gpu::pci_address{0, 0x41, 1, 0});
  CHECK(gpu::pci_address{0, 0x41, 0, 0} < gpu::pci_address{0, 0x41, 0, 1});
}

TEST_CASE("what is not a PCI address is refused", "[gpu][pci]") {
  for (const char* bad : {"",
                          ":",
                          "::",
                          "41",
                          "41:",
                          ":00.0",
                          "0000:41:",
                          "0000::00.0",
                          ":41:00.0",
                          "0000:41:00.",
                          "0000:41:00.8",
                          "0000:41:20.0",
                          "0000:100:00.0",
                          "100000000:41:00.0",
                          "0000:41:00.0.0",
                          "0:0:41:00.0",
                          "0000:4g:00.0",
                          " 0000:41:00.0",
                          "0000:41:00.0 ",
                          "0000:-1:00.0",
                          "0000:+1:00.0",
                          "0x0:41:00.0",
                          "0000:41:00.0\n"}) {
    INFO(bad);
    CHECK_FALSE(gpu::pci_address::parse(bad));
  }
}
