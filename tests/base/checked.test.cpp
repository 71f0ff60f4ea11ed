// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/checked.hpp>
#include "support/catch.hpp"

#include <cstdint>
#include <limits>

namespace ge = gpuenv;

namespace {

constexpr auto most = std::numeric_limits<std::size_t>::max();
constexpr auto most_signed = std::numeric_limits<std::int64_t>::max();
constexpr auto least_signed = std::numeric_limits<std::int64_t>::min();

template <class Attempt>
ge::error error_of(Attempt attempt) {
  try {
    static_cast<void>(attempt());
  } catch (const ge::error& e) {
    return e;
  }
  FAIL("nothing was thrown");
  throw std::logic_error{"not reached"};
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("a product that just fits is returned", "[base][checked]") {
  CHECK(ge::checked_multiply(most / 5, std::size_t{5}, "x") == most);  // 2^64 - 1 is a multiple of 5
  CHECK(ge::checked_multiply(most, std::size_t{0}, "x") == 0);
  CHECK(ge::checked_multiply<std::int64_t>(least_signed, 1, "x") == least_signed);
  STATIC_REQUIRE(ge::checked_multiply(6, 7, "x") == 42);
}

TEST_CASE("a product that does not fit names the object and both factors", "[base][checked][B64]") {
  const ge::error e =
      error_of([] { return ge::checked_multiply(std::size_t{1} << 32, std::size_t{1} << 32, "matrix"); });
  CHECK(e.code() == ge::errc::size_overflow);
  CHECK(contains(e.attempted(), "matrix: 4294967296 * 4294967296 does not fit 64 bits"));
  CHECK(contains(e.where().file_name(), "checked.test.cpp"));
}

TEST_CASE("a signed product overflows at both ends", "[base][checked][B64]") {
  CHECK_THROWS_AS(ge::checked_multiply<std::int64_t>(least_signed, -1, "x"), ge::error);
  CHECK_THROWS_AS(ge::checked_multiply<std::int64_t>(most_signed, 2, "x"), ge::error);
  CHECK_THROWS_AS(ge::checked_multiply<std::int64_t>(most_signed, -2, "x"), ge::error);
  CHECK_THROWS_AS(ge::checked_multiply<std::int32_t>(1 << 16, 1 << 15, "x"), ge::error);
}

TEST_CASE("narrow integers are checked in their own width", "[base][checked]") {
  const ge::error e = error_of([] { return ge::checked_multiply<std::uint8_t>(16, 16, "x"); });
  CHECK(contains(e.attempted(), "16 * 16 does not fit 8 bits"));
  CHECK(ge::checked_multiply<std::uint8_t>(15, 17, "x") == 255);
}

TEST_CASE("a sum is checked like a product", "[base][checked][B64]") {
  CHECK(ge::checked_add(most - 1, std::size_t{1}, "x") == most);
  const ge::error e = error_of([] { return ge::checked_add(most, std::size_t{1}, "offset"); });
  CHECK(e.code() == ge::errc::size_overflow);
  CHECK(contains(e.attempted(), "offset: 18446744073709551615 + 1 does not fit 64 bits"));
  CHECK_THROWS_AS(ge::checked_add<std::int64_t>(least_signed, -1, "x"), ge::error);
  CHECK_THROWS_AS(ge::checked_add<std::int64_t>(most_signed, 1, "x"), ge::error);
}

TEST_CASE("a cast keeps the value or throws", "[base][checked][B64]") {
  CHECK(ge::checked_cast<std::int32_t>(std::size_t{2147483647}, "x") == 2147483647);
  CHECK(ge::checked_cast<std::size_t>(std::int64_t{0}, "x") == 0);
  CHECK_THROWS_AS(ge::checked_cast<std::int32_t>(std::size_t{2147483648U}, "x"), ge::error);
  CHECK_THROWS_AS(ge::checked_cast<std::int64_t>(most, "x"), ge::error);
  const ge::error e = error_of([] { return ge::checked_cast<std::uint32_t>(std::int64_t{-1}, "rows"); });
  CHECK(e.code() == ge::errc::size_overflow);
  CHECK(contains(e.attempted(), "rows: -1 does not fit"));
  CHECK(contains(e.attempted(), "unsigned 32-bit integer"));
}

TEST_CASE("a negative value does not become a large one", "[base][checked][B64]") {
  for (const std::int64_t value : {std::int64_t{-1}, least_signed}) {
    CHECK_THROWS_AS(ge::checked_cast<std::size_t>(value, "x"), ge::error);
  }
}

TEST_CASE("bytes of elements fit a pointer difference too", "[base][checked][B64]") {
  constexpr std::size_t largest = (std::size_t{1} << 60) - 1;  // times 8 is the last multiple below 2^63
  CHECK(ge::checked_bytes<double>(largest, "x") == largest * 8);
  CHECK_THROWS_AS(ge::checked_bytes<double>(largest + 1, "x"), ge::error);
  CHECK(ge::checked_bytes<double>(0, "x") == 0);
}

TEST_CASE("2^61 + 1 doubles do not wrap to eight bytes", "[base][checked][B64]") {
  const ge::error e = error_of([] { return ge::checked_bytes<double>((std::size_t{1} << 61) + 1, "buffer"); });
  CHECK(e.code() == ge::errc::size_overflow);
  CHECK(contains(e.attempted(), "buffer: 2305843009213693953 * 8"));
}
