// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/cublas_library.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace gpuenv::inline v0::linalg {
namespace {

namespace fs = std::filesystem;

constexpr int built_major = CUDART_VERSION / 1000;

std::string file_name() { return "libcublas.so." + std::to_string(built_major); }

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>{value};
}

/// Folders of CUDA runtimes that this process has loaded: their cuBLAS is the one that belongs to them.
std::vector<fs::path> runtime_folders() {
  std::vector<fs::path> folders;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        const std::string_view name = info->dlpi_name;
        if (name.find("/libcudart.so." + std::to_string(built_major)) != std::string_view::npos) {
          static_cast<std::vector<fs::path>*>(out)->push_back(fs::path{name}.parent_path());
        }
        return 0;
      },
      &folders);
  return folders;
}

std::vector<std::string> candidates() {
  if (const auto chosen = variable("GPUENV_CUBLAS")) return {*chosen};
  std::vector<std::string> paths{file_name()};
  for (const fs::path& folder : runtime_folders()) paths.push_back(folder / file_name());
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const auto root = variable(name)) {
      for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
        paths.push_back(fs::path{*root} / folder / file_name());
      }
    }
  }
  paths.push_back(fs::path{"/usr/local/cuda/lib64"} / file_name());
  return paths;
}

template <class F>
bool bind(void* handle, F& target, const char* name) {
  target = reinterpret_cast<F>(dlsym(handle, name));
  return target != nullptr;
}

/// Fills `library` from one file, or says why not.
std::string load_from(const std::string& path, cublas_library& library) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* text = dlerror();
    return text != nullptr ? text : path + ": cannot be loaded";
  }
  decltype(&cublasGetProperty) property = nullptr;
  const bool complete =
      bind(handle, property, "cublasGetProperty") && bind(handle, library.create, "cublasCreate_v2") &&
      bind(handle, library.set_stream, "cublasSetStream_v2") &&
      bind(handle, library.set_workspace, "cublasSetWorkspace_v2") && bind(handle, library.gemm, "cublasGemmEx_64");
  if (!complete) return path + ": is not a cuBLAS of version 12 or later";
  int major = 0;
  int minor = 0;
  int patch = 0;
  property(MAJOR_VERSION, &major);
  property(MINOR_VERSION, &minor);
  property(PATCH_LEVEL, &patch);
  library.version = std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
  if (major != built_major) {
    return path + ": is cuBLAS " + library.version + ", and gpuenv was built with CUDA " + std::to_string(built_major);
  }
  Dl_info where{};
  library.path = dladdr(reinterpret_cast<void*>(library.gemm), &where) != 0 ? where.dli_fname : path;
  return {};
}

cublas_library load() {
  cublas_library library;
  if (variable("GPUENV_CUBLAS") == "none") {
    library.problem = "GPUENV_CUBLAS=none";
    return library;
  }
  std::string tried;
  for (const std::string& path : candidates()) {
    const std::string problem = load_from(path, library);
    if (problem.empty()) return library;
    tried += (tried.empty() ? "" : "; ") + problem;
  }
  library.problem = "cuBLAS cannot be loaded (" + tried + "); set GPUENV_CUBLAS to the path of " + file_name();
  return library;
}

}  // namespace

const cublas_library& cublas_library::get() {
  static const auto* const library = new cublas_library{load()};  // outlives every static object that may multiply
  return *library;
}

}  // namespace gpuenv::inline v0::linalg
