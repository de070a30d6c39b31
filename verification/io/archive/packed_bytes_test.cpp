#include "io/archive/packed_bytes.hpp"

#include "io/hdf5/hdf5.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace ricochet {
namespace {

constexpr std::size_t kHeadBytes = 12;  // mark and number of bytes

/// A stream of zlib that Python's zlib.compress(bytes(1000), 9) wrote.
TEST(PackedBytes, AreAStreamOfZlib) {
  const std::vector<std::uint8_t> stream{0x78, 0xda, 0x63, 0x60, 0x18, 0x05, 0xa3, 0x60, 0x14,
                                         0x0c, 0x77, 0x00, 0x00, 0x03, 0xe8, 0x00, 0x01};
  std::vector<std::uint8_t> packed = compressBytes(std::vector<std::byte>(1000, std::byte{0}));
  EXPECT_LT(packed.size(), 50U);
  packed.resize(kHeadBytes);
  packed.insert(packed.end(), stream.begin(), stream.end());
  EXPECT_EQ(decompressBytes(packed), std::vector<std::byte>(1000, std::byte{0}));
  EXPECT_TRUE(decompressBytes(compressBytes({})).empty());
}

/// Bytes of which one in `oneIn` is not zero, some of them repeated from before.
std::vector<std::byte> stateLikeBytes(std::size_t size, unsigned oneIn, std::mt19937& random) {
  std::vector<std::byte> bytes(size, std::byte{0});
  for (std::size_t i = 0; i < size; ++i) {
    if (random() % oneIn == 0) bytes[i] = static_cast<std::byte>(random());
    if (i < 40 || random() % 16 != 0) continue;
    const std::size_t back = 1 + random() % i, most = std::min<std::size_t>(size - i, random() % 40);
    for (std::size_t j = 0; j < most; ++j, ++i) bytes[i] = bytes[i - back];
    --i;
  }
  return bytes;
}

TEST(PackedBytes, AreTheSameBytesOfAnyLengthAndDensity) {
  std::mt19937 random(1);
  for (const unsigned oneIn : {1U, 3U, 20U, 200U}) {
    for (std::size_t size = 0; size < 300; ++size) {
      const std::vector<std::byte> bytes = stateLikeBytes(size, oneIn, random);
      ASSERT_EQ(decompressBytes(compressBytes(bytes)), bytes) << size << " " << oneIn;
    }
    const std::vector<std::byte> bytes = stateLikeBytes(300'000, oneIn, random);
    ASSERT_TRUE(decompressBytes(compressBytes(bytes)) == bytes) << oneIn;
  }
}

TEST(PackedBytes, AreHardlyLongerWhereNothingRepeats) {
  std::mt19937 random(2);
  std::vector<std::byte> bytes(10'000);
  for (std::byte& each : bytes) each = static_cast<std::byte>(random());
  EXPECT_LE(compressBytes(bytes).size(), kHeadBytes + bytes.size() + bytes.size() / 255 + 20);
}

TEST(PackedBytes, AreThoseOfEarlierProgramsWithoutTheMark) {
  const std::vector<std::uint8_t> state{1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 5};
  const std::vector<std::byte> same = decompressBytes(state);
  ASSERT_EQ(same.size(), state.size());
  EXPECT_EQ(same.back(), std::byte{5});
  EXPECT_EQ(decompressBytes(std::span(state).first(2)).size(), 2U);
}

TEST(PackedBytes, AreRefusedWhereTheirLengthIsNotTrue) {
  const std::vector<std::uint8_t> packed = compressBytes(std::vector<std::byte>(100, std::byte{3}));
  for (const std::uint64_t size : {0ULL, 64ULL, 101ULL, 1ULL << 60U, ~0ULL}) {
    std::vector<std::uint8_t> damaged = packed;
    std::memcpy(damaged.data() + 4, &size, sizeof size);
    EXPECT_THROW(decompressBytes(damaged), ResultError) << size;
  }
  for (std::size_t length = kHeadBytes; length < packed.size(); ++length)
    EXPECT_THROW(decompressBytes(std::span(packed).first(length)), ResultError) << length;
}

}  // namespace
}  // namespace ricochet
