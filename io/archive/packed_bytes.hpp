#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ricochet {

/// States of contacts in bytes are mostly zeros, and say much of it twice. Packed, a mark and the number of
/// bytes come first; then follows what zlib makes of the bytes.
std::vector<std::uint8_t> compressBytes(std::span<const std::byte> bytes);

/// The bytes that were packed; those without the mark, as earlier programs wrote them, are returned as they
/// are. Throws ResultError if they are damaged, or not as long as they say.
std::vector<std::byte> decompressBytes(std::span<const std::uint8_t> packed);

}  // namespace ricochet
