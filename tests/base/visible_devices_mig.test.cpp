// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What documents and issues say of MIG: none of it was measured.
#include <gpuenv/gpu/visible_devices.hpp>
#include "support/catch.hpp"
#include "support/installed_gpus.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace env = gpuenv::env;
namespace gpu = gpuenv::gpu;
using gpuenv::test::alike_gpus;
using gpuenv::test::uuid_of;
using device = gpu::visible_device;

namespace {

/// Four GPUs; number 1 is split into three instances.
std::vector<gpu::installed_gpu> gpus_with_mig() {
  auto gpus = alike_gpus(4);
  gpuenv::test::split(gpus[1], 3, 10);
  return gpus;
}

/// One GPU, split into three instances.
std::vector<gpu::installed_gpu> one_split_gpu() {
  auto gpus = alike_gpus(1);
  gpuenv::test::split(gpus[0], 3, 10);
  return gpus;
}

gpu::visible_devices resolved(std::string_view mask, const std::vector<gpu::installed_gpu>& gpus) {
  return gpu::resolve(env::device_mask::parse(mask), {}, gpus);
}

std::string mig(std::uint32_t seed) { return to_string(uuid_of(seed), "MIG-"); }

bool has(const gpu::visible_devices& visible, std::string_view code) {
  for (const auto& f : visible.findings) {
    if (f.code == code) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("each typed form of an entry shows one device", "[gpu][visible][B01]") {
  const auto gpus = gpus_with_mig();
  const auto whole = resolved(to_string(uuid_of(3)), gpus);
  CHECK(whole.devices == std::vector{device{2, std::nullopt, 0}});
  const auto instance = resolved(mig(11), gpus);
  CHECK(instance.devices == std::vector{device{1, 1, 0}});
  const auto path = resolved("MIG-" + to_string(uuid_of(2)) + "/3/0", gpus);
  CHECK(path.devices == std::vector{device{1, 2, 0}});
  for (const auto& visible : {whole, instance, path}) {
    CHECK(visible.cu_init == gpu::init_result::success);
    CHECK(visible.findings.empty());
  }
  CHECK(whole.basis == gpu::answer_basis::measured);
  CHECK(instance.basis == gpu::answer_basis::documented);
}

TEST_CASE("the first digits of a MIG UUID name an instance only when nothing else fits", "[gpu][visible][B01][B02]") {
  auto gpus = gpus_with_mig();
  CHECK(resolved(mig(11).substr(0, 8), gpus).devices == std::vector{device{1, 1, 0}});
  gpus[1].instances[2].id = gpus[1].instances[1].id;
  gpus[1].instances[2].id.bytes[15] ^= 1;
  CHECK(resolved(mig(11).substr(0, 8), gpus).devices.empty());
}

TEST_CASE("a MIG path needs a GPU in MIG mode and an instance that exists", "[gpu][visible][B01]") {
  for (const std::string& path : {to_string(uuid_of(1)) + "/0/0", to_string(uuid_of(2)) + "/4/0",
                                  to_string(uuid_of(2)) + "/1/1", to_string(uuid_of(9)) + "/1/0"}) {
    const auto visible = resolved("MIG-" + path, gpus_with_mig());
    INFO(path);
    CHECK(visible.cu_init == gpu::init_result::no_device);
    REQUIRE(visible.cut);
    CHECK(visible.cut->why.starts_with("names an instance"));
  }
}

TEST_CASE("of two MIG ids both are understood and one is expected to be usable", "[gpu][visible][B20]") {
  const auto visible = resolved(mig(11) + ',' + mig(10), gpus_with_mig());
  CHECK(visible.devices == std::vector{device{1, 1, 0}});
  CHECK(visible.lost == std::vector{device{1, 0, 1}});
  CHECK(visible.basis == gpu::answer_basis::documented);
  CHECK(has(visible, "mig-one-device"));
  CHECK_FALSE(visible.cut);
  CHECK_FALSE(visible.corrected_mask);  // no mask shows both
  CHECK(visible.by_gpu[1] == gpu::visibility::yes);
  CHECK(visible.by_gpu[0] == gpu::visibility::no);
}

TEST_CASE("indices of slices behind one GPU give the first slice and say why", "[gpu][visible][B20]") {
  const auto visible = resolved("0,1,2", one_split_gpu());
  CHECK(visible.devices == std::vector{device{0, 0, 0}});
  REQUIRE(visible.cut);
  CHECK(visible.cut->entry == 1);
  CHECK(visible.cut->why.find("a GPU in MIG mode counts once") != std::string::npos);
  CHECK(has(visible, "mig-one-device"));
}

TEST_CASE("a GPU in MIG mode stands for its first instance", "[gpu][visible][B01]") {
  CHECK(resolved(to_string(uuid_of(2)), gpus_with_mig()).devices == std::vector{device{1, 0, 0}});
  CHECK(resolved("MIG-" + to_string(uuid_of(2)).substr(4), gpus_with_mig()).devices == std::vector{device{1, 0, 0}});
  CHECK(resolved("0", one_split_gpu()).devices == std::vector{device{0, 0, 0}});
}

TEST_CASE("in CUDA's own order GPUs in MIG mode are expected last", "[gpu][visible]") {
  CHECK(resolved("1", gpus_with_mig()).gpu_of(0) == 2);
  CHECK(resolved("3", gpus_with_mig()).devices == std::vector{device{1, 0, 0}});
  CHECK(resolved("0,1,2", gpus_with_mig()).devices.size() == 3);
  CHECK(resolved("0,1,2,3", gpus_with_mig()).devices == std::vector{device{1, 0, 3}});
  CHECK(resolved("0", gpus_with_mig()).basis == gpu::answer_basis::documented);
}

TEST_CASE("without a mask a machine with an instance shows that alone", "[gpu][visible]") {
  const auto visible = gpu::resolve({}, {}, gpus_with_mig());
  CHECK(visible.devices == std::vector{device{1, 0, std::nullopt}});
  CHECK(visible.lost.size() == 3);
  CHECK(has(visible, "mig-one-device"));
}

TEST_CASE("a GPU in MIG mode without an instance is no device", "[gpu][visible]") {
  auto gpus = alike_gpus(2);
  gpus[0].is_mig_enabled = true;
  CHECK(gpu::resolve({}, {}, gpus).devices == std::vector{device{1, std::nullopt, std::nullopt}});
  const auto visible = resolved(to_string(uuid_of(1)), gpus);
  CHECK(visible.cu_init == gpu::init_result::no_device);
  REQUIRE(visible.cut);
  CHECK(visible.cut->why.find("has no instance") != std::string::npos);
}
