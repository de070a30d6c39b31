#pragma once

#include "engine/contact/laws/frictionless.hpp"
#include "engine/numerics/field.hpp"
#include "engine/numerics/real.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace ricochet {

/// LuGre friction: bristles whose mean deflection z follows a differential equation. The contact has no
/// stick, slips slowly under every force, and its limit force decreases with the speed (Stribeck). For
/// time-stepping schemes only.
///
/// In a step the velocity is constant, w = (x - x_0)/h, with the mean compression; the equation is then
/// solved exactly: with S = -sigma_0 z the force of the bristles and theta = h sigma_0 |w|/g(w),
///
///     S = S_0 e^-theta - sigma_0 w h (1 - e^-theta)/theta        second order in h
///
/// The equation assumes a constant N. When a contact opens, g decreases to zero faster than z, so that z' = v
/// + |v| S/g and the force sigma_1 z' would grow without bound; the force of the bristles is therefore
/// limited to max(mu_s, mu_d) N.
///
/// Source: C. Canudas de Wit, H. Olsson, K.J. Astrom, P. Lischinsky, IEEE Trans. Autom. Control 40 (1995)
/// 419-425.
struct LuGre : Frictionless {
  static constexpr std::string_view keyword = "lugre";
  static constexpr std::string_view title = "LuGre: bristles that bend and creep";
  static constexpr std::string_view formula =
      "z' = v - sigma_0 |v| z / g(v),   g(v) = N (mu_d + (mu_s - mu_d) exp(-(|v|/v_s)^2))\n"
      "sigma_0 |z| <= max(mu_s, mu_d) N\n"
      "T = -(sigma_0 z + sigma_1 z' + sigma_2 v)\n"
      "\n"
      "z   mean deflection of the bristles [m]\n"
      "v   slip rate [m/s]\n"
      "N   compression [N]";
  static constexpr std::string_view source =
      "C. Canudas de Wit, H. Olsson, K.J. Astrom, P. Lischinsky, IEEE Trans. Autom. Control 40 (1995) "
      "419-425";
  static constexpr bool kChosenByKeys = false;
  static constexpr FrictionTraits traits{.traction = true,
                                         .coefficients = true,
                                         .setValued = false,
                                         .dashpot = true,
                                         .coneStick = false,
                                         .ofArea = false,
                                         .asksRate = true,
                                         .ofSpeed = false,
                                         .opensSlipping = true,
                                         .anchorsPlace = false,
                                         .numbersOnly = true,
                                         .branchesBySteps = false,
                                         .lanes = false,
                                         .noSeries = "friction whose bristles creep",
                                         .noImpulse = ""};

  double muStatic{0.0};
  double muDynamic{0.0};
  double stiffness{0.0};
  double damping{0.0};
  double viscous{0.0};
  double stribeckSpeed{1e-3};

  static constexpr auto numericParameters() {
    using F = Field<LuGre>;
    return std::array{
        F{"static", &LuGre::muStatic, "-", 0.0, 0.3, "static coefficient mu_s", Need::required},
        F{"dynamic", &LuGre::muDynamic, "-", 0.0, 0.2, "dynamic coefficient mu_d", Need::required},
        F{"stiffness", &LuGre::stiffness, "N/m", 0.0, 1.0e5, "stiffness of the bristles sigma_0",
          Need::positive},
        F{"damping", &LuGre::damping, "N s/m", 0.0, 50.0, "damping of the bristles sigma_1"},
        F{"viscous", &LuGre::viscous, "N s/m", 0.0, 0.4, "viscous friction sigma_2"},
        F{"stribeck_speed", &LuGre::stribeckSpeed, "m/s", 1.0e-9, 1.0e-3, "Stribeck's speed v_s"}};
  }

  /// Friction of a step; `memory.anchorForce` contains the force S of the bristles at the end of the step,
  /// `memory.anchorPosition` the path at this instant.
  template <class Real>
  FrictionTrial<Real> computeTrial(const FrictionKinematics<Real>& k,
                                   const FrictionMemory<Real>& memory) const noexcept {
    FrictionTrial<Real> next;
    next.next = {memory.anchorForce, k.position, memory.direction, true};
    Tangential<Real>& bristles = next.next.anchorForce;
    // The compression is the mean of the step: with its final value, z' would be unbounded in a step in which
    // the contact opens.
    const Real compression = k.compression - 0.5 * k.elapsed * k.compressionRate;
    if (k.elapsed > 0.0) {
      const Tangential<Real> mean = scaled(Real(1.0 / k.elapsed), k.position - memory.anchorPosition);
      const Real limit = frictionLimitAt(mean, compression);
      if (!(limit > 0.0)) return trialWithUnloadedBristles(next);
      const StepFactors<Real> factors =
          bristleRelaxationFactors(Real(k.elapsed * relaxationRate(mean, limit)));
      bristles = scaled(factors.kept, bristles) - scaled(Real(stiffness * k.elapsed) * factors.added, mean);
    }
    limitBristleForceToFrictionLimit(bristles, k.compression);  // N may have jumped
    const Real limit = frictionLimitAt(k.slipRate, compression);
    if (!(limit > 0.0)) return trialWithUnloadedBristles(next);
    const Tangential<Real> bend =  // rate z' of the deflection [m/s]
        k.slipRate + scaled(relaxationRate(k.slipRate, limit) / stiffness, bristles);
    next.traction = bristles - scaled(Real(damping), bend) - scaled(Real(viscous), k.slipRate);
    const Real square = dot(k.slipRate, k.slipRate);
    if (square > 0.0) next.next.direction = scaled(Real(-1.0), unitVector(k.slipRate, square));
    return next;
  }

  template <class Real>
  Real storedEnergy(const FrictionKinematics<Real>&, const FrictionMemory<Real>& memory) const noexcept {
    return (0.5 / stiffness) * dot(memory.anchorForce, memory.anchorForce);
  }

  bool bearsTraction() const noexcept { return muStatic > 0.0 || muDynamic > 0.0; }
  double contactStiffness() const noexcept { return stiffness; }
  double contactDamping() const noexcept { return damping + viscous; }
  /// No law of the list of friction laws equals this law in series with a spring.
  std::nullopt_t lawWithSpringInSeries(double) const noexcept { return std::nullopt; }

 private:
  /// Factors e^-theta and (1 - e^-theta)/theta of the solution over a step.
  template <class Real>
  struct StepFactors {
    Real kept, added;
  };
  template <class Real>
  static StepFactors<Real> bristleRelaxationFactors(const Real& theta) noexcept {
    using std::exp;
    constexpr double kSmall = 1e-2;  // for smaller theta the series to theta^5 is exact to 1e-15
    const Real kept = exp(-theta);
    if (theta > kSmall) return {kept, (1.0 - kept) / theta};
    const Real series =
        1.0 -
        theta / 2.0 * (1.0 - theta / 3.0 * (1.0 - theta / 4.0 * (1.0 - theta / 5.0 * (1.0 - theta / 6.0))));
    return {kept, series};
  }

  /// Limit force g(v) at a slip speed v [N].
  template <class Real>
  Real frictionLimitAt(const Tangential<Real>& v, const Real& compression) const noexcept {
    using std::exp;
    const Real part = dot(v, v) / (stribeckSpeed * stribeckSpeed);
    return compression * (muDynamic + (muStatic - muDynamic) * exp(-part));
  }

  /// Relaxation rate of the bristles, sigma_0 |v| / g(v) [1/s].
  template <class Real>
  Real relaxationRate(const Tangential<Real>& v, const Real& limit) const noexcept {
    const Real square = dot(v, v);
    if (!(square > 0.0)) return Real(0.0);
    return stiffness * sqrt(square) / limit;
  }

  /// Limits the force S of the bristles to max(mu_s, mu_d) N, which may decrease faster than the bristles
  /// creep.
  template <class Real>
  void limitBristleForceToFrictionLimit(Tangential<Real>& bristles, const Real& compression) const noexcept {
    using std::sqrt;
    const Real most = std::max(muStatic, muDynamic) * compression;
    const Real square = dot(bristles, bristles);
    if (square > most * most) bristles = scaled(Real(most / sqrt(square)), bristles);
  }

  /// Result of a trial without friction, for N = 0 or coefficients of zero: the bristles are unloaded.
  template <class Real>
  static FrictionTrial<Real> trialWithUnloadedBristles(FrictionTrial<Real> next) noexcept {
    next.next.anchorForce = {};
    next.traction = {};
    return next;
  }
};

}  // namespace ricochet
