#include "io/archive/packed_bytes.hpp"

#include "io/hdf5/hdf5.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace ricochet {
namespace {

/// Marks packed bytes; a state begins with the mark of its first class, a hash that is another.
constexpr std::array<std::uint8_t, 4> kMark{'p', 'a', 'c', 'k'};
constexpr std::size_t kHead = kMark.size() + sizeof(std::uint64_t);
constexpr std::size_t kMostPerByte = 1032;  // bytes that a byte of deflate stands for at most (zlib.net)

[[noreturn]] void throwDamagedBytes() {
  throw ResultError("a state to restart from is not as long as it says: the file is damaged");
}

}  // namespace

std::vector<std::uint8_t> compressBytes(std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  uLongf length = compressBound(static_cast<uLong>(size));
  std::vector<std::uint8_t> packed(kHead + length);
  std::ranges::copy(kMark, packed.begin());
  std::memcpy(packed.data() + kMark.size(), &size, sizeof size);
  const auto* const from = reinterpret_cast<const Bytef*>(bytes.data());
  if (compress2(packed.data() + kHead, &length, from, static_cast<uLong>(size), Z_BEST_SPEED) != Z_OK)
    throw ResultError("there is no memory to pack the state to restart from");
  packed.resize(kHead + length);
  return packed;
}

std::vector<std::byte> decompressBytes(std::span<const std::uint8_t> packed) {
  if (packed.size() < kHead || !std::ranges::equal(packed.first(kMark.size()), kMark)) {
    const std::span<const std::byte> unpacked = std::as_bytes(packed);
    return {unpacked.begin(), unpacked.end()};
  }
  std::uint64_t size = 0;
  std::memcpy(&size, packed.data() + kMark.size(), sizeof size);
  // A size that cannot be true is refused before memory is taken for it.
  if (size / kMostPerByte > packed.size()) throwDamagedBytes();
  std::vector<std::byte> bytes(size);
  std::byte none{};  // zlib asks for a place even for no bytes
  uLongf length = static_cast<uLongf>(size);
  uLong used = static_cast<uLong>(packed.size() - kHead);
  auto* const to = reinterpret_cast<Bytef*>(size > 0 ? bytes.data() : &none);
  if (uncompress2(to, &length, packed.data() + kHead, &used) != Z_OK || length != size ||
      used != packed.size() - kHead)
    throwDamagedBytes();
  return bytes;
}

}  // namespace ricochet
