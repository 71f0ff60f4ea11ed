// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Runs with the OpenBLAS of this machine, where there is one, and a second time with fake_openblas.cpp.
#include "linalg/openblas_product.hpp"

#include "linalg/openblas_library.hpp"
#include "linalg/parallel.hpp"
#include "linalg/tested_product.hpp"
#include "support/catch.hpp"

#include <dlfcn.h>
#include <sched.h>

#include <atomic>
#include <string>
#include <thread>

using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

bool is_there() {
  const openblas_library& library = openblas_library::get();
  if (library.usable()) return true;
  CHECK(library.problem.find("GPUENV_OPENBLAS") != std::string::npos);
  WARN("no products through OpenBLAS: " << library.problem);
  return false;
}

void use_one_cpu() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
}

}  // namespace

TEST_CASE("What was loaded says what it is") {
  if (!is_there()) return;
  const openblas_library& library = openblas_library::get();
  CHECK(&library == &openblas_library::get());
  CHECK_FALSE(library.version.empty());
  CHECK(library.path.find('/') != std::string::npos);
  CHECK(library.is_ours);  // this program loads none before
  CHECK(library.threads() >= 1);
}

TEMPLATE_TEST_CASE("OpenBLAS multiplies within the derived bound, in every order", "[B79]", float, double) {
  using T = TestType;
  if (!is_there()) return;
  CHECK(wrong_products<T>([](tested_product<T>& product) { openblas_product(product.block, product.beta); }) == 0);
  for (const product_shape& shape : product_shapes) {
    tested_product<T> product{shape, true, false, 0, T{1}, T{0}};
    product.restart_with(std::numeric_limits<T>::quiet_NaN());
    openblas_product(product.block, product.beta);
    INFO(shape.m << 'x' << shape.n << 'x' << shape.k);
    CHECK(product.is_right());
  }
}

TEST_CASE("Leading dimensions of a single row or column may be anything") {
  if (!is_there()) return;
  tested_product<double> product{{1, 1, 1}, true, true, 0, 1.0, 0.0};
  product.block.a_leading = product.block.b_leading = product.block.c_leading = 0;
  openblas_product(product.block, product.beta);
  CHECK(product.is_right());
}

TEST_CASE("Callers with one CPU and with all multiply at once: nobody's number of threads changes under a product") {
  if (!is_there()) return;
  const openblas_library& library = openblas_library::get();
  const int before = library.threads();
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      if (caller % 2 == 0) use_one_cpu();
      tested_product<double> product{{64, 129, 33}, true, false, 0, 1.0, -2.5};
      for (int round = 0; round < 100; ++round) {
        if (openblas_threads() != std::min(before, usable_cpus())) ++wrong;
        product.restart();
        openblas_product(product.block, product.beta);
        if (!product.is_right()) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
  CHECK(library.threads() == before);
  // The fake knows what a real one would do with such a change.
  void* handle = dlopen(library.path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(handle != nullptr);
  const auto disturbed = reinterpret_cast<int (*)()>(dlsym(handle, "fake_openblas_disturbed"));
  const auto too_many = reinterpret_cast<int (*)()>(dlsym(handle, "fake_openblas_too_many_threads"));
  if (disturbed != nullptr) CHECK(disturbed() == 0);
  if (too_many != nullptr) CHECK(too_many() == 0);
  dlclose(handle);
}
