// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>
#include <gpuenv/env/apply_to_process.hpp>
#include "support/catch.hpp"
#include "support/run_program.hpp"
#include "support/scoped_environment.hpp"
#include "support/temporary_folder.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <future>
#include <thread>

namespace ge = gpuenv;
namespace fs = std::filesystem;
using namespace ge::env;
using namespace std::string_view_literals;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;  // memory and threads of its own
#else
constexpr bool is_sanitized = false;
#endif

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// A /proc that shows so many threads.
class root_with_threads : public gpuenv_test::temporary_folder {
 public:
  explicit root_with_threads(int count) {
    fs::create_directories(path() / "proc/self/task");
    for (int i = 0; i < count; ++i) fs::create_directory(path() / "proc/self/task" / std::to_string(100 + i));
  }
};

ge::error refusal(const overlay& changes, cuda_state cuda, const fs::path& root) {
  try {
    apply_to_process(changes, cuda, root);
  } catch (const ge::error& e) {
    return e;
  }
  FAIL("nothing was thrown");
  throw std::logic_error{"not reached"};
}

/// Variables that these tests may change, as they are outside of them.
class watched : public gpuenv_test::scoped_environment {
 public:
  watched()
      : scoped_environment{{{"GPUENV_TEST_A", "old"},
                            {"GPUENV_TEST_B", "old"},
                            {"GPUENV_TEST_NEW", std::nullopt},
                            {"CUDA_VISIBLE_DEVICES", std::nullopt}}} {}
};

}  // namespace

TEST_CASE("an overlay is applied to the process", "[env][apply_to_process]") {
  const watched variables;
  const root_with_threads alone{1};
  apply_to_process(overlay{}.set("GPUENV_TEST_A", "new").unset("GPUENV_TEST_B").set("GPUENV_TEST_NEW", ""),
                   cuda_state::started, alone.path());
  CHECK(std::getenv("GPUENV_TEST_A") == "new"sv);
  CHECK(std::getenv("GPUENV_TEST_B") == nullptr);
  CHECK(std::getenv("GPUENV_TEST_NEW") == ""sv);
}

TEST_CASE("a mask is written before CUDA starts", "[env][apply_to_process][B10]") {
  const watched variables;
  const root_with_threads alone{1};
  static_cast<void>(environment::of_process().get("CUDA_VISIBLE_DEVICES"));
  apply_to_process(overlay{}.set("CUDA_VISIBLE_DEVICES", "1"), cuda_state::not_started, alone.path());
  CHECK(environment::of_process().get("CUDA_VISIBLE_DEVICES") == "1"sv);
}

TEST_CASE("what CUDA has read is refused once it has started, and nothing is changed", "[env][apply_to_process][B10]") {
  const watched variables;
  const root_with_threads alone{1};
  for (const char* name :
       {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_MODULE_LOADING", "CUDA_CACHE_PATH", "CUDA_CACHE_DISABLE",
        "CUDA_MPS_PIPE_DIRECTORY", "CUDA_LAUNCH_BLOCKING", "CUDA_OF_A_LATER_RELEASE"}) {
    INFO(name);
    const environment before = environment::of_process();
    for (const overlay& change : {overlay{}.set(name, "1"), overlay{}.unset(name)}) {
      const ge::error e =
          refusal(overlay{}.set("GPUENV_TEST_A", "new").then(change), cuda_state::started, alone.path());
      CHECK(e.code() == ge::errc::too_late);
      CHECK(contains(e.attempted(), std::string{name} + " (CUDA has started"));
      CHECK_FALSE(contains(e.attempted(), "GPUENV_TEST_A"));
      CHECK(contains(e.hint(), "reexec"));
      CHECK(environment::of_process() == before);
    }
  }
}

TEST_CASE("what only tools read is free after CUDA started", "[env][apply_to_process]") {
  gpuenv_test::scoped_environment variables;
  const root_with_threads alone{1};
  for (const char* name : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_VERSION", "NCCL_DEBUG", "LD_RUN_PATH"}) {
    variables.watch(name);
    apply_to_process(overlay{}.set(name, "/x"), cuda_state::started, alone.path());
    CHECK(environment::of_process().get(name) == "/x"sv);
  }
}

TEST_CASE("what the loader has read is always refused", "[env][apply_to_process]") {
  const root_with_threads alone{1};
  const environment before = environment::of_process();
  for (const char* name :
       {"LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "LD_BIND_NOW", "LD_DEBUG", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX"}) {
    INFO(name);
    const ge::error e = refusal(overlay{}.set(name, "x"), cuda_state::not_started, alone.path());
    CHECK(e.code() == ge::errc::too_late);
    CHECK(contains(e.attempted(), std::string{name} + " (the loader"));
    CHECK(contains(e.hint(), "reexec"));
  }
  CHECK(environment::of_process() == before);
}

TEST_CASE("every variable that is too late is named at once", "[env][apply_to_process][B15]") {
  const watched variables;
  const root_with_threads three{3};
  const overlay changes = overlay{}
                              .set("CUDA_VISIBLE_DEVICES", "0")
                              .set("GPUENV_TEST_A", "new")
                              .set("LD_LIBRARY_PATH", "/x")
                              .unset("CUDA_DEVICE_ORDER");
  const ge::error e = refusal(changes, cuda_state::started, three.path());
  CHECK(contains(e.attempted(), "CUDA_VISIBLE_DEVICES (CUDA"));
  CHECK(contains(e.attempted(), "LD_LIBRARY_PATH (the loader"));
  CHECK(contains(e.attempted(), "CUDA_DEVICE_ORDER (CUDA"));
  CHECK(contains(e.attempted(), "2 other threads"));
  CHECK(contains(e.hint(), "before any thread"));
  CHECK(std::getenv("GPUENV_TEST_A") == "old"sv);
}

TEST_CASE("nothing is changed while other threads run", "[env][apply_to_process][B17]") {
  const watched variables;
  std::promise<void> end;
  std::thread other{[waiting = end.get_future()] { waiting.wait(); }};
  const ge::error e = refusal(overlay{}.set("GPUENV_TEST_A", "new"), cuda_state::not_started, "/");
  end.set_value();
  other.join();
  CHECK(e.code() == ge::errc::too_late);
  CHECK(contains(e.attempted(), "other thread"));
  CHECK(contains(e.attempted(), "too late for GPUENV_TEST_A"));
  CHECK(std::getenv("GPUENV_TEST_A") == "old"sv);
}

TEST_CASE("a process of one thread is recognised as such", "[env][apply_to_process]") {
  if (is_sanitized) return;
  const watched variables;
  apply_to_process(overlay{}.set("GPUENV_TEST_A", "new"), cuda_state::not_started);
  CHECK(std::getenv("GPUENV_TEST_A") == "new"sv);
}

TEST_CASE("threads that cannot be counted are taken to be there", "[env][apply_to_process]") {
  const watched variables;
  const gpuenv_test::temporary_folder no_proc;
  const root_with_threads nobody{0};
  for (const fs::path& root : {no_proc.path(), nobody.path()}) {
    const ge::error e = refusal(overlay{}.set("GPUENV_TEST_A", "new"), cuda_state::not_started, root);
    CHECK(e.code() == ge::errc::file_access);
    CHECK(contains(e.attempted(), "proc/self/task"));
    CHECK(std::getenv("GPUENV_TEST_A") == "old"sv);
  }
}

TEST_CASE("no change is never too late", "[env][apply_to_process]") {
  const root_with_threads three{3};
  CHECK_NOTHROW(apply_to_process({}, cuda_state::started, three.path()));
}

TEST_CASE("what was set is taken back when memory ends", "[env][apply_to_process]") {
  if (is_sanitized) return;
  const auto child = gpuenv_test::run_program("/proc/self/exe", {"test", "[memory_ends]"}, environment::of_process());
  INFO(child.output);
  CHECK(child.exit_code == 0);
}

TEST_CASE("memory ends in the middle of an overlay", "[.memory_ends]") {
  const watched variables;
  const overlay changes = overlay{}
                              .set("GPUENV_TEST_A", "new")
                              .unset("GPUENV_TEST_B")
                              .set("GPUENV_TEST_NEW", "new")
                              .set("GPUENV_TEST_LARGE", std::string(256U << 20U, 'x'));
  const environment before = environment::of_process();
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages;
  const rlim_t limit = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (64U << 20U);
  const rlimit limits{limit, RLIM_INFINITY};
  REQUIRE(setrlimit(RLIMIT_AS, &limits) == 0);
  const ge::error e = refusal(changes, cuda_state::not_started, "/");
  CHECK(e.code() == ge::errc::out_of_memory);
  CHECK(contains(e.attempted(), "GPUENV_TEST_LARGE"));
  CHECK(environment::of_process() == before);
}
