// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/availability.hpp>
#include "support/catch.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;
namespace fs = std::filesystem;
using cuda::gpu_status;

namespace {

/// The root of a machine: an empty folder that files are put into.
class machine_root {
 public:
  machine_root() {
    std::string name = (fs::temp_directory_path() / "gpuenv-root-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  machine_root(const machine_root&) = delete;
  machine_root& operator=(const machine_root&) = delete;
  ~machine_root() { fs::remove_all(path_); }

  machine_root& with(const std::string& file) {
    fs::create_directories((path_ / file).parent_path());
    std::ofstream{path_ / file} << '\n';
    return *this;
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

constexpr auto a_gpu = "proc/driver/nvidia/gpus/0000:41:00.0/information";
constexpr auto container = ".dockerenv";

std::string library(const std::string& variant) {
  const std::string path = std::string{GPUENV_FAKE_LIBCUDA_DIR} + "/fake_libcuda_" + variant + ".so";
  REQUIRE(fs::exists(path));
  return path;
}

cuda::availability_options with_driver(const std::string& variant, const machine_root& root) {
  return {.driver_library = library(variant), .root = root.path(), .visible_devices = {}, .device_order = {}};
}

cuda::availability_options without_driver(const machine_root& root) {
  return {.driver_library = "libcuda-that-is-not-there.so.1",
          .root = root.path(),
          .visible_devices = {},
          .device_order = {}};
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

std::string version(int value) { return std::to_string(value / 1000) + '.' + std::to_string(value % 1000 / 10); }

}  // namespace

TEST_CASE("a working driver with GPUs is ready and needs no advice", "[cuda][availability]") {
  const machine_root root;
  const auto seen = cuda::availability(with_driver("ready", root));
  CHECK(seen.status == gpu_status::ready);
  CHECK(seen.ready());
  CHECK(seen.device_count == 2);
  CHECK(seen.driver_version == 13000);
  CHECK(seen.driver_code == 0);
  CHECK(seen.runtime_version > 0);
  CHECK(seen.fix.empty());
  CHECK(seen.message() == seen.cause);
  CHECK(contains(seen.cause, "2 GPU"));
}

TEST_CASE("without a driver library the advice is to install the driver", "[cuda][availability][B99]") {
  const machine_root root;
  const auto seen = cuda::availability(without_driver(root));
  CHECK(seen.status == gpu_status::no_driver);
  CHECK(contains(seen.cause, "libcuda-that-is-not-there.so.1"));
  CHECK(contains(seen.fix, "install the NVIDIA driver"));
  CHECK(seen.message() == seen.cause + "; " + seen.fix);
}

TEST_CASE("an old driver is told from both versions and the branch to update to", "[cuda][availability][B99]") {
  const machine_root root;
  const auto seen = cuda::availability(with_driver("old_driver", root));
  CHECK(seen.status == gpu_status::driver_too_old);
  CHECK(seen.driver_version / 1000 == seen.runtime_version / 1000 - 1);
  CHECK(contains(seen.cause, version(seen.driver_version)));
  CHECK(contains(seen.cause, version(seen.runtime_version)));
  CHECK(contains(seen.fix, "update the driver"));
  CHECK(contains(seen.fix, seen.runtime_version / 1000 == 13 ? "580" : "525"));
}

TEST_CASE("in a container without a driver the advice is to start it with GPU access", "[cuda][availability][B99]") {
  for (const char* marker : {".dockerenv", "run/.containerenv"}) {
    machine_root root;
    root.with(marker);
    const auto seen = cuda::availability(without_driver(root));
    CHECK(seen.status == gpu_status::no_driver);
    CHECK(contains(seen.fix, "--gpus all"));
    CHECK(contains(seen.fix, "nvidia.com/gpu=all"));
  }
}

TEST_CASE("no driver, an old driver and a container without GPUs get three different hints",
          "[cuda][availability][B99]") {
  const machine_root bare;
  machine_root inside;
  inside.with(container);
  const std::set<std::string> hints{cuda::availability(without_driver(bare)).fix,
                                    cuda::availability(with_driver("old_driver", bare)).fix,
                                    cuda::availability(without_driver(inside)).fix};
  CHECK(hints.size() == 3);
}

TEST_CASE("a kernel driver without its user library is a container with too few capabilities", "[cuda][availability]") {
  machine_root root;
  root.with(container).with("proc/driver/nvidia/version");
  const auto seen = cuda::availability(without_driver(root));
  CHECK(seen.status == gpu_status::no_driver);
  CHECK(contains(seen.fix, "NVIDIA_DRIVER_CAPABILITIES=compute,utility"));
}

TEST_CASE("the toolkit's stub is not taken for a driver", "[cuda][availability]") {
  const machine_root root;
  const auto seen = cuda::availability(with_driver("stub", root));
  CHECK(seen.status == gpu_status::stub_library);
  CHECK(seen.driver_code == 34);
  CHECK(contains(seen.fix, "stubs"));
  CHECK(contains(seen.fix, "LD_LIBRARY_PATH"));
}

TEST_CASE("a library that is no driver is named and not called", "[cuda][availability]") {
  const machine_root root;
  const auto seen = cuda::availability(with_driver("no_driver", root));
  CHECK(seen.status == gpu_status::no_driver);
  CHECK(contains(seen.cause, "fake_libcuda_no_driver.so is not a CUDA driver"));
}

TEST_CASE("a driver without a GPU is no device", "[cuda][availability]") {
  const machine_root root;
  for (const char* variant : {"no_device", "ready_with_none"}) {
    INFO(variant);
    const auto seen = cuda::availability(with_driver(variant, root));
    CHECK(seen.status == gpu_status::no_device);
    CHECK(seen.driver_code == 100);
    CHECK(seen.device_count == 0);
    CHECK(contains(seen.fix, "nvidia-smi -L"));
  }
}

TEST_CASE("a driver without a GPU in a container asks for GPU access", "[cuda][availability][B99]") {
  machine_root root;
  root.with(container);
  const auto seen = cuda::availability(with_driver("no_device", root));
  CHECK(seen.status == gpu_status::no_device);
  CHECK(contains(seen.fix, "--gpus all"));
}

TEST_CASE("a mask that hides every GPU of the machine is shown", "[cuda][availability]") {
  machine_root root;
  root.with(a_gpu);
  for (const char* mask : {"", "-1", "7"}) {
    auto options = with_driver("no_device", root);
    options.visible_devices = mask;
    const auto seen = cuda::availability(options);
    CHECK(seen.status == gpu_status::hidden_by_environment);
    CHECK(contains(seen.cause, "CUDA_VISIBLE_DEVICES is \"" + std::string{mask} + '"'));
    CHECK(contains(seen.fix, "unset CUDA_VISIBLE_DEVICES"));
  }
}

TEST_CASE("a mask on a machine whose kernel lists no GPU is named as one possible cause", "[cuda][availability]") {
  const machine_root root;
  auto options = with_driver("no_device", root);
  options.visible_devices = "3";
  const auto seen = cuda::availability(options);
  CHECK(seen.status == gpu_status::no_device);
  CHECK(contains(seen.fix, "CUDA_VISIBLE_DEVICES is \"3\""));
}

TEST_CASE("GPUs that no mask hides are not blamed on the environment", "[cuda][availability]") {
  machine_root root;
  root.with(a_gpu);
  const auto seen = cuda::availability(with_driver("no_device", root));
  CHECK(seen.status == gpu_status::no_device);
  CHECK_FALSE(contains(seen.message(), "CUDA_VISIBLE_DEVICES"));
}

TEST_CASE("an environment that CUDA refuses shows both variables", "[cuda][availability]") {
  const machine_root root;
  auto options = with_driver("invalid_device", root);
  options.visible_devices = "0,0";
  options.device_order = "PCI_BUS";
  const auto seen = cuda::availability(options);
  CHECK(seen.status == gpu_status::hidden_by_environment);
  CHECK(seen.driver_code == 101);
  CHECK(contains(seen.cause, "CUDA_VISIBLE_DEVICES is \"0,0\""));
  CHECK(contains(seen.cause, "CUDA_DEVICE_ORDER is \"PCI_BUS\""));
  CHECK(contains(seen.fix, "PCI_BUS_ID"));
}

TEST_CASE("a variable that is not set is shown as unset", "[cuda][availability]") {
  const machine_root root;
  const auto seen = cuda::availability(with_driver("invalid_device", root));
  CHECK(contains(seen.cause, "CUDA_VISIBLE_DEVICES is unset"));
}

TEST_CASE("a process forked after CUDA was started is told to start workers by exec", "[cuda][availability][B95]") {
  const machine_root root;
  const auto seen = cuda::availability(with_driver("not_initialized", root));
  CHECK(seen.status == gpu_status::forked_after_start);
  CHECK(seen.driver_code == 3);
  CHECK(contains(seen.cause, "forked"));
  CHECK(contains(seen.fix, "exec"));
}

TEST_CASE("a driver that refuses is shown by name, with the remedy of its code", "[cuda][availability]") {
  const machine_root root;
  const std::vector<std::array<const char*, 3>> rows{
      {"802", "CUDA_ERROR_SYSTEM_NOT_READY", "fabricmanager"},
      {"803", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "reboot"},
      {"804", "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward-compatibility"},
      {"999", "CUDA_ERROR_UNKNOWN", "nvidia-modprobe"},
      {"304", "CUDA_ERROR_OPERATING_SYSTEM", "Xid"}};
  for (const auto& [code, name, remedy] : rows) {
    INFO(code);
    const auto seen = cuda::availability(with_driver("system_error_" + std::string{code}, root));
    CHECK(seen.status == gpu_status::unusable);
    CHECK(std::to_string(seen.driver_code) == code);
    CHECK(contains(seen.cause, name));
    CHECK(contains(seen.fix, remedy));
  }
}

TEST_CASE("a driver that cannot count its GPUs is unusable with that code", "[cuda][availability]") {
  const machine_root root;
  const auto seen = cuda::availability(with_driver("count_fails", root));
  CHECK(seen.status == gpu_status::unusable);
  CHECK(seen.driver_code == 999);
  CHECK_FALSE(seen.ready());
}

TEST_CASE("the answer is not kept: another environment gets another answer", "[cuda][availability][B95]") {
  const machine_root root;
  CHECK(cuda::availability(with_driver("ready", root)).ready());
  CHECK_FALSE(cuda::availability(without_driver(root)).ready());
  CHECK(cuda::availability(with_driver("ready", root)).ready());
}

TEST_CASE("the probe never throws, whatever it is given", "[cuda][availability]") {
  for (const char* driver : {"", "/", "/dev/null", "/nonexistent/libcuda.so.1", "libc.so.6"}) {
    for (const char* root : {"", "/nonexistent", "/dev/null", "relative"}) {
      const cuda::availability_options options{
          .driver_library = driver, .root = root, .visible_devices = "", .device_order = ""};
      INFO(driver << " below " << root);
      CHECK_NOTHROW(cuda::availability(options));
      CHECK(cuda::availability(options).status == gpu_status::no_driver);
      CHECK_FALSE(cuda::availability(options).fix.empty());
    }
  }
  CHECK_NOTHROW(cuda::availability());
}

TEST_CASE("every status that is not ready has a cause and a remedy", "[cuda][availability]") {
  const machine_root root;
  std::set<std::string> fixes;
  const std::vector<std::string> variants{
      "old_driver", "stub", "no_device", "invalid_device", "not_initialized", "system_error_802", "no_driver"};
  for (const std::string& variant : variants) {
    INFO(variant);
    const auto seen = cuda::availability(with_driver(variant, root));
    CHECK_FALSE(seen.ready());
    CHECK_FALSE(seen.cause.empty());
    CHECK_FALSE(seen.fix.empty());
    fixes.insert(seen.fix);
  }
  CHECK(fixes.size() == variants.size());
}

TEST_CASE("a finding carries code, versions and remedy", "[cuda][availability]") {
  const machine_root root;
  const ge::finding f = cuda::availability(with_driver("system_error_803", root)).to_finding();
  CHECK(f.code == "unusable");
  CHECK(f.level == ge::severity::error);
  CHECK(contains(f.fix, "reboot"));
  std::ostringstream text;
  text << f;
  CHECK(contains(text.str(), "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"));
  CHECK(contains(text.str(), "driver supports CUDA 13.0"));
  CHECK(cuda::availability(with_driver("ready", root)).to_finding().level == ge::severity::info);
}

TEST_CASE("the defaults are the variables of the process", "[cuda][availability]") {
  const char* before = std::getenv("CUDA_VISIBLE_DEVICES");
  const std::optional<std::string> kept = before == nullptr ? std::nullopt : std::optional<std::string>{before};
  setenv("CUDA_VISIBLE_DEVICES", "1,2", 1);
  CHECK(cuda::availability_options::from_process().visible_devices == "1,2");
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  CHECK(cuda::availability_options::from_process().visible_devices == "");
  unsetenv("CUDA_VISIBLE_DEVICES");
  CHECK_FALSE(cuda::availability_options::from_process().visible_devices.has_value());
  if (kept) setenv("CUDA_VISIBLE_DEVICES", kept->c_str(), 1);
}

TEST_CASE("every status has a name of its own", "[cuda][availability]") {
  std::set<std::string_view> names;
  for (int status = 0; status <= static_cast<int>(gpu_status::unusable); ++status) {
    names.insert(cuda::to_string(static_cast<gpu_status>(status)));
  }
  CHECK(names.size() == static_cast<std::size_t>(gpu_status::unusable) + 1);
  CHECK(names.count("unknown") == 0);
}
