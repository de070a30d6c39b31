#pragma once

#include "engine/model/equation_of_motion.hpp"
#include "engine/numerics/kernels.hpp"
#include "engine/numerics/state.hpp"
#include "engine/schemes/hermite.hpp"
#include "engine/transient/scheme_traits.hpp"

#include <string_view>

namespace ricochet {

/// Symplectic (semi-implicit) Euler method: first order, one evaluation per step, all forces explicit.
///
/// Some codes call this method central differences; it is included for comparison.
struct SymplecticEuler : CarriesAcceleration {
  static constexpr std::string_view keyword = "symplectic_euler";
  static constexpr std::string_view title = "Symplectic (semi-implicit) Euler";
  static constexpr std::string_view formula =
      "v+ = v + h a(t, q, v)      q+ = q + h v+\n"
      "stable while omega h < 2 (sqrt(1 + xi^2) - xi)";
  static constexpr std::string_view source =
      "E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, section I.1";
  static constexpr SchemeTraits traits{.order = 1,
                                       .adaptive = false,
                                       .implicit = false,
                                       .contacts = ContactForm::trial,
                                       .links = true,
                                       .varyingSpin = true,
                                       .direct = false,
                                       .lanes = false,
                                       .forecasts = false,
                                       .exactDrift = false,
                                       .keys = std::span<const std::string_view>{}};

  template <EquationOfMotion E>
  void start(E& eq, State& s, double /*nominalStep*/) {
    eq.acceleration(s.time, s.q, s.v, s.a);
  }

  template <EquationOfMotion E>
  void step(E& eq, State& s, double h) noexcept {
    if constexpr (requires { eq.kickVelocityAndMove(h, s); })
      if (!eq.linearSystem().damping) return eq.kickVelocityAndMove(h, s);
    kernels::addScaled(h, s.a.data(), s.v.data(), s.v.size());
    kernels::addScaled(h, s.v.data(), s.q.data(), s.q.size());
    s.time += h;
    eq.acceleration(s.time, s.q, s.v, s.a);
  }
};

}  // namespace ricochet
