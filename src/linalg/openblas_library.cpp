// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/openblas_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

namespace gpuenv::inline v0::linalg {
namespace {

constexpr const char* file_name = "libopenblas.so.0";

template <class F>
bool bind(void* handle, F& target, const char* name) {
  target = reinterpret_cast<F>(dlsym(handle, name));
  return target != nullptr;
}

std::string loader_text(const std::string& path) {
  const char* text = dlerror();
  return text != nullptr ? text : path + ": cannot be loaded";
}

/// "0.3.21" of "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...".
std::string version_in(std::string_view config) {
  constexpr std::string_view name = "OpenBLAS ";
  if (!config.starts_with(name)) return "of unknown version";
  config.remove_prefix(name.size());
  return std::string{config.substr(0, config.find(' '))};
}

/// Why a library cannot be used; empty when it can.
std::string bind_all(void* handle, openblas_library& library) {
  const char* (*config)() = nullptr;
  int (*parallel)() = nullptr;
  if (!bind(handle, config, "openblas_get_config") || !bind(handle, parallel, "openblas_get_parallel") ||
      !bind(handle, library.threads, "openblas_get_num_threads") ||
      !bind(handle, library.set_threads, "openblas_set_num_threads") ||
      !bind(handle, library.multiply_floats, "cblas_sgemm") || !bind(handle, library.multiply_doubles, "cblas_dgemm")) {
    return "is not an OpenBLAS with its C interface";
  }
  const std::string_view text = config();
  library.version = version_in(text);
  if (text.find("USE64BITINT") != std::string_view::npos) return "takes 64-bit sizes, and gpuenv passes 32-bit ones";
  constexpr int openmp = 2;
  if (parallel() == openmp) return "runs on OpenMP, whose threads do not survive a fork; use the build with pthreads";
  return {};
}

openblas_library load() {
  openblas_library library;
  const char* chosen = std::getenv("GPUENV_OPENBLAS");
  library.is_asked_for = chosen != nullptr && *chosen != '\0' && std::string_view{chosen} != "none";
  const std::string path = chosen == nullptr || *chosen == '\0' ? file_name : chosen;
  if (path == "none") {
    library.problem =
        "GPUENV_OPENBLAS=none does without it; unset it, or set it to the path of " + std::string{file_name};
    return library;
  }
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  library.is_ours = handle == nullptr;
  if (handle == nullptr) handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string problem;
  if (handle == nullptr) {
    problem = loader_text(path);
  } else if (problem = bind_all(handle, library); !problem.empty()) {
    problem = path + ": " + problem;
    dlclose(handle);
  } else {
    Dl_info where{};
    library.path = dladdr(reinterpret_cast<void*>(library.multiply_floats), &where) != 0 ? where.dli_fname : path;
    return library;
  }
  library.problem = "OpenBLAS cannot be loaded (" + problem + "); set GPUENV_OPENBLAS to the path of " + file_name;
  return library;
}

}  // namespace

const openblas_library& openblas_library::get() {
  static const auto* const library = new openblas_library{load()};  // outlives every static object that may multiply
  return *library;
}

}  // namespace gpuenv::inline v0::linalg
