#pragma once

#include "engine/numerics/state.hpp"

namespace ricochet {

/// Jump of the coordinates and their velocities at an instant, which a jump of the motion of a base causes:
/// masses keep their place and velocity in space, and dashpots give them impulses.
struct MotionJump {
  double time{0.0};     ///< [s]
  Vector displacement;  ///< change of q [m kg^1/2 or m]
  Vector velocity;      ///< change of q' [m/s kg^1/2 or m/s]

  void addTo(State& s) const {
    s.q.head(displacement.size()) += displacement;
    s.v.head(velocity.size()) += velocity;
  }
};

}  // namespace ricochet
