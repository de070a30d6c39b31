#pragma once

#include <algorithm>

namespace ricochet {

/// Root of a quantity that falls through zero in a step, as a fraction of the step, by linear interpolation
/// of the values at both ends; 1 when the quantity does not become negative. The root is negative, by up to
/// one step, when the trial detects a transition one step late (the trial compares positions, the guard
/// rates).
inline double stepFractionOfZeroCrossing(double before, double after) noexcept {
  if (!(after < 0.0) || !(before > after)) return 1.0;
  return std::clamp(before / (before - after), -1.0, 1.0);
}

}  // namespace ricochet
