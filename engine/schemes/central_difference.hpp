#pragma once

#include "engine/model/equation_of_motion.hpp"
#include "engine/numerics/kernels.hpp"
#include "engine/numerics/state.hpp"
#include "engine/schemes/hermite.hpp"
#include "engine/transient/scheme_traits.hpp"

#include <string_view>

namespace ricochet {

/// Central differences (leap-frog, velocity Verlet) with a velocity of second order at the end of the step.
///
/// The damping of the structure is implicit (one division per mode); contact dashpots use the velocity v_h +
/// h/2 a. Stable for omega h < 2 with the highest frequency omega of the structure with contacts closed;
/// contact dashpots lower the limit (stability.hpp).
struct CentralDifference : CarriesAcceleration {
  static constexpr std::string_view keyword = "central_difference";
  static constexpr std::string_view title = "Central differences (leap-frog, velocity Verlet)";
  static constexpr std::string_view formula =
      "v_h = v + h/2 a      q+ = q + h v_h      v+ = v_h + h/2 a+\n"
      "a+  : a = f(t+, q+, v_h + h/2 a) - C (v_h + h/2 a+) - Omega^2 q+\n"
      "stable while omega h < 2 for the highest frequency, contacts closed";
  static constexpr std::string_view source =
      "T. Belytschko, in Computational Methods for Transient Analysis (1983), ch. 1";
  static constexpr SchemeTraits traits{.order = 2,
                                       .adaptive = false,
                                       .implicit = false,
                                       .contacts = ContactForm::trial,
                                       .links = true,
                                       .varyingSpin = true,
                                       .direct = true,
                                       .lanes = true,
                                       .forecasts = false,
                                       .exactDrift = false,
                                       .keys = std::span<const std::string_view>{}};

  template <EquationOfMotion E>
  void start(E& eq, State& s, double /*nominalStep*/) {
    eq.acceleration(s.time, s.q, s.v, s.a);
  }

  template <EquationOfMotion E>
  void step(E& eq, State& s, double h) noexcept {
    if constexpr (requires { eq.kickMoveAndKickInOnePass(h, s); })
      if (!eq.linearSystem().damping) return eq.kickMoveAndKickInOnePass(h, s);
    kernels::kickVelocityAndMove(0.5 * h, s.a.data(), h, s.v.data(), s.q.data(), s.q.size());
    s.time += h;  // the loop then sets the exact instant, so that the time does not drift
    eq.implicitAcceleration(s.time, 0.0, 0.5 * h, s.q, s.v, s.a);
    if constexpr (requires { eq.kickVelocityAtStepEnd(h, s.a, s.v); })
      eq.kickVelocityAtStepEnd(0.5 * h, s.a, s.v);
    else
      kernels::addScaled(0.5 * h, s.a.data(), s.v.data(), s.v.size());
  }
};

}  // namespace ricochet
