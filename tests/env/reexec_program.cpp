// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Started by reexec.test.cpp: the first argument says what it does.
#include <gpuenv/base/error.hpp>
#include <gpuenv/env/reexec.hpp>
#include "support/run_program.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace env = gpuenv::env;

namespace {

/// The second run says what it sees.
int report(int argc, char** argv) {
  std::printf("second run %d;", getpid());
  for (int i = 0; i < argc; ++i) std::printf(" <%s>", argv[i]);
  const env::environment now = env::environment::of_process();
  for (const char* name : {"ADDED", "REMOVED", "KEPT"}) {
    std::printf("; %s=%s", name, std::string{now.get(name).value_or("(unset)")}.c_str());
  }
  std::printf("; library %s", dlopen("libgpuenv_reexec_library.so", RTLD_NOW) == nullptr ? "not found" : "found");
  return 0;
}

int run(int argc, char** argv) {
  const std::string_view mode = argv[1];
  if (mode == "parent") {  // the child inherits the guard, and may be re-executed all the same
    if (!env::was_reexecuted()) env::reexec(env::environment::of_process());
    const auto child = gpuenv_test::run_program("/proc/self/exe", {argv[0], "once"}, env::environment::of_process());
    std::printf("%s", child.output.c_str());
    return child.exit_code;
  }
  if (mode != "for ever" && env::was_reexecuted()) return report(argc, argv);

  std::printf("first run %d, library %s\n", getpid(),  // stays in the stream's buffer
              dlopen("libgpuenv_reexec_library.so", RTLD_NOW) == nullptr ? "not found" : "found");
  env::environment next = env::environment::of_process();
  next.set("ADDED", "1");
  next.unset("REMOVED");
  if (mode == "loader") next.set("LD_LIBRARY_PATH", argv[2]);
  if (mode == "large") next.set("LARGE", std::string(1U << 20U, 'x'));
  if (mode == "removed file" && unlink(argv[2]) != 0) return 4;
  if (mode == "thread") std::thread{[&] { env::reexec(next); }}.join();
  if (mode == "arguments") env::reexec(next, std::vector<std::string>{"other name", "", "a b", "\xff"});
  if (mode == "no arguments") env::reexec(next, {});
  if (mode == "NUL") env::reexec(next, std::vector<std::string>{"name", {"a\0b", 3}});
  env::reexec(next);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return argc < 2 ? 2 : run(argc, argv);
  } catch (const gpuenv::error& e) {
    std::printf("error %d of %s: %s\n", e.code().value(), e.code().category().name(), e.what());
    return 3;
  }
}
