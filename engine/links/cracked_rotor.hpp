#pragma once

#include "engine/links/angle_function.hpp"
#include "engine/links/link_law.hpp"
#include "engine/numerics/dual_functions.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace ricochet {

/// A shaft with a crack that opens and closes as the shaft turns. K(phi) is its bending stiffness for a bend
/// at the angle phi from the crack, K' = dK/dphi, and psi is the angle of the shaft. The moments are K r1 +
/// K' r2/2 and K r2 - K' r1/2, in the fixed axes as in axes that turn with the shaft. While psi varies, the
/// drive of the shaft supplies the power K' |r|^2/2 dpsi/dt, which counts as external work. K is a periodic
/// spline, so that the moment f is continuous. At r = 0, where phi jumps, f is of the first degree: f(c r) =
/// c f(r).
struct CrackedRotor {
  static constexpr std::string_view keyword = "cracked_rotor";
  static constexpr std::string_view title = "Shaft with a crack that opens and closes as it turns";
  static constexpr std::string_view formula =
      "phi = atan2(r1, r2) + psi(t)               psi = initial angle + speed t\n"
      "W = K(phi) (r1^2 + r2^2)/2                 potential at an angle psi of the shaft\n"
      "f1 = K r1 + K' r2/2,  f2 = K r2 - K' r1/2\n"
      "\n"
      "r1, r2  rotations of the first node relative to the second or to the ground, about two axes across "
      "the\n"
      "        shaft [rad]\n"
      "f1, f2  moments about them, -f on the first node and +f on the second [N m]";
  static constexpr std::string_view source = "law ROTOR_FISS of Code_Aster, R5.05.08";
  static constexpr std::string_view kEvent{};

  AngleFunction stiffness{};  ///< stiffness K [N m/rad] over the angle [rad]
  double initialAngleDegrees{0.0};
  double speed{0.0};

  static constexpr auto numericParameters() {
    using F = Field<CrackedRotor>;
    return std::array{
        F{"initial_angle_deg", &CrackedRotor::initialAngleDegrees, "deg", -360.0, 0.0, "angle at t = 0"},
        F{"speed", &CrackedRotor::speed, "rad/s", -1.0e6, 30.0, "speed of the shaft", Need::required}};
  }
  static constexpr auto deckKeys() {
    return std::array{
        DeckKey::optional(
            "stiffness", "N m/rad", "\"crack\"",
            "K, a function of the angle phi [rad] over one turn, the same at both of its ends: a table or a "
            "formula in t")
            .required()
            .allows(">= 0")
            .refersToTables("[functions.crack]\nformula = \"100 + 30*cos(t)\"")};
  }
  static constexpr auto internalVariables() {
    return std::array{LinkVariable{"angle", "rad", "phi, of the bend from the crack, 0 to 2 pi"}};
  }
  static constexpr LinkTraits traits{.work = LinkWork::external, .actsOnRotations = true};
  static constexpr bool kFirstDegree = true;
  static constexpr std::string_view reasonAgainstPowerSeriesOfLaw() noexcept { return ""; }
  static constexpr std::string_view reasonAgainstSpringInSeries() noexcept { return ""; }
  std::size_t axisCount() const noexcept { return 2; }

  template <class Real>
  LinkResponse<Real> computeResponse(const LinkState& /*from*/, const LinkMotion<Real>& to) const noexcept {
    LinkResponse<Real> response;
    if constexpr (std::is_same_v<Real, Series>) return computeResponseSeries(to);
    const double phi = crackAngle(valueOf(to.x[0]), valueOf(to.x[1]), valueOf(to.time));
    response.memory[0] = phi - 2.0 * std::numbers::pi * std::floor(phi / (2.0 * std::numbers::pi));
    const double square = valueOf(to.x[0]) * valueOf(to.x[0]) + valueOf(to.x[1]) * valueOf(to.x[1]);
    if (square == 0.0) return response;
    // the derivative of phi along r1, r2 is (r2, -r1)/|r|^2
    const AngleFunction::Jet k = stiffness.at(phi);
    const Real turned =
        (valueOf(to.x[1]) * (to.x[0] - valueOf(to.x[0])) - valueOf(to.x[0]) * (to.x[1] - valueOf(to.x[1]))) /
        square;
    const Real value = k.value + k.slope * turned;
    const Real slope = k.slope + k.bend * turned;
    response.force[0] = value * to.x[0] + 0.5 * slope * to.x[1];
    response.force[1] = value * to.x[1] - 0.5 * slope * to.x[0];
    return response;
  }

  void addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept {
    const auto drive = [this](const LinkMotion<double>& at) {
      const double phi = crackAngle(at.x[0], at.x[1], at.time);
      return 0.5 * stiffness.at(phi).slope * (at.x[0] * at.x[0] + at.x[1] * at.x[1]) * speed;
    };
    const LinkMotion<double>& at = to.motion;
    to.stored = 0.5 * stiffness.at(crackAngle(at.x[0], at.x[1], at.time)).value *
                (at.x[0] * at.x[0] + at.x[1] * at.x[1]);
    to.external = from.external + workOfPowerOverStep(drive, from.motion, to.motion);
  }

  LinkBounds slopeBounds(const LinkMotion<double>& /*at*/) const noexcept {
    return {stiffness.largestCurvature(), 0.0};
  }

 private:
  LinkResponse<Series> computeResponseSeries(const LinkMotion<Series>& to) const;
  double crackAngle(double r1, double r2, double time) const noexcept {
    return std::atan2(r1, r2) + initialAngleDegrees * (std::numbers::pi / 180.0) + speed * time;
  }
};

}  // namespace ricochet
