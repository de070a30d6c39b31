#pragma once

#include <algorithm>

namespace ricochet {

/// Where a quantity that falls through zero vanishes, as a fraction of the step, from its values at the
/// step's ends; 1 when it does not. A trial that notices a step late (it compares positions, the guard rates)
/// puts the root up to a step before.
inline double crossing(double before, double after) noexcept {
  if (!(after < 0.0) || !(before > after)) return 1.0;
  return std::clamp(before / (before - after), -1.0, 1.0);
}

}  // namespace ricochet
