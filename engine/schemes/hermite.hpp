#pragma once

#include "engine/numerics/state.hpp"

namespace ricochet {

/// Dense output between two states by the cubic through their displacements and velocities: error O(h^4) of
/// q, O(h^3) of v, O(h^2) of a for a smooth motion. `theta` in [0, 1].
inline void interpolateCubic(const State& from, const State& to, double theta, State& at) {
  const double h = to.time - from.time;
  const double s = 1.0 - theta;
  const double th = theta;
  at.time = from.time + theta * h;
  at.q = (s * s * (1.0 + 2.0 * th)) * from.q + (th * th * (3.0 - 2.0 * th)) * to.q +
         (h * th * s * s) * from.v - (h * th * th * s) * to.v;
  at.v =
      (6.0 * th * s / h) * (to.q - from.q) + (s * (1.0 - 3.0 * th)) * from.v + (th * (3.0 * th - 2.0)) * to.v;
  at.a = s * from.a + th * to.a;
}

/// Functions shared by schemes whose state is displacement, velocity and acceleration at the end of a step.
struct CarriesAcceleration {
  /// Vector to which the jump of a load is added: the acceleration.
  Vector& vectorChangedByLoadJump(State& s) noexcept { return s.a; }

  /// Completes the state for output; nothing to do here, because all parts of the state are carried.
  template <class E>
  void completeAcceleration(E&, State&) noexcept {}

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("CarriesAcceleration");
  }

  template <class E>
  void interpolate(E&, const State& from, const State& to, double theta, State& at) {
    interpolateCubic(from, to, theta, at);
  }
};

}  // namespace ricochet
