// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/env/device_mask.hpp>
#include "support/catch.hpp"

#include <algorithm>
#include <string>

namespace env = gpuenv::env;
using kind = env::mask_entry_kind;
using fault = env::mask_fault;

namespace {

const std::string digits = "00112233-4455-6677-8899-aabbccddeeff";

env::mask_entry first_of(std::string_view value) {
  const auto mask = env::device_mask::parse(value);
  REQUIRE_FALSE(mask.entries().empty());
  return mask.entries()[0];
}

std::string meant(std::string_view value) { return env::device_mask::parse(value).meant(0).value(); }

const gpuenv::finding* find(const std::vector<gpuenv::finding>& findings, std::string_view code) {
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const auto& f) { return f.code == code; });
  return found == findings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a mask that is not set is another value than one set to nothing", "[env][mask][B05]") {
  const auto unset = env::device_mask::parse(std::nullopt);
  const auto empty = env::device_mask::parse("");
  CHECK_FALSE(unset.is_set());
  CHECK(empty.is_set());
  CHECK(unset.entries().empty());
  CHECK(empty.entries().empty());
  CHECK(unset != empty);
  CHECK(unset == env::device_mask{});
}

TEST_CASE("each form of an entry is a typed value", "[env][mask][B01]") {
  CHECK(first_of("7").kind == kind::index);
  CHECK(first_of("7").index == 7);
  CHECK(first_of("GPU-" + digits).kind == kind::gpu_uuid);
  CHECK(first_of("GPU-" + digits).id.is_whole());
  CHECK(first_of("MIG-" + digits).kind == kind::mig_uuid);
  const auto path = first_of("MIG-GPU-" + digits + "/1/2");
  CHECK(path.kind == kind::mig_path);
  CHECK(path.gpu_instance == 1);
  CHECK(path.compute_instance == 2);
  CHECK(path.id == first_of("GPU-" + digits).id);
}

TEST_CASE("an entry knows its text and its place in the value", "[env][mask]") {
  const auto mask = env::device_mask::parse("0, 12,,GPU-0");
  REQUIRE(mask.entries().size() == 4);
  CHECK(mask.text(1) == " 12");
  CHECK(mask.entries()[1].position == 2);
  CHECK(mask.text(2).empty());
  CHECK(mask.entries()[3].position == 7);
  CHECK(mask.describe(1) == "entry 2 of 4 (' 12')");
  CHECK_THROWS_AS(static_cast<void>(mask.text(4)), std::out_of_range);
}

TEST_CASE("a mask ends at a NUL byte, as it does for the driver", "[env][mask]") {
  using namespace std::string_view_literals;
  CHECK(env::device_mask::parse("0\0,1"sv) == env::device_mask::parse("0"));
}

TEST_CASE("an index is read as strtol reads it and wrapped at 32 bits", "[env][mask][B06]") {
  const auto [text, index] = GENERATE(table<const char*, std::int32_t>({{"0", 0},
                                                                        {"00012", 12},
                                                                        {" \t\n\v\f\r3\n", 3},
                                                                        {"+3", 3},
                                                                        {"-0", 0},
                                                                        {"1gpu2", 1},
                                                                        {"0x1", 0},
                                                                        {"0.5", 0},
                                                                        {"2147483647", 2147483647},
                                                                        {"4294967296", 0},
                                                                        {"4294967297", 1},
                                                                        {"-4294967295", 1},
                                                                        {"-9223372036854775809", 0}}));
  INFO(text);
  CHECK(first_of(text).kind == kind::index);
  CHECK(first_of(text).index == index);
}

TEST_CASE("a bad entry says why", "[env][mask]") {
  const auto [text, why] =
      GENERATE(table<std::string, fault>({{" ", fault::empty},
                                          {",0", fault::empty},
                                          {"-1", fault::negative},
                                          {"2147483648", fault::negative},
                                          {"18446744073709551617", fault::negative},
                                          {"99999999999999999999", fault::negative},
                                          {"+", fault::not_a_number},
                                          {"- 1", fault::not_a_number},
                                          {"+-1", fault::not_a_number},
                                          {"one", fault::not_a_number},
                                          {"'0'", fault::not_a_number},
                                          {"\xef\xbc\x90", fault::not_a_number},
                                          {"GPU", fault::not_a_number},
                                          {"GPU-", fault::no_digits},
                                          {"GPU-x", fault::no_digits},
                                          {"MIG-GPU", fault::no_digits},
                                          {" GPU-0", fault::space_before_uuid},
                                          {"gpu-" + digits, fault::wrong_head},
                                          {"a" + digits.substr(1), fault::wrong_head},
                                          {"MIG-GPU-", fault::incomplete_path},
                                          {"MIG-GPU-0011/1/2", fault::incomplete_path},
                                          {"MIG-GPU-" + digits, fault::incomplete_path},
                                          {"MIG-GPU-" + digits + "/1", fault::incomplete_path},
                                          {"MIG-GPU-" + digits + "/1/", fault::incomplete_path},
                                          {"MIG-GPU-" + digits + "/a/0", fault::incomplete_path}}));
  INFO(text);
  CHECK(first_of(text).kind == kind::bad);
  CHECK(first_of(text).fault == why);
  CHECK_FALSE(env::device_mask::parse(text).why(0).empty());
}

TEST_CASE("the first digits of a UUID are kept digit by digit", "[env][mask][B02]") {
  const auto whole = first_of("GPU-" + digits).id;
  for (std::size_t length = 1; length <= digits.size(); ++length) {
    const auto entry = first_of("GPU-" + digits.substr(0, length));
    INFO(length);
    CHECK(entry.kind == kind::gpu_uuid);
    CHECK(entry.id.matches(whole.bytes));
    CHECK(entry.id.is_whole() == (length == digits.size()));
    CHECK_FALSE(entry.has_text_behind);
  }
  CHECK_FALSE(first_of("GPU-01").id.matches(whole.bytes));
  CHECK_FALSE(first_of("GPU-002").id.matches(whole.bytes));
  CHECK(first_of("GPU-00112233-4455-6677-8899-AABBCCDDEEFF").id == whole);
}

TEST_CASE("every token that CUDA reads loosely is named in a warning", "[env][mask][B06]") {
  for (const char* text : {"1gpu2,2ampere", "+3,-0", " 1 , 0 ", "0x0,0.5"}) {
    INFO(text);
    const auto findings = env::device_mask::parse(text).findings();
    const auto* loose = find(findings, "mask-read-loosely");
    REQUIRE(loose != nullptr);
    CHECK(loose->level == gpuenv::severity::warning);
    CHECK(loose->evidence.size() == 2);
  }
  CHECK(env::device_mask::parse("0,1,GPU-0,-1").findings().empty());
}

TEST_CASE("a range is no range, and is said to be none", "[env][mask][B06]") {
  const auto findings = env::device_mask::parse("0-2").findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "mask-range");
  CHECK(findings[0].cause.find("ranges are not supported") != std::string::npos);
  CHECK(first_of("0-2").index == 0);
}

TEST_CASE("a number beyond 32 bits is an error that says what CUDA makes of it", "[env][mask][B06]") {
  const auto findings = env::device_mask::parse("4294967296").findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "mask-index-wraps");
  CHECK(findings[0].level == gpuenv::severity::error);
  CHECK(findings[0].evidence == std::vector<std::string>{"entry 1 of 1 ('4294967296') is device 0 for CUDA"});
  CHECK(find(env::device_mask::parse("18446744073709551617").findings(), "mask-index-wraps") != nullptr);
}

TEST_CASE("words of other programs are named", "[env][mask][B05]") {
  const auto [word, owner] = GENERATE(table<const char*, const char*>({{"NoDevFiles", "no GPU allocated"},
                                                                       {"all", "NVIDIA_VISIBLE_DEVICES"},
                                                                       {"none", "NVIDIA_VISIBLE_DEVICES"},
                                                                       {"void", "NVIDIA_VISIBLE_DEVICES"}}));
  const auto findings = env::device_mask::parse(word).findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "mask-foreign-word");
  REQUIRE(findings[0].evidence.size() == 1);
  CHECK(findings[0].evidence[0].find(owner) != std::string::npos);
}

TEST_CASE("what the writer of an entry meant is found where it is evident", "[env][mask]") {
  CHECK(meant("0-2") == "0,1,2");
  CHECK(meant("1;3") == "1,3");
  CHECK(meant("0 1:2") == "0,1,2");
  CHECK(meant("0-2;5") == "0,1,2,5");
  CHECK(meant("'3'") == "3");
  CHECK(meant(" GPU-12 ") == "GPU-12");
  CHECK(meant("mig-gpu-" + digits + "/1/0") == "MIG-GPU-" + digits + "/1/0");
  CHECK(meant(digits) == "GPU-" + digits);
  for (const char* as_it_is : {"7", "-1", "2-0", "0--1", "junk", "0-4000000000", "4294967296", "1abc"}) {
    CHECK(meant(as_it_is) == as_it_is);
  }
}

TEST_CASE("ranges do not make a long entry many times longer", "[env][mask]") {
  std::string entry = "0-63";
  while (entry.size() < 100'000) entry += ";0-63";
  CHECK(meant(entry).size() == entry.size());
}
