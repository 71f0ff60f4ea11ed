// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/gpu/visible_devices.hpp>
#include "support/catch.hpp"
#include "support/installed_gpus.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace env = gpuenv::env;
namespace gpu = gpuenv::gpu;
using gpuenv::test::alike_gpus;
using gpuenv::test::uuid_of;

namespace {

gpu::visible_devices resolved(std::optional<std::string_view> mask, const std::vector<gpu::installed_gpu>& gpus,
                              std::optional<std::string_view> order = std::nullopt) {
  return gpu::resolve(env::device_mask::parse(mask), env::device_order::parse(order), gpus);
}

/// A slow card on bus 01, a fast one on bus 41; NVML lists the fast one first.
std::vector<gpu::installed_gpu> unlike_gpus() {
  auto gpus = alike_gpus(2);
  gpus[0].address = {0, 0x41, 0, 0};
  gpus[1].name = "NVIDIA T400";
  gpus[1].address = {0, 0x01, 0, 0};
  return gpus;
}

bool has(const gpu::visible_devices& visible, std::string_view code) {
  for (const auto& f : visible.findings) {
    if (f.code == code) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("an index among unlike GPUs is unknown without an order, and not guessed", "[gpu][visible][B09]") {
  for (const auto order : {std::optional<std::string_view>{}, std::optional<std::string_view>{"FASTEST_FIRST"}}) {
    const auto visible = resolved("0", unlike_gpus(), order);
    CHECK(visible.cu_init == gpu::init_result::success);
    REQUIRE(visible.devices.size() == 1);
    CHECK_FALSE(visible.is_known());
    CHECK(visible.gpu_of(0) == std::nullopt);
    CHECK(visible.ordinal_of(0) == std::nullopt);
    CHECK(visible.by_gpu == std::vector(2, gpu::visibility::unknown));
    CHECK(has(visible, "mask-order-unknown"));
  }
}

TEST_CASE("with PCI_BUS_ID an index counts along the PCI addresses", "[gpu][visible][B09]") {
  const auto visible = resolved("0", unlike_gpus(), "PCI_BUS_ID");
  CHECK(visible.gpu_of(0) == 1);
  CHECK(visible.ordinal_of(0) == std::nullopt);
  CHECK(visible.by_gpu == std::vector{gpu::visibility::no, gpu::visibility::yes});
  CHECK(visible.findings.empty());
  CHECK(resolved("1,0", unlike_gpus(), "PCI_BUS_ID").gpu_of(0) == 0);
  CHECK(resolved(std::nullopt, unlike_gpus(), "PCI_BUS_ID").gpu_of(0) == 1);
}

TEST_CASE("PCI addresses are compared as numbers", "[gpu][visible][B09]") {
  auto gpus = unlike_gpus();
  gpus[0].address = {0x10000, 0x01, 0, 0};  // "10000:01:00.0" comes before "2000:01:00.0" as text
  gpus[1].address = {0x2000, 0x01, 0, 0};
  CHECK(resolved("0", gpus, "PCI_BUS_ID").gpu_of(0) == 1);
}

TEST_CASE("a misspelt order is reported and leaves no GPU", "[gpu][visible][B09]") {
  const auto visible = resolved("0", unlike_gpus(), "PCI_BUSID");
  CHECK(visible.cu_init == gpu::init_result::invalid_device);
  CHECK(visible.devices.empty());
  CHECK(has(visible, "device-order-invalid"));
  CHECK_FALSE(visible.corrected_mask);
}

TEST_CASE("a UUID is known in any order", "[gpu][visible][B09]") {
  const auto visible = resolved(to_string(uuid_of(2)) + ',' + to_string(uuid_of(1)), unlike_gpus());
  CHECK(visible.gpu_of(0) == 1);
  CHECK(visible.gpu_of(1) == 0);
  CHECK(visible.findings.empty());
}

TEST_CASE("what an unknown order leaves certain is still said", "[gpu][visible][B09]") {
  const auto all = resolved(std::nullopt, unlike_gpus());
  CHECK(all.devices.size() == 2);
  CHECK_FALSE(all.is_known());
  CHECK(all.by_gpu == std::vector(2, gpu::visibility::yes));
  CHECK(resolved("1,0", unlike_gpus()).by_gpu == std::vector(2, gpu::visibility::yes));
  CHECK(resolved("0,0", unlike_gpus()).cu_init == gpu::init_result::invalid_device);
  const auto cut = resolved("0,2,1", unlike_gpus());
  CHECK(cut.devices.size() == 1);
  CHECK(cut.lost.size() == 1);
  CHECK_FALSE(cut.corrected_mask);
  const auto mixed = resolved("0," + to_string(uuid_of(1)), unlike_gpus());
  CHECK(mixed.devices.size() == 1);
  CHECK(mixed.lost.empty());  // it may be the very GPU that index 0 means
}

TEST_CASE("GPUs of one model are numbered by PCI address in any order", "[gpu][visible][B09]") {
  auto gpus = alike_gpus(3);
  std::swap(gpus[0].address, gpus[2].address);
  for (const auto order : {std::optional<std::string_view>{}, std::optional<std::string_view>{"PCI_BUS_ID"}}) {
    CHECK(resolved("0", gpus, order).gpu_of(0) == 2);
    CHECK(resolved("2", gpus, order).gpu_of(0) == 0);
  }
}
