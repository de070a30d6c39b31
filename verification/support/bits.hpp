#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace ricochet::test {

/// Compares numbers bit by bit, so that NaN equals itself.
inline std::vector<std::uint64_t> bitPatternsOf(std::span<const double> values) {
  std::vector<std::uint64_t> bits;
  bits.reserve(values.size());
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

}  // namespace ricochet::test
