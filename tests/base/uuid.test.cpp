// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/gpu/uuid.hpp>
#include "support/catch.hpp"

namespace gpu = gpuenv::gpu;

namespace {

constexpr auto text = "GPU-00112233-4455-6677-8899-aabbccddeeff";

gpu::uuid counted() {
  gpu::uuid id;
  for (std::size_t i = 0; i < 16; ++i) id.bytes[i] = static_cast<std::uint8_t>(0x11 * i);
  return id;
}

}  // namespace

TEST_CASE("a UUID is written as NVML writes it", "[gpu][uuid]") {
  CHECK(gpu::to_string(counted()) == text);
  CHECK(gpu::to_string(counted(), "MIG-") == "MIG-00112233-4455-6677-8899-aabbccddeeff");
}

TEST_CASE("a UUID that was written is read back", "[gpu][uuid]") {
  REQUIRE(gpu::uuid::parse(text));
  CHECK(*gpu::uuid::parse(text) == counted());
  CHECK(gpu::uuid::parse("MIG-00112233-4455-6677-8899-aabbccddeeff") == counted());
}

TEST_CASE("zero bytes of a UUID are bytes like any other", "[gpu][uuid][B34]") {
  for (std::size_t at = 0; at < 16; ++at) {
    gpu::uuid id;
    id.bytes.fill(0xc3);
    id.bytes[at] = 0;
    CHECK(gpu::to_string(id).size() == 40);
    CHECK(gpu::uuid::parse(gpu::to_string(id)) == id);
  }
  CHECK(gpu::to_string(gpu::uuid{}) == "GPU-00000000-0000-0000-0000-000000000000");
  CHECK(gpu::uuid::parse(gpu::to_string(gpu::uuid{})) == gpu::uuid{});
}

TEST_CASE("bytes behind a zero byte still tell two UUIDs apart", "[gpu][uuid][B34]") {
  gpu::uuid first = counted();
  gpu::uuid second = counted();
  first.bytes[10] = second.bytes[10] = 0;
  second.bytes[15] = 0xfe;
  CHECK(first != second);
  CHECK(second < first);
  CHECK(gpu::to_string(first) != gpu::to_string(second));
}

TEST_CASE("hexadecimal digits of a UUID may be in either case, its head may not", "[gpu][uuid]") {
  CHECK(gpu::uuid::parse("GPU-00112233-4455-6677-8899-AABBccDDeeFF") == counted());
  CHECK_FALSE(gpu::uuid::parse("gpu-00112233-4455-6677-8899-aabbccddeeff"));
  CHECK_FALSE(gpu::uuid::parse("00112233-4455-6677-8899-aabbccddeeff"));
}

TEST_CASE("what is not a whole UUID is refused", "[gpu][uuid]") {
  for (const char* bad :
       {"", "GPU-", "GPU-0011", "GPU-00112233-4455-6677-8899-aabbccddeef", "GPU-00112233-4455-6677-8899-aabbccddeeff0",
        "GPU-00112233-4455-6677-8899-aabbccddeefg", "GPU-001122334-455-6677-8899-aabbccddeeff",
        "GPU-00112233-4455-6677-8899aabbccddeeff-", "GPU-00112233--4455-667-8899-aabbccddeeff",
        " GPU-00112233-4455-6677-8899-aabbccddeeff", "GPU-00112233-4455-6677-8899-aabbccddeeff\n",
        "MIG-GPU-00112233-4455-6677-8899-aabbccddeeff/1/0"}) {
    INFO(bad);
    CHECK_FALSE(gpu::uuid::parse(bad));
  }
}

TEST_CASE("every cut of a UUID is refused and none reads past its end", "[gpu][uuid]") {
  const std::string whole = text;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string part = whole.substr(0, length);  // its own allocation: a sanitizer sees a read past the end
    CHECK_FALSE(gpu::uuid::parse(std::string_view{part.data(), part.size()}));
  }
}
