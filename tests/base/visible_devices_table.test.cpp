// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Each row of the measured table: driver 580.159.04 with one H200.
#include <gpuenv/gpu/visible_devices.hpp>
#include "support/catch.hpp"
#include "support/installed_gpus.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace env = gpuenv::env;
namespace gpu = gpuenv::gpu;
using init = gpu::init_result;

namespace {

struct row {
  init cu_init;
  std::vector<std::string> values;
};

constexpr auto id = "8932f937-d72c-4106-c12f-20bd9faed9f6";

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

/// `U` is the UUID without its head, `P4` and the like are its first digits.
std::string with_uuid(std::string text) {
  const std::pair<std::string, std::string> words[] = {{"UPPER", "8932F937-D72C-4106-C12F-20BD9FAED9F6"},
                                                       {"WRONG", "8932f937-d72c-4106-c12f-20bd9faed9f7"},
                                                       {"P8", "8932f937"},
                                                       {"P4", "8932"},
                                                       {"P1", "8"},
                                                       {"<U>", id}};
  for (const auto& [word, by] : words) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size()) {
      text.replace(at, word.size(), by);
    }
  }
  return text;
}

const row table[] = {
    {init::no_device, {"", " "}},
    {init::success, {"0", " 0", "0 ", "\t0", "\n0", "0\n"}},
    {init::success, {"00", "+0", "-0"}},
    {init::success, {"0x0", "0.5", "0abc", "0 1", "0;1", "0:1", "0-0"}},
    {init::no_device, {"1abc", "1", "9,9", "9,9,9,9"}},
    {init::success, {"0,1", "0,-1", "0,,0", "0,"}},
    {init::no_device, {",0", ",", "-1", "-1,0", "1,0"}},
    {init::invalid_device, {"0,0", "0" + repeated(",0", 99), "GPU-<U>,GPU-<U>", "GPU-P8,GPU-<U>"}},
    {init::no_device, {"NoDevFiles", "none", "all", "void", "'0'", "\"0\"", "\xef\xbc\x90"}},
    {init::success, {"GPU-<U>", "GPU-UPPER", "GPU-P8", "GPU-P1"}},
    {init::success, {"GPU-<U>x", "GPU-<U> "}},
    {init::no_device, {"gpu-<U>", "<U>", "GPU", "GPU-", " GPU-<U>"}},
    {init::success, {"GPU-<U>, GPU-P4"}},
    {init::no_device, {"GPU-WRONG", "GPU-ffffffff,GPU-<U>"}},
    {init::success, {"GPU-<U>,GPU-ffffffff"}},
    {init::success, {"GPU-<U>,0", "0,GPU-<U>"}},
    {init::success, {"MIG-<U>"}},
    {init::no_device, {"MIG-GPU-<U>/0/0"}},
    {init::success, {"4294967296"}},
    {init::no_device, {"4294967297", "2147483648", "12345678901234567890", "18446744073709551616"}},
    {init::success, {repeated("0", 5000)}},
};

std::vector<gpu::installed_gpu> one_gpu() {
  auto gpus = gpuenv::test::alike_gpus(1);
  gpus[0].id = *gpu::uuid::parse(std::string{"GPU-"} + id);
  return gpus;
}

}  // namespace

TEST_CASE("a mask does what was measured with one GPU", "[gpu][visible][B05][B06][B07]") {
  for (const row& r : table) {
    for (const std::string& value : r.values) {
      const std::string text = with_uuid(value);
      INFO('\'' << text.substr(0, 100) << '\'');
      const auto visible = gpu::resolve(env::device_mask::parse(text), {}, one_gpu());
      CHECK(visible.cu_init == r.cu_init);
      CHECK(visible.devices.size() == (r.cu_init == init::success ? 1 : 0));
      CHECK(visible.gpu_of(0).value_or(0) == 0);
      CHECK(visible.basis == gpu::answer_basis::measured);
    }
  }
}

TEST_CASE("a mask that is not set shows the one GPU", "[gpu][visible][B05]") {
  CHECK(gpu::resolve({}, {}, one_gpu()).devices.size() == 1);
  CHECK(gpu::resolve({}, {}, one_gpu()).findings.empty());
}

TEST_CASE("an order does what was measured with one GPU", "[gpu][visible][B09]") {
  for (const char* mask : {"0", "GPU-8932f937"}) {
    const auto resolved = [&](const char* order) {
      return gpu::resolve(env::device_mask::parse(mask), env::device_order::parse(order), one_gpu());
    };
    CHECK(resolved("PCI_BUS_ID").cu_init == init::success);
    CHECK(resolved("FASTEST_FIRST").cu_init == init::success);
    for (const char* wrong : {"pci_bus_id", "SLOWEST_FIRST", ""}) {
      CHECK(resolved(wrong).cu_init == init::invalid_device);
      CHECK(resolved(wrong).devices.empty());
      CHECK(resolved(wrong).by_gpu == std::vector{gpu::visibility::no});
      CHECK(resolved(wrong).findings.at(0).code == "device-order-invalid");
    }
  }
}

TEST_CASE("without a GPU there is none, whatever the mask", "[gpu][visible]") {
  for (const char* mask : {"", "0", "GPU-8932f937", "-1"}) {
    CHECK(gpu::resolve(env::device_mask::parse(mask), {}, {}).cu_init == init::no_device);
  }
  CHECK(gpu::resolve({}, {}, {}).cu_init == init::no_device);
}
