// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/device_choice.hpp>
#include <gpuenv/base/error.hpp>
#include "support/catch.hpp"

namespace ge = gpuenv;
using ge::device_choice;

namespace {
bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
}  // namespace

TEST_CASE("the words for a device are read", "[base][device_choice]") {
  CHECK(device_choice::parse("auto") == device_choice{});
  CHECK(device_choice::parse("auto") == ge::automatic);
  CHECK(device_choice::parse("cpu") == device_choice::cpu());
  CHECK(device_choice::parse("cuda") == device_choice::any_gpu());
}

TEST_CASE("an index, a UUID and a PCI address choose one GPU", "[base][device_choice]") {
  CHECK(device_choice::parse("1") == device_choice::gpu("1"));
  CHECK(device_choice::parse("cuda:1") == device_choice::gpu("1"));
  for (const char* name : {"GPU-00112233-4455-6677-8899-aabbccddeeff", "MIG-00112233-4455-6677-8899-aabbccddeeff",
                           "0000:41:00.0", "41:00.0"}) {
    CHECK(device_choice::parse(name).selector() == name);
    CHECK(device_choice::parse(name).what() == device_choice::kind::one_gpu);
  }
}

TEST_CASE("only a named GPU, or any GPU, is a demand", "[base][device_choice]") {
  CHECK(device_choice::any_gpu().demands_gpu());
  CHECK(device_choice::gpu("0").demands_gpu());
  CHECK_FALSE(device_choice::cpu().demands_gpu());
  CHECK_FALSE(device_choice{}.demands_gpu());
}

TEST_CASE("a text that names no device is refused with the accepted forms", "[base][device_choice]") {
  for (const char* bad : {"", "gpu", "CPU", "cuda:", "cuda:x", "-1", "1.5", " 1", "99999999999", "H200"}) {
    INFO(bad);
    try {
      static_cast<void>(device_choice::parse(bad));
      FAIL("it was taken");
    } catch (const ge::error& e) {
      CHECK(e.code() == ge::errc::invalid_argument);
      CHECK(contains(e.attempted(), "'" + std::string{bad} + "'"));
      for (const char* form : {"auto", "cpu", "cuda", "index", "UUID", "PCI"}) CHECK(contains(e.hint(), form));
    }
  }
}
