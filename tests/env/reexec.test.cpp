// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/env/reexec.hpp>
#include "support/catch.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

#include <cerrno>
#include <string>
#include <vector>

using gpuenv::env::environment;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

const std::string program = GPUENV_REEXEC_PROGRAM;

/// The program, with variables that it keeps, removes and replaces.
gpuenv_test::program_result run(const std::vector<std::string>& arguments, const std::string& path = program) {
  environment variables = environment::of_process();
  variables.unset("LD_LIBRARY_PATH");
  variables.unset("ADDED");
  variables.set("KEPT", "kept");
  variables.set("REMOVED", "there");
  std::vector<std::string> all{"program"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  auto result = gpuenv_test::run_program(path, all, variables);
  UNSCOPED_INFO(result.output);
  return result;
}

/// The number behind `word`.
std::string number_behind(const std::string& text, const std::string& word) {
  const std::size_t start = text.find(word);
  return start == text.npos ? "no " + word : std::to_string(std::stol(text.substr(start + word.size())));
}

}  // namespace

TEST_CASE("a program is started again in its process with the new environment", "[env][reexec]") {
  const auto result = run({"once", "", "two words"});
  CHECK(result.exit_code == 0);
  CHECK(number_behind(result.output, "first run ") == number_behind(result.output, "second run "));
  CHECK(result.says("<program> <once> <> <two words>;"));
  CHECK(result.says("ADDED=1; REMOVED=(unset); KEPT=kept"));
}

TEST_CASE("given arguments replace the program's own", "[env][reexec]") {
  const auto result = run({"arguments"});
  CHECK(result.exit_code == 0);
  CHECK(result.says("second run"));
  CHECK(result.says("; <other name> <> <a b> <\xff>;"));
}

TEST_CASE("a path for the loader has its effect after the second start", "[env][reexec]") {
  const auto without = run({"once"});
  CHECK(without.says("; library not found"));
  const auto with = run({"loader", GPUENV_REEXEC_LIBRARY_DIR});
  CHECK(with.exit_code == 0);
  CHECK(with.says(", library not found"));
  CHECK(with.says("; library found"));
}

TEST_CASE("a process is started again once and no more", "[env][reexec]") {
  const auto result = run({"for ever"});
  CHECK(result.exit_code == 3);
  CHECK(result.says("error 13 of gpuenv: reexec: this process was re-executed before (GPUENV_REEXECUTED)"));
  CHECK(result.output.find("first run") != result.output.rfind("first run"));  // before, and after
}

TEST_CASE("a child that inherits the guard may start itself again", "[env][reexec]") {
  const auto result = run({"parent"});
  CHECK(result.exit_code == 0);
  CHECK(result.says("first run"));
  CHECK(result.says("second run"));
}

TEST_CASE("a thread may start the program again", "[env][reexec]") {
  const auto result = run({"thread"});
  CHECK(result.exit_code == 0);
  CHECK(number_behind(result.output, "first run ") == number_behind(result.output, "second run "));
}

TEST_CASE("a program whose file is gone is started again all the same", "[env][reexec]") {
  const gpuenv_test::temporary_folder folder;
  const fs::path copy = folder.path() / "copy";
  fs::copy_file(program, copy);
  const auto result = run({"removed file", copy.string()}, copy.string());
  CHECK(result.exit_code == 0);
  CHECK(result.says("second run"));
  CHECK_FALSE(fs::exists(copy));
}

TEST_CASE("a program that cannot be started again goes on with the reason", "[env][reexec]") {
  const auto large = run({"large"});
  CHECK(large.exit_code == 3);
  CHECK(large.says("error " + std::to_string(E2BIG) + " of generic: reexec: "));
  CHECK(large.says("the longest line of the environment is that of 'LARGE' (1048582 bytes)"));
  const auto none = run({"no arguments"});
  CHECK(none.exit_code == 3);
  CHECK(none.says("error 1 of gpuenv: reexec: there are no arguments"));
  const auto cut = run({"NUL"});
  CHECK(cut.exit_code == 3);
  CHECK(cut.says("argument 1 'a\\x00b' holds a NUL byte"));
}
