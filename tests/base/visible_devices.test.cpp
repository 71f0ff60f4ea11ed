// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/gpu/visible_devices.hpp>
#include "support/catch.hpp"
#include "support/installed_gpus.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace env = gpuenv::env;
namespace gpu = gpuenv::gpu;
using gpuenv::test::alike_gpus;
using gpuenv::test::uuid_of;
using init = gpu::init_result;
using places = std::vector<std::size_t>;

namespace {

gpu::visible_devices resolved(std::string_view mask, const std::vector<gpu::installed_gpu>& gpus,
                              std::optional<std::string_view> order = std::nullopt) {
  return gpu::resolve(env::device_mask::parse(mask), env::device_order::parse(order), gpus);
}

places gpus_of(const std::vector<gpu::visible_device>& devices) {
  places result;
  for (const auto& device : devices) result.push_back(device.gpu.value());
  return result;
}

const gpuenv::finding* find(const gpu::visible_devices& visible, std::string_view code) {
  const auto& all = visible.findings;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.code == code; });
  return found == all.end() ? nullptr : &*found;
}

std::string full(std::uint32_t seed) { return to_string(uuid_of(seed)); }

}  // namespace

TEST_CASE("entries behind a bad one are hidden, and the cut says so", "[gpu][visible][B04]") {
  struct expected {
    const char* mask;
    places visible;
    std::size_t cut;
    std::size_t hidden_entries;
    places lost;
  };
  for (const expected& e :
       {expected{"0,2,-1,1", {0, 2}, 2, 1, {1}}, expected{"0,9,1", {0}, 1, 1, {1}}, expected{"9,0", {}, 0, 1, {0}},
        expected{"2,-1", {2}, 1, 0, {}}, expected{"2,junk,0", {2}, 1, 1, {0}}}) {
    INFO(e.mask);
    const auto visible = resolved(e.mask, alike_gpus(4));
    CHECK(gpus_of(visible.devices) == e.visible);
    REQUIRE(visible.cut);
    CHECK(visible.cut->entry == e.cut);
    CHECK(visible.cut->hidden_entries == e.hidden_entries);
    CHECK(gpus_of(visible.lost) == e.lost);
    CHECK(visible.corrected_mask.has_value() == !e.lost.empty());
    CHECK(find(visible, "mask-cut") != nullptr);
  }
}

TEST_CASE("a corrected mask names whole UUIDs in the order of the mask", "[gpu][visible][B04]") {
  CHECK(resolved("0,2,-1,1", alike_gpus(4)).corrected_mask == full(1) + ',' + full(3) + ',' + full(2));
  CHECK(resolved("0-2", alike_gpus(4)).corrected_mask == full(1) + ',' + full(2) + ',' + full(3));
  CHECK(resolved("1," + full(1), alike_gpus(2)).corrected_mask == full(2) + ',' + full(1));
  CHECK(resolved(full(1) + ", " + full(2), alike_gpus(2)).corrected_mask == full(1) + ',' + full(2));
  CHECK_FALSE(resolved("2,1", alike_gpus(4)).corrected_mask);
  CHECK_FALSE(resolved("-1", alike_gpus(4)).corrected_mask);
}

TEST_CASE("a corrected mask shows all that it names and needs no correction", "[gpu][visible][B04][B07]") {
  for (const char* mask : {"0,2,-1,1", "9,0", "2,junk,0", "0,1,2,1", "0-3", "'0','3'", "0;1;2"}) {
    INFO(mask);
    const auto first = resolved(mask, alike_gpus(4));
    REQUIRE(first.corrected_mask);
    const auto second = resolved(*first.corrected_mask, alike_gpus(4));
    CHECK(second.cu_init == init::success);
    CHECK(second.findings.empty());
    CHECK(second.lost.empty());
    CHECK(second.devices.size() > first.devices.size());
  }
}

TEST_CASE("a cut that loses nothing is a warning only when its entry was to name something", "[gpu][visible][B04]") {
  using gpuenv::severity;
  for (const auto& [mask, level] : {std::pair{"2,-1", severity::info}, std::pair{"2,", severity::info},
                                    std::pair{"-1", severity::info}, std::pair{"2,99", severity::warning},
                                    std::pair{"2,junk", severity::warning}, std::pair{"99", severity::error}}) {
    INFO(mask);
    const auto visible = resolved(mask, alike_gpus(4));
    REQUIRE(find(visible, "mask-cut") != nullptr);
    CHECK(find(visible, "mask-cut")->level == level);
  }
}

TEST_CASE("values that hide all GPUs are told from one that is not set", "[gpu][visible][B05]") {
  CHECK(gpu::resolve({}, {}, alike_gpus(4)).devices.size() == 4);
  for (const char* mask : {"", " ", "-1", "NoDevFiles", "all", "none"}) {
    INFO(mask);
    const auto visible = resolved(mask, alike_gpus(4));
    CHECK(visible.devices.empty());
    CHECK(visible.cu_init == init::no_device);
    CHECK(visible.by_gpu == std::vector(4, gpu::visibility::no));
    CHECK_FALSE(visible.findings.empty());
  }
}

TEST_CASE("loosely read entries give what the driver gives", "[gpu][visible][B06]") {
  CHECK(gpus_of(resolved("1gpu2,2ampere", alike_gpus(4)).devices) == places{1, 2});
  CHECK(gpus_of(resolved("0-2", alike_gpus(4)).devices) == places{0});
  CHECK(gpus_of(resolved(" 1 , 0 ", alike_gpus(4)).devices) == places{1, 0});
  CHECK(gpus_of(resolved("2,+3,-0,5", alike_gpus(4)).devices) == places{2, 3, 0});
  CHECK(resolved("one,0", alike_gpus(4)).devices.empty());
  CHECK(resolved("18446744073709551617", alike_gpus(4)).devices.empty());
  CHECK(gpus_of(resolved("4294967297", alike_gpus(4)).devices) == places{1});
  CHECK(find(resolved("4294967297", alike_gpus(4)), "mask-index-wraps") != nullptr);
}

TEST_CASE("a device that is named twice makes cuInit fail", "[gpu][visible][B07]") {
  const auto twice = resolved("0,0", alike_gpus(4));
  CHECK(twice.cu_init == init::invalid_device);
  CHECK(twice.devices.empty());
  CHECK(twice.corrected_mask == full(1));
  const auto later = resolved("0,1,2,1", alike_gpus(4));
  CHECK(later.cu_init == init::invalid_device);
  CHECK(later.repeat == gpu::mask_repeat{1, 3});
  REQUIRE(find(later, "mask-repeats-device") != nullptr);
  CHECK(find(later, "mask-repeats-device")->cause.find("entry 4 of 4 ('1')") != std::string::npos);
  CHECK(gpus_of(resolved("0,-1,0", alike_gpus(4)).devices) == places{0});  // the second is never read
}

TEST_CASE("both maps keep the order of the mask", "[gpu][visible][B08]") {
  const auto visible = resolved("3,1,2", alike_gpus(4));
  CHECK(gpus_of(visible.devices) == places{3, 1, 2});
  CHECK(visible.gpu_of(0) == 3);
  CHECK(visible.gpu_of(3) == std::nullopt);
  CHECK(visible.ordinal_of(3) == 0);
  CHECK(visible.ordinal_of(1) == 1);
  CHECK(visible.ordinal_of(0) == std::nullopt);
  CHECK(visible.by_gpu[0] == gpu::visibility::no);
  CHECK(visible.by_gpu[3] == gpu::visibility::yes);
}

TEST_CASE("a second reading sees the mask as it is then", "[gpu][visible][B11]") {
  CHECK(gpu::resolve(env::device_mask::parse(std::nullopt), {}, alike_gpus(4)).devices.size() == 4);
  CHECK(gpus_of(resolved("1", alike_gpus(4)).devices) == places{1});
}

TEST_CASE("the host's numbers select nothing inside a container", "[gpu][visible][B19]") {
  const auto visible = resolved("2,3", alike_gpus(2));
  CHECK(visible.devices.empty());
  REQUIRE(find(visible, "mask-cut") != nullptr);
  CHECK(find(visible, "mask-cut")->level == gpuenv::severity::error);
  CHECK(find(visible, "mask-cut")->fix.find("inside a container GPUs are numbered from 0") != std::string::npos);
}

TEST_CASE("the first digits of a UUID name a GPU only when no other fits", "[gpu][visible][B02]") {
  auto gpus = alike_gpus(2);
  gpus[0].id = *gpu::uuid::parse("GPU-af7b61d8-0000-0000-0000-000000000001");
  gpus[1].id = *gpu::uuid::parse("GPU-c0d51234-0000-0000-0000-000000000002");
  CHECK(gpus_of(resolved("GPU-af7b61d8", gpus).devices) == places{0});
  CHECK(gpus_of(resolved("GPU-c", gpus).devices) == places{1});
  CHECK(gpus_of(resolved("GPU-c,GPU-a", gpus).devices) == places{1, 0});
  gpus[1].id = *gpu::uuid::parse("GPU-af7b61d9-0000-0000-0000-000000000002");
  const auto unclear = resolved("GPU-af7b61d", gpus);
  CHECK(unclear.devices.empty());
  CHECK(unclear.cu_init == init::no_device);
  REQUIRE(unclear.cut);
  CHECK(unclear.cut->why == "fits the UUIDs of 2 devices here");
  CHECK(gpus_of(resolved("GPU-af7b61d8,GPU-af7b61d", gpus).devices) == places{0});
}
