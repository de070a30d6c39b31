#pragma once

#include "engine/links/link_law.hpp"
#include "engine/numerics/dual_functions.hpp"
#include "engine/numerics/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {

/// An anti-seismic device: a spring whose stiffness falls with the displacement, in parallel with a dashpot
/// whose force grows with the displacement. The spring stores K2 x^2/2 + (K1 - K2) x^2 / (1 + sqrt(1 + y^2)),
/// y = K1 x/F. F and D must be positive because they are divisors.
struct Antiseismic {
  static constexpr std::string_view keyword = "antiseismic";
  static constexpr std::string_view title = "Anti-seismic device";
  static constexpr std::string_view formula =
      "f = K2 x + (K1 - K2) x / sqrt(1 + y^2) + C sign(v) |v x / D|^alpha,   y = K1 x / F\n"
      "\n"
      "x, v  displacement of the first node relative to the second or to the ground [m], its rate [m/s]\n"
      "f     pushes the first node by -f and the second by +f [N]\n"
      "`damping`, `exponent` and `displacement_max` are given together or not at all.\n"
      "For alpha < 1 the dashpot is infinitely steep at v = 0: fixed steps h of explicit schemes, and\n"
      "adaptive_central, take at most |v|/(2 h w) of it, w the velocity per impulse at the device [1/kg].";
  static constexpr std::string_view source = "law ANTI_SISM of Code_Aster, R5.06.03";
  static constexpr std::string_view kEvent{};

  double stiffnessInitial{0.0};
  double stiffnessFinal{0.0};
  double threshold{1.0};
  double damping{0.0};
  double exponent{1.0};
  double displacementMax{1.0};

  static constexpr auto numericParameters() {
    using F = Field<Antiseismic>;
    return std::array{
        F{"stiffness_initial", &Antiseismic::stiffnessInitial, "N/m", 0.0, 6.0e6, "stiffness K1 for small x",
          Need::required},
        F{"stiffness_final", &Antiseismic::stiffnessFinal, "N/m", 0.0, 5.3e5, "stiffness K2 for large x",
          Need::required},
        F{"threshold", &Antiseismic::threshold, "N", 0.0, 1200.0, "force F at which the device softens",
          Need::positive},
        F{"damping", &Antiseismic::damping, "N (s/m)^alpha", 0.0, 7000.0, "C of the dashpot", Need::together},
        F{"exponent", &Antiseismic::exponent, "-", 0.0, 0.2, "exponent alpha of the dashpot", Need::together},
        F{"displacement_max", &Antiseismic::displacementMax, "m", 0.0, 0.03, "scale D of the dashpot",
          Need::together}};
  }
  static constexpr auto internalVariables() { return std::array<LinkVariable, 0>{}; }
  static constexpr LinkTraits traits{.work = LinkWork::dissipated};
  std::string_view reasonAgainstPowerSeriesOfLaw() const noexcept {
    return damping > 0.0 ? "a dashpot with a power of the rate, which has no series at rest" : "";
  }
  std::string_view reasonAgainstSpringInSeries() const noexcept {
    return damping > 0.0 ? "its dashpot depends on a power of the velocity" : "";
  }
  std::size_t axisCount() const noexcept { return 1; }

  template <class Real>
  LinkResponse<Real> computeResponse(const LinkState& /*from*/, const LinkMotion<Real>& to) const noexcept {
    LinkResponse<Real> response;
    response.force[0] = springForce(to.x[0]) + dashpotForce(to.x[0], to.v[0], to.mostDamping);
    return response;
  }

  void addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept {
    const auto power = [this](const LinkMotion<double>& at) {
      return dashpotForce(at.x[0], at.v[0], at.mostDamping) * at.v[0];
    };
    const double x = to.motion.x[0];
    const double y = stiffnessInitial * x / threshold;
    to.stored =
        x * x * (0.5 * stiffnessFinal + (stiffnessInitial - stiffnessFinal) / (1.0 + std::sqrt(1.0 + y * y)));
    to.dissipated =
        from.dissipated + (damping > 0.0 ? workOfPowerOverStep(power, from.motion, to.motion) : 0.0);
  }

  /// With an exponent below 1 the tangent damping is infinite at v = 0, and without a bound:
  /// LinkMotion::mostDamping limits it for schemes that need one.
  double dashpotForceWithInfiniteSlope() const noexcept {
    return exponent < 1.0 ? damping * std::pow(1.0 / displacementMax, exponent) : 0.0;
  }
  LinkBounds slopeBounds(const LinkMotion<double>& /*at*/) const noexcept {
    return {std::max(stiffnessInitial, stiffnessFinal), exponent < 1.0 ? 0.0 : damping / displacementMax};
  }

 private:
  template <class Real>
  Real springForce(const Real& x) const noexcept {
    const Real y = stiffnessInitial / threshold * x;
    return stiffnessFinal * x + (stiffnessInitial - stiffnessFinal) * x / sqrt(1.0 + y * y);
  }
  template <class Real>
  Real dashpotForce(const Real& x, const Real& v, double mostDamping) const noexcept {
    using std::pow;
    const Real opening = v * x / displacementMax;
    const double size = std::abs(valueOf(opening));
    if (damping == 0.0 || size == 0.0) return Real(0.0);
    const Real magnitude = valueOf(opening) < 0.0 ? -opening : opening;
    const Real force = std::copysign(damping, valueOf(v)) * pow(magnitude, Real(exponent));
    return std::abs(valueOf(force)) > mostDamping * std::abs(valueOf(v)) ? Real(mostDamping * v) : force;
  }
};

}  // namespace ricochet
