#pragma once

#include "engine/wear.hpp"

#include <optional>

namespace ricochet {

/// `wear` of a contact: Archard's law, and the shape of what it takes off.
struct WearRequest {
  double coefficient{0.0};           ///< k [m^3/J]
  std::optional<WornShape> shape{};  ///< absent: no depth
  std::optional<double> after{};  ///< time worn at the mean rate of a window [s]; absent: the window itself

  double volume(double work, double duration) const noexcept {
    return coefficient * (after && duration > 0.0 ? *after / duration * work : work);
  }
};

}  // namespace ricochet
