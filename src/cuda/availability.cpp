// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/availability.hpp>
#include "cuda/driver_codes.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace gpuenv::inline v0::cuda {
namespace {

namespace fs = std::filesystem;

constexpr int success = 0;
constexpr int not_initialized = 3;
constexpr int stub = 34;
constexpr int no_device_code = 100;
constexpr int invalid_device_code = 101;

std::string version_text(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

/// The oldest Linux driver branch whose libcuda runs programs of this CUDA major version (minor-version compatibility).
std::string driver_branch_for(int runtime_version) {
  switch (runtime_version / 1000) {
    case 11: return "450";
    case 12: return "525";
    case 13: return "580";
    default: return "that of CUDA " + version_text(runtime_version);
  }
}

bool exists(const std::string& root, const char* path) {
  std::error_code ignored;
  return fs::exists(fs::path{root} / path, ignored);
}

bool in_container(const std::string& root) { return exists(root, ".dockerenv") || exists(root, "run/.containerenv"); }

/// True when the kernel driver lists a GPU, whatever the process may see of it.
bool kernel_lists_gpu(const std::string& root) {
  std::error_code ignored;
  return fs::directory_iterator{fs::path{root} / "proc/driver/nvidia/gpus", ignored} != fs::directory_iterator{};
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

std::string quoted(const std::optional<std::string>& value) { return value ? '"' + *value + '"' : "unset"; }

/// The three driver calls that the probe needs. The library stays loaded: CUDA does not survive being unloaded.
struct driver_calls {
  int (*init)(unsigned) = nullptr;
  int (*version)(int*) = nullptr;
  int (*device_count)(int*) = nullptr;
  std::string problem;

  explicit driver_calls(const std::string& library) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      const char* text = dlerror();
      problem = text != nullptr ? text : "dlopen failed";
      return;
    }
    init = reinterpret_cast<int (*)(unsigned)>(dlsym(handle, "cuInit"));
    version = reinterpret_cast<int (*)(int*)>(dlsym(handle, "cuDriverGetVersion"));
    device_count = reinterpret_cast<int (*)(int*)>(dlsym(handle, "cuDeviceGetCount"));
    if (init == nullptr || version == nullptr || device_count == nullptr) problem = library + " is not a CUDA driver";
  }
};

class probe {
 public:
  explicit probe(const availability_options& options) : options_{options} { result_.runtime_version = CUDART_VERSION; }

  availability_result run() {
    const driver_calls driver{options_.driver_library};
    if (!driver.problem.empty()) return no_driver(driver.problem);
    const int code = driver.init(0);
    if (driver.version(&result_.driver_version) != success) result_.driver_version = 0;
    if (code == stub) return stub_library();
    if (code == not_initialized) return forked();
    if (result_.driver_version != 0 && result_.driver_version / 1000 < CUDART_VERSION / 1000) return too_old(code);
    if (code == no_device_code || code == invalid_device_code) return nothing_visible(code);
    if (code != success) return unusable(code);
    if (const int count_code = driver.device_count(&result_.device_count); count_code != success) {
      return unusable(count_code);
    }
    if (result_.device_count == 0) return nothing_visible(no_device_code);
    return decide(
        gpu_status::ready, success,
        std::to_string(result_.device_count) + " GPU(s), driver for CUDA " + version_text(result_.driver_version), {});
  }

 private:
  availability_result decide(gpu_status status, int code, std::string cause, std::string fix) {
    result_.status = status;
    result_.driver_code = code;
    result_.cause = std::move(cause);
    result_.fix = std::move(fix);
    return result_;
  }

  availability_result no_driver(const std::string& problem) {
    std::string fix = "install the NVIDIA driver, or run on the CPU";
    if (exists(options_.root, "proc/driver/nvidia/version")) {
      fix =
          "the kernel driver is loaded but its user library is not here: in a container ask for the compute "
          "capability (NVIDIA_DRIVER_CAPABILITIES=compute,utility), else reinstall the driver's libraries";
    } else if (in_container(options_.root)) {
      fix = "this is a container without GPU access: start it with --gpus all or --device nvidia.com/gpu=all";
    }
    return decide(gpu_status::no_driver, success, "no NVIDIA driver: " + problem, std::move(fix));
  }

  availability_result too_old(int code) {
    return decide(gpu_status::driver_too_old, code,
                  "the driver supports CUDA " + version_text(result_.driver_version) + ", gpuenv was built with CUDA " +
                      version_text(CUDART_VERSION),
                  "update the driver to " + driver_branch_for(CUDART_VERSION) +
                      " or newer, or use a gpuenv built with CUDA " + version_text(result_.driver_version) +
                      " or older");
  }

  availability_result stub_library() {
    return decide(gpu_status::stub_library, stub, "the toolkit's stub was loaded instead of the driver's libcuda.so.1",
                  "take the toolkit's stubs folder out of LD_LIBRARY_PATH and of the program's RPATH");
  }

  availability_result forked() {
    return decide(gpu_status::forked_after_start, not_initialized,
                  "this process was forked after CUDA was started, and CUDA does not survive a fork",
                  "start workers with exec (posix_spawn, or multiprocessing's spawn), or fork before CUDA is used");
  }

  /// 100 and 101 at start: no GPU at all, or none left by the environment.
  availability_result nothing_visible(int code) {
    const bool masked = options_.visible_devices.has_value();
    if (code == invalid_device_code || (masked && kernel_lists_gpu(options_.root))) {
      return decide(gpu_status::hidden_by_environment, code,
                    std::string{code == invalid_device_code ? "the environment makes CUDA refuse every device"
                                                            : "the environment hides every GPU"} +
                        ": CUDA_VISIBLE_DEVICES is " + quoted(options_.visible_devices) + ", CUDA_DEVICE_ORDER is " +
                        quoted(options_.device_order),
                    code == invalid_device_code
                        ? "name each device once, and spell CUDA_DEVICE_ORDER PCI_BUS_ID or FASTEST_FIRST"
                        : "unset CUDA_VISIBLE_DEVICES, or list devices that `nvidia-smi -L` shows");
    }
    std::string fix = "check that the machine has an NVIDIA GPU and that `nvidia-smi -L` lists it";
    if (masked) {
      fix += "; CUDA_VISIBLE_DEVICES is " + quoted(options_.visible_devices) + ": unset it to see whether it hides one";
    }
    if (in_container(options_.root)) fix = "start the container with --gpus all or --device nvidia.com/gpu=all";
    return decide(gpu_status::no_device, code, "the driver finds no GPU", std::move(fix));
  }

  availability_result unusable(int code) {
    return decide(gpu_status::unusable, code, "the driver refuses to start: " + driver_code_text(code),
                  code == 802   ? "start nvidia-fabricmanager, of the driver's own version"
                  : code == 803 ? "libcuda and the kernel module differ: reboot, or reload the driver"
                  : code == 804 ? "remove the forward-compatibility libcuda from the loader's path"
                  : code == 999 ? "run `nvidia-modprobe -u -c=0`, or reload nvidia_uvm (after a suspend, say)"
                                : "look for Xid lines in the kernel log");
  }

  const availability_options& options_;
  availability_result result_;
};

}  // namespace

std::string_view to_string(gpu_status status) noexcept {
  switch (status) {
    case gpu_status::ready: return "ready";
    case gpu_status::no_driver: return "no-driver";
    case gpu_status::driver_too_old: return "driver-too-old";
    case gpu_status::stub_library: return "stub-library";
    case gpu_status::no_device: return "no-device";
    case gpu_status::hidden_by_environment: return "hidden-by-environment";
    case gpu_status::forked_after_start: return "forked-after-start";
    case gpu_status::unusable: return "unusable";
  }
  return "unknown";
}

finding availability_result::to_finding() const {
  finding f{std::string{to_string(status)}, ready() ? severity::info : severity::error, cause, {}, fix};
  if (driver_code != 0) f.evidence.push_back("driver code: " + driver_code_text(driver_code));
  if (driver_version != 0) f.evidence.push_back("driver supports CUDA " + version_text(driver_version));
  f.evidence.push_back("built with CUDA " + version_text(runtime_version));
  return f;
}

availability_options availability_options::from_process() {
  availability_options options;
  options.visible_devices = variable("CUDA_VISIBLE_DEVICES");
  options.device_order = variable("CUDA_DEVICE_ORDER");
  return options;
}

availability_result availability(const availability_options& options) { return probe{options}.run(); }

availability_result availability() { return availability(availability_options::from_process()); }

}  // namespace gpuenv::inline v0::cuda
