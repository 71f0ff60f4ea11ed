// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/matrix_view.hpp>
#include "support/catch.hpp"
#include "support/matrices.hpp"

#include <cstdint>
#include <limits>

using gpuenv::errc;
using gpuenv::error;
using namespace gpuenv::linalg;

namespace {

template <class F>
errc code_of(F&& f) {
  try {
    f();
  } catch (const error& e) {
    return static_cast<errc>(e.code().value());
  }
  return errc{};
}

}  // namespace

TEST_CASE("A new host matrix holds zeros in the order that was asked for") {
  host_matrix<float> rows{2, 3};
  host_matrix<float> cols{2, 3, storage_order::column_major};
  CHECK(rows.view().row_stride() == 3);
  CHECK(cols.view().col_stride() == 2);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) CHECK(rows(i, j) == 0.0F);
  }
  CHECK(reinterpret_cast<std::uintptr_t>(rows.data()) % 64 == 0);
}

TEST_CASE("A transpose swaps the strides and copies nothing") {
  host_matrix<float> m{2, 3};
  m(1, 2) = 5;
  const auto t = m.view().transposed();
  CHECK(t.rows() == 3);
  CHECK(t.cols() == 2);
  CHECK(t(2, 1) == 5.0F);
  CHECK(t.data() == m.data());
}

TEST_CASE("A block sees the elements of its matrix and cannot reach past its end") {
  host_matrix<double> m{4, 5};
  m(2, 3) = 7;
  CHECK(m.view().block(1, 2, 3, 3)(1, 1) == 7.0);
  CHECK(m.view().block(4, 5, 0, 0).empty());
  const auto v = m.view();
  CHECK(code_of([&] { static_cast<void>(v.block(1, 2, 4, 1)); }) == errc::out_of_range);
  CHECK(code_of([&] { static_cast<void>(v.block(0, 0, 1, 6)); }) == errc::out_of_range);
  CHECK(code_of([&] { static_cast<void>(v.block(-1, 0, 1, 1)); }) == errc::out_of_range);
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  CHECK(code_of([&] { static_cast<void>(v.block(1, 1, huge, huge)); }) == errc::out_of_range);
}

TEST_CASE("Strides that make elements share memory are refused, those of one row or column are free") {
  float x[16] = {};
  using view = host_matrix_view<float>;
  CHECK(code_of([&] { view{x, 3, 4, 3, 1}; }) == errc::invalid_argument);
  CHECK(code_of([&] { view{x, 3, 4, 1, 2}; }) == errc::invalid_argument);
  CHECK(code_of([&] { view{x, 2, 2, 0, 1}; }) == errc::invalid_argument);
  CHECK(code_of([&] { view{x, 2, 2, -2, 1}; }) == errc::invalid_argument);
  CHECK_NOTHROW(view{x, 1, 4, 0, 1});
  CHECK_NOTHROW(view{x, 4, 1, 1, 0});
  CHECK_NOTHROW(view{x, 2, 2, 3, 2});
  CHECK_NOTHROW(view{nullptr, 0, 4, 4, 1});
}

TEST_CASE("Negative, overflowing, null and unaligned views are refused with the reason", "[B74]") {
  float x[4] = {};
  using view = host_matrix_view<float>;
  constexpr std::int64_t big = std::int64_t{1} << 40;
  CHECK(code_of([&] { view{x, -1, 2, 2, 1}; }) == errc::invalid_argument);
  CHECK(code_of([&] { view{x, big, big, big, 1}; }) == errc::size_overflow);
  CHECK(code_of([&] { view{nullptr, 1, 2, 2, 1}; }) == errc::invalid_argument);
  auto* odd = reinterpret_cast<float*>(reinterpret_cast<char*>(x) + 1);
  CHECK(code_of([&] { view{odd, 1, 2, 2, 1}; }) == errc::misaligned);
}

TEST_CASE("A host matrix of impossible size is an error before anything is allocated", "[B64][B74]") {
  constexpr std::int64_t big = std::int64_t{1} << 31;
  CHECK(code_of([&] { host_matrix<double>{big, big}; }) == errc::size_overflow);
  CHECK(code_of([&] { host_matrix<double>{big << 8, big << 8}; }) == errc::size_overflow);
  CHECK(code_of([&] { host_matrix<double>{-1, 1}; }) == errc::invalid_argument);
  CHECK(host_matrix<double>{0, big}.size() == 0);
}

TEST_CASE("A moved-from host matrix is empty and a clone is apart") {
  host_matrix<float> m{2, 2};
  m(0, 0) = 1;
  host_matrix<float> copy = m.clone();
  host_matrix<float> moved = std::move(m);
  CHECK(m.rows() == 0);  // NOLINT(bugprone-use-after-move): that is what is tested
  CHECK(m.view().empty());
  moved(0, 0) = 2;
  CHECK(copy(0, 0) == 1.0F);
}

TEST_CASE("Copying elements works between any strides") {
  gpuenv_test::padded_matrix<double> from{3, 5, true};
  gpuenv_test::padded_matrix<double> to{3, 5, false};
  gpuenv_test::fill_integers(from.view(), 1);
  copy_elements(from.view(), to.view());
  CHECK(gpuenv_test::equal(from.view(), to.view()));
  CHECK(to.guards_intact());
}
