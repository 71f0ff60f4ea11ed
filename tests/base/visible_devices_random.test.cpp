// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What holds for every mask, on random ones.
#include <gpuenv/gpu/visible_devices.hpp>
#include "support/catch.hpp"
#include "support/installed_gpus.hpp"

#include <array>
#include <random>
#include <string>
#include <vector>

namespace env = gpuenv::env;
namespace gpu = gpuenv::gpu;
using gpuenv::test::uuid_of;

namespace {

class generator {
 public:
  explicit generator(std::uint32_t seed) : engine_{seed} {}

  std::size_t below(std::size_t bound) { return engine_() % bound; }

  std::vector<gpu::installed_gpu> machine() {
    auto gpus = gpuenv::test::alike_gpus(static_cast<std::uint32_t>(below(9)));
    for (auto& one : gpus) {
      one.address.bus = static_cast<std::uint32_t>(below(256));
      if (below(8) == 0) one.name = "NVIDIA T400";
      if (below(8) == 0) one.id = uuid_of(1);  // an inventory that is nonsense
      if (below(4) == 0)
        gpuenv::test::split(one, static_cast<std::uint32_t>(below(4)), static_cast<std::uint32_t>(below(200)));
    }
    return gpus;
  }

  std::string mask() {
    std::string text;
    for (std::size_t entries = below(7); entries > 0; --entries) text += entry() + (entries > 1 ? "," : "");
    for (std::size_t harm = below(3); harm > 0 && !text.empty(); --harm) text[below(text.size())] = any_byte();
    return text;
  }

  env::device_order order() {
    constexpr std::array<const char*, 4> words{"PCI_BUS_ID", "PCI_BUS_ID", "FASTEST_FIRST", "pci_bus_id"};
    const std::size_t which = below(6);
    if (which >= words.size()) return {};
    return env::device_order::parse(words[which]);
  }

 private:
  char any_byte() {
    constexpr std::string_view likely = "0123-,/ GPUMIG\t+x'\"";
    return below(4) == 0 ? static_cast<char>(below(256)) : likely[below(likely.size())];
  }

  std::string entry() {
    constexpr std::array<const char*, 12> odd{
        "", "-1", "all", "NoDevFiles", "0-2", "0;1", "4294967296", "9223372036854775808", "GPU-", "+0", "1abc", " 0 "};
    const std::string id = gpuenv::test::digits_of(uuid_of(static_cast<std::uint32_t>(1 + below(9))));
    switch (below(6)) {
      case 0: return odd[below(odd.size())];
      case 1: return "GPU-" + id.substr(0, 1 + below(id.size()));
      case 2: return "MIG-" + id.substr(0, 1 + below(id.size()));
      case 3: return "MIG-GPU-" + id + '/' + std::to_string(below(4)) + '/' + std::to_string(below(2));
      default: return std::to_string(below(9));
    }
  }

  std::mt19937 engine_;
};

std::string problem_of(const env::device_mask& mask, const gpu::visible_devices& v,
                       const std::vector<gpu::installed_gpu>& gpus) {
  if (v.cut && v.cut->entry + v.cut->hidden_entries + 1 != mask.entries().size()) return "cut outside the list";
  if (v.repeat && (v.repeat->first >= v.repeat->second || v.repeat->second >= mask.entries().size())) return "repeat";
  if ((v.cu_init == gpu::init_result::success) == v.devices.empty()) return "success and devices disagree";
  if (v.devices.size() > gpus.size()) return "more devices than GPUs";
  if (v.by_gpu.size() != gpus.size()) return "by_gpu is not for each GPU";
  for (const auto* devices : {&v.devices, &v.lost}) {
    for (std::size_t i = 0; i < devices->size(); ++i) {
      const auto& one = (*devices)[i];
      if (one.entry.has_value() != mask.is_set()) return "an entry of no mask, or none of a mask";
      if (one.entry && *one.entry >= mask.entries().size()) return "no such entry";
      if (!one.gpu) continue;
      if (*one.gpu >= gpus.size()) return "no such GPU";
      if (one.instance.has_value() != gpus[*one.gpu].is_mig_enabled)
        return "an instance without MIG, or MIG without one";
      if (one.instance && *one.instance >= gpus[*one.gpu].instances.size()) return "no such instance";
      for (std::size_t j = 0; j < i; ++j) {
        if ((*devices)[j].gpu == one.gpu && (*devices)[j].instance == one.instance) return "a device twice";
      }
    }
  }
  for (std::size_t ordinal = 0; ordinal < v.devices.size(); ++ordinal) {
    const auto place = v.gpu_of(ordinal);
    if (place && v.ordinal_of(*place) != ordinal) return "the maps disagree";
    if (place && v.by_gpu[*place] != gpu::visibility::yes) return "by_gpu disagrees";
    if (v.cut && v.devices[ordinal].entry && *v.devices[ordinal].entry >= v.cut->entry)
      return "a device behind the cut";
  }
  return {};
}

}  // namespace

TEST_CASE("any mask on any machine has an answer that holds together", "[gpu][visible]") {
  const auto seed = GENERATE(range(1U, 5U));
  generator random{seed};
  for (int round = 0; round < 20'000; ++round) {
    const auto gpus = random.machine();
    const auto mask = random.below(16) == 0 ? env::device_mask{} : env::device_mask::parse(random.mask());
    const auto visible = gpu::resolve(mask, random.order(), gpus);
    const std::string problem = problem_of(mask, visible, gpus);
    if (!problem.empty()) {
      INFO("seed " << seed << ", round " << round << ", mask '" << mask.value() << "', " << gpus.size() << " GPUs");
      FAIL(problem);
    }
  }
  SUCCEED();
}

TEST_CASE("a mask of megabytes is answered", "[gpu][visible]") {
  std::string value = "0";
  while (value.size() < 2'000'000) value += ",x,0-63;0-63,,GPU-1";
  const auto visible = gpu::resolve(env::device_mask::parse(value), {}, gpuenv::test::alike_gpus(8));
  CHECK(visible.devices.size() == 1);
  CHECK(visible.lost.size() == 7);
  for (const auto& f : visible.findings) {
    CHECK(f.evidence.size() <= 9);
    CHECK(f.cause.size() < 1000);
  }
}
