// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>
#include <gpuenv/env/apply_to_process.hpp>
#include "env/read_once.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <system_error>

namespace gpuenv::inline v0::env {
namespace {

constexpr auto who = "apply_to_process";

std::size_t count_threads(const std::filesystem::path& root) {
  const std::filesystem::path folder = root / "proc/self/task";
  std::error_code failed;
  std::filesystem::directory_iterator entry{folder, failed};
  std::size_t count = 0;
  for (; !failed && entry != std::filesystem::directory_iterator{}; entry.increment(failed)) ++count;
  if (!failed && count > 0) return count;
  throw error{errc::file_access,
              std::string{who} + ": the threads of this process cannot be counted in " + folder.string() + ": " +
                  (failed ? failed.message() : "it is empty"),
              "mount /proc, or give the variables to the program when it is started"};
}

/// "A (reason), B (reason)"; empty when no variable is refused.
std::string refused_variables(const overlay& changes, cuda_state cuda) {
  std::string list;
  for (const overlay::change& change : changes.changes()) {
    const read_once read = read_once_of(change.name);
    const bool is_for_loader = read == read_once::at_program_start;
    if (!is_for_loader && (read != read_once::at_cuda_start || cuda != cuda_state::started)) continue;
    list += (list.empty() ? "" : ", ") + change.name +
            (is_for_loader ? " (the loader reads it once, when a program is started)"
                           : " (CUDA has started in this process, and reads it once, at its start)");
  }
  return list;
}

void refuse(const overlay& changes, cuda_state cuda, std::size_t threads) {
  const std::string variables = refused_variables(changes, cuda);
  if (variables.empty() && threads == 1) return;
  std::string attempted = std::string{who} + ": nothing was changed";
  std::string hint;
  if (!variables.empty()) {
    attempted += "; of no effect any more: " + variables;
    hint = "set them before the program starts or before the first call of CUDA, or start it again with env::reexec";
  }
  if (threads != 1) {
    attempted += "; " + std::to_string(threads - 1) + " other thread" + (threads == 2 ? "" : "s") +
                 " of this process may be reading the environment";
    for (const overlay::change& change : changes.changes()) {
      attempted += (&change == changes.changes().data() ? ", so too late for " : ", ") + change.name;
    }
    hint += (hint.empty() ? "" : "; ") + std::string{"change the environment before any thread is started"};
  }
  throw error{errc::too_late, attempted, hint};
}

[[nodiscard]] bool write(const std::string& name, const char* value) noexcept {
  return (value == nullptr ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value, 1)) == 0;
}

}  // namespace

void apply_to_process(const overlay& changes, cuda_state cuda, const std::filesystem::path& root) {
  if (changes.empty()) return;
  refuse(changes, cuda, count_threads(root));
  const environment before = environment::of_process();
  const auto& all = changes.changes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (write(all[i].name, all[i].value ? all[i].value->c_str() : nullptr)) continue;
    for (std::size_t done = i; done-- > 0;) {  // what was there fits again, as nothing else runs
      const auto old = before.variables().find(all[done].name);
      static_cast<void>(write(all[done].name, old == before.variables().end() ? nullptr : old->second.c_str()));
    }
    throw error{errc::out_of_memory, std::string{who} + ": no memory to set " + all[i].name + "; nothing was changed",
                "set smaller values"};
  }
}

}  // namespace gpuenv::inline v0::env
