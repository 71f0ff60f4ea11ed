// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_RUNNER
#include "support/session.hpp"

#include "support/catch.hpp"

#include <cstddef>
#include <iostream>

namespace {

bool run_started = false;
std::size_t tests_run = 0;

#if __has_include(<catch2/catch_all.hpp>)
using listener_base = Catch::EventListenerBase;
#else
using listener_base = Catch::TestEventListenerBase;
#endif

class test_counter final : public listener_base {
 public:
  using listener_base::listener_base;

  void testRunStarting(const Catch::TestRunInfo& info) override {
    listener_base::testRunStarting(info);
    run_started = true;
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    listener_base::testCaseEnded(stats);
    ++tests_run;
  }
};

}  // namespace

CATCH_REGISTER_LISTENER(test_counter)

namespace gpuenv::test {

int run_session(int argc, char** argv) {
  Catch::Session session;
  if (session.applyCommandLine(argc, argv) != 0) return 1;
  const int result = session.run();
  if (!run_started) {
    // Only a list or the help text was asked for (Catch2 2 then returns how many it listed), or the run broke off.
    const auto& asked = session.configData();
#if __has_include(<catch2/catch_all.hpp>)
    const bool is_list = asked.listTests || asked.listTags || asked.listReporters || asked.listListeners;
#else
    const bool is_list = asked.listTests || asked.listTags || asked.listReporters || asked.listTestNamesOnly;
#endif
    return is_list || asked.showHelp || asked.libIdentify || result == 0 ? 0 : 1;
  }
  if (tests_run == 0) {
    std::cerr << "no test ran: the filter matches none\n";
    return 1;
  }
  return result == 0 ? 0 : 1;
}

}  // namespace gpuenv::test
