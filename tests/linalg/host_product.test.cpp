// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/matmul.hpp>
#include <gpuenv/linalg/random.hpp>
#include <gpuenv/linalg/verify.hpp>
#include "linalg/child_tests.hpp"
#include "support/catch.hpp"
#include "support/matrices.hpp"

#include <sched.h>

#include <cstdlib>
#include <limits>
#include <thread>

using gpuenv::env::overlay;
using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

matmul_options on_cpu(double alpha = 1, double beta = 0) {
  matmul_options options{.alpha = alpha, .beta = beta, .device = gpuenv::device_choice::cpu()};
  if (const char* route = std::getenv("TEST_ROUTE"); route != nullptr) options.route = product_route::openblas;
  return options;
}

/// Large enough for several threads and several blocks, in every layout, with room around the matrices.
template <class T>
void multiply_in_all_layouts() {
  for (const auto& layout : all_layouts) {
    padded_matrix<T> a{200, 131, layout[0]};
    padded_matrix<T> b{131, 217, layout[1]};
    padded_matrix<T> c{200, 217, layout[2]};
    fill_integers(a.view(), 1);
    fill_integers(b.view(), 2);
    fill_integers(c.view(), 3);
    const auto expected = product_by_definition<T>(a.view(), b.view(), T{2}, T{-3}, c.view());
    matmul(a.view(), b.view(), c.view(), on_cpu(2, -3));
    CHECK(equal(c.view(), expected));
    CHECK(a.guards_intact());
    CHECK(b.guards_intact());
    CHECK(c.guards_intact());
    for (std::int64_t i = 0; i < 200; ++i) c.view()(i, i) = std::numeric_limits<T>::quiet_NaN();
    matmul(a.view(), b.view(), c.view(), on_cpu());
    CHECK(equal(c.view(), product_by_definition<T>(a.view(), b.view(), T{1}, T{0}, c.view())));
  }
}

template <class T>
void multiply_vectors() {
  for (const auto& [m, n, k] : {std::array{1, 3000, 200}, std::array{3000, 1, 200}, std::array{1, 1, 9000}}) {
    host_matrix<T> a{m, k};
    host_matrix<T> b{k, n};
    host_matrix<T> c{m, n};
    fill_integers(a.view(), 1);
    fill_integers(b.view(), 2);
    matmul(a.view(), b.view(), c.view(), on_cpu());
    CHECK(equal(c, product_by_definition<T>(a.view(), b.view(), T{1}, T{0}, c.view())));
  }
}

}  // namespace

TEST_CASE("Products of every shape and layout, by the code that the environment asks for", "[.cpu_products]") {
  multiply_in_all_layouts<float>();
  multiply_in_all_layouts<double>();
  multiply_vectors<float>();
  multiply_vectors<double>();
  const auto a = random_matrix<float>(333, 222, {.seed = 3});
  const auto b = random_matrix<float>(222, 111, {.seed = 3, .sequence = 1});
  const auto [c, info] = matmul(a, b, on_cpu());
  CHECK(verify({.a = a, .b = b}, c, {.method = verify_method::full}).passed());
  CHECK("ran: " + info.library != "");  // for the process that started this one
}

TEST_CASE("Every instruction set that this CPU has gives right products, and another is refused by name", "[B79]") {
  bool is_there = true;
  int levels = 0;
  for (const std::string level : {"baseline", "v2", "v3", "v4"}) {
    const auto child = run_child(overlay{}.set("GPUENV_CPU_LEVEL", level), "[.cpu_products]");
    INFO(child.output);
    if (is_there && child.exit_code == 0) {
      ++levels;
      CHECK(child.says((level == "baseline" ? "" : "x86-64-") + level + ", "));
    } else {
      is_there = false;  // and none above it
      CHECK(child.exit_code == 1);
      CHECK(child.says("GPUENV_CPU_LEVEL is '" + level + "', and the highest level of this CPU and build is "));
    }
  }
  CHECK(levels >= 1);
}

TEST_CASE("A bad GPUENV_CPU_LEVEL is an error with the accepted values") {
  const auto child = run_child(overlay{}.set("GPUENV_CPU_LEVEL", "avx2"), "[.cpu_products]");
  INFO(child.output);
  CHECK(child.exit_code == 1);
  CHECK(child.says("GPUENV_CPU_LEVEL is 'avx2'"));
  CHECK(child.says("baseline, v2, v3 or v4"));
}

TEST_CASE("OpenBLAS gives right products where it is found, and else the reason") {
  const auto child = run_child(overlay{}.set("TEST_ROUTE", "openblas"), "[.cpu_products]");
  INFO(child.output);
  if (child.exit_code == 0) {
    CHECK(child.says("OpenBLAS "));
  } else {
    CHECK(child.says("matmul: route 'openblas': OpenBLAS cannot be loaded ("));
  }
}

TEST_CASE("GPUENV_OPENBLAS chooses the library or none") {
  const auto none =
      run_child(overlay{}.set("TEST_ROUTE", "openblas").set("GPUENV_OPENBLAS", "none"), "[.cpu_products]");
  INFO(none.output);
  CHECK(none.exit_code == 1);
  CHECK(none.says("GPUENV_OPENBLAS=none"));
  const auto other =
      run_child(overlay{}.set("TEST_ROUTE", "openblas").set("GPUENV_OPENBLAS", "libc.so.6"), "[.cpu_products]");
  INFO(other.output);
  CHECK(other.exit_code == 1);
  CHECK(other.says("libc.so.6: is not an OpenBLAS with its C interface"));
  CHECK(run_child(overlay{}.set("GPUENV_OPENBLAS", "/nonexistent"), "[.cpu_products]").exit_code == 0);
}

TEST_CASE("Several threads multiply at once, each with the bits that it gets alone") {
  const auto a = random_matrix<double>(300, 200, {.seed = 5});
  const auto b = random_matrix<double>(200, 250, {.seed = 5, .sequence = 1});
  const auto alone = matmul(a, b, on_cpu()).value.clone();
  std::array<bool, 4> same{};
  std::vector<std::thread> callers;
  for (bool& is_same : same) {
    callers.emplace_back([&] {
      is_same = true;
      for (int run = 0; run < 20; ++run) is_same = is_same && same_bits(alone, matmul(a, b, on_cpu()).value);
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const bool is_same : same) CHECK(is_same);
}

TEST_CASE("A thread that may use one CPU multiplies on one, and afterwards others use theirs") {
  const host_matrix<float> a{300, 300};
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  const int cpus = CPU_COUNT(&before);
  std::string pinned;
  std::thread{[&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) pinned = matmul(a, a, on_cpu()).info.library;
  }}.join();
  CHECK(pinned.ends_with(", 1 thread"));
  CHECK(matmul(a, a, on_cpu()).info.library.ends_with(cpus == 1 ? ", 1 thread" : " threads"));
}

TEST_CASE("A process forked after a product multiplies too") {
  const auto a = random_matrix<float>(300, 300, {.seed = 6});
  const auto parent = matmul(a, a, on_cpu()).value.clone();
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);  // a child that waits for threads that are not there ends as a failure
    _exit(same_bits(parent, matmul(a, a, on_cpu()).value) ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(same_bits(parent, matmul(a, a, on_cpu()).value));
}
