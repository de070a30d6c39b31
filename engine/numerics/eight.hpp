#pragma once

#include "engine/numerics/real.hpp"

#include <cstddef>
#include <cstdint>

namespace ricochet::batch {

inline constexpr std::size_t kWidth = 8;  ///< variants in a group, one per lane

/// Eight doubles in memory, one per lane. EightMask is the result of a comparison: all bits set or none.
struct alignas(64) Eight {
  double lane[kWidth]{};

  void fill(double value) noexcept {
    for (double& each : lane) each = value;
  }
};
struct alignas(64) EightMask {
  std::int64_t lane[kWidth]{};

  bool isSet(std::size_t i) const noexcept { return lane[i] != 0; }
  void set(std::size_t i, bool value) noexcept { lane[i] = value ? -1 : 0; }
};

}  // namespace ricochet::batch

template <>
struct ricochet::MaskOf<ricochet::batch::Eight> {
  using Type = ricochet::batch::EightMask;
};
