#pragma once

#include "engine/functions/time_function.hpp"

#include <optional>
#include <vector>

namespace ricochet {

/// A displacement that is a function of time, and its velocity.
struct ImposedDisplacement {
  TimeFunction displacement{TimeFunction::constant(0.0)};  ///< [m]
  std::optional<TimeFunction> velocity{};                  ///< [m/s]; absent: the slope of `displacement`

  /// Displacement at t, `elapsed` [s] after the start of a step (TimeFunction::valueAtTimeInStep).
  double displacementAt(double t, double elapsed = 0.0) const noexcept {
    return displacement.valueAtTimeInStep(t, elapsed);
  }
  /// Velocity at t, `elapsed` [s] after the start of a step (TimeFunction::valueAtTimeInStep).
  double velocityAt(double t, double elapsed = 0.0) const noexcept {
    return velocity ? velocity->valueAtTimeInStep(t, elapsed) : displacement.slopeAtTimeInStep(t, elapsed);
  }
  std::vector<double> instantsOfVelocityJumps() const {
    if (velocity) return velocity->jumpInstants();
    return displacement.formulaOrNull() != nullptr ? std::vector<double>{} : displacement.breakpoints();
  }
};

}  // namespace ricochet
