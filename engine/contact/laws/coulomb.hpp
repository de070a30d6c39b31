#pragma once

#include "engine/contact/laws/friction_keys.hpp"
#include "engine/contact/laws/friction_law.hpp"
#include "engine/contact/laws/regularised_coulomb.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace ricochet {

/// Coulomb friction as a set-valued law: stick without elastic slip and without creep.
///
/// Stick ends when the traction required for stick leaves the cone of mu_s. When s' vanishes, slip ends if
/// this traction lies inside the cone; otherwise slip continues in the opposite direction. The traction in
/// stick is a reaction that the motion determines, so the law has no time-stepping form: the schemes event
/// and moreau solve for the reaction, all others refuse the law.
struct Coulomb {
  static constexpr std::string_view keyword = "set_valued_coulomb";
  static constexpr std::string_view title = "Coulomb friction as a set-valued law: true stick";
  static constexpr std::string_view formula =
      "s' = 0, |T| <= mu_s N              stick: T is whatever keeps the node on the surface\n"
      "T = mu_d N e,  e = -s'/|s'|        slip\n"
      "\n"
      "s'  slip rate, of the node against the surface [m/s]\n"
      "N   compression [N]\n"
      "T   traction on the node [N]";
  static constexpr std::string_view source =
      "J.J. Moreau, in Nonsmooth Mechanics and Applications, CISM 302 (1988) 1-82";
  static constexpr bool kChosenByKeys =
      true;  ///< the deck key is the set of coefficients without `stiffness`
  static constexpr FrictionTraits traits{.traction = true,
                                         .coefficients = true,
                                         .setValued = true,
                                         .dashpot = false,
                                         .coneStick = false,
                                         .ofArea = false,
                                         .asksRate = false,
                                         .ofSpeed = false,
                                         .opensSlipping = false,
                                         .anchorsPlace = false,
                                         .numbersOnly = true,
                                         .branchesBySteps = false,
                                         .lanes = false,
                                         .noSeries = "",
                                         .noImpulse = ""};

  double muStatic{0.0};
  double muDynamic{0.0};

  static constexpr auto numericParameters() {
    using F = Field<Coulomb>;
    return std::array{
        F{"static", &Coulomb::muStatic, "-", 0.0, 0.3, "static coefficient mu_s", Need::required},
        F{"dynamic", &Coulomb::muDynamic, "-", 0.0, 0.2, "dynamic coefficient mu_d", Need::required}};
  }
  static constexpr auto deckKeys() {
    namespace keys = friction_keys;
    return std::array{keys::kCoefficient, keys::kAlong, keys::kAcross};
  }

  /// Traction [N]: in stick the reaction, in slip mu_d N along the direction of the memory, mu_s N before the
  /// slip moves.
  template <class Real>
  Tangential<Real> force(FrictionState state, const FrictionKinematics<Real>& k,
                         const FrictionMemory<Real>& memory) const noexcept {
    if (state == FrictionState::stick) return k.reaction;
    return scaled((memory.onStaticCone ? muStatic : muDynamic) * k.compression, memory.direction);
  }

  /// Direction of the traction in a slip that changes direction: opposite to the slip rate.
  template <class Real>
  Tangential<Real> tractionDirection(const FrictionKinematics<Real>& k) const noexcept {
    return unitVector(scaled(-1.0, k.slipRate), dot(k.slipRate, k.slipRate));
  }

  /// Guard of stick or slip, positive while the state holds. Stick: (mu_s N)^2 - |T|^2 [N^2]. Slip: component
  /// of the slip rate against the traction [m/s].
  template <class Real>
  Real guard(FrictionState state, const FrictionKinematics<Real>& k,
             const FrictionMemory<Real>& memory) const noexcept {
    if (state == FrictionState::slip) return -dot(k.slipRate, memory.direction);
    const Real limit = muStatic * k.compression;
    return limit * limit - dot(k.reaction, k.reaction);
  }

  /// Distance to the friction cone along a unit vector e, mu_s N - T.e [N]: a linear form of `guard` for
  /// motion along one line.
  template <class Real>
  Real frictionConeMargin(const FrictionKinematics<Real>& k, const FrictionMemory<Real>&,
                          const Tangential<double>& e) const noexcept {
    return muStatic * k.compression - (e.first * k.reaction.first + e.second * k.reaction.second);
  }

  /// Friction memory at the start of a state: slip begins along the traction of the stick.
  template <class Real>
  FrictionMemory<Real> frictionMemoryAtStateStart(FrictionState state, const FrictionKinematics<Real>& k,
                                                  const FrictionMemory<Real>& memory) const noexcept {
    FrictionMemory<Real> next = memory;
    next.slipping = Mask<Real>(state == FrictionState::slip);
    next.onStaticCone = false;
    if (state == FrictionState::slip) next.direction = unitVector(k.reaction, dot(k.reaction, k.reaction));
    return next;
  }

  template <class Real>
  Real storedEnergy(const FrictionKinematics<Real>&, const FrictionMemory<Real>&) const noexcept {
    return Real(0.0);
  }

  bool bearsTraction() const noexcept { return muStatic > 0.0 || muDynamic > 0.0; }
  double tractionDropAtBreakaway(double compression) const noexcept {
    return (muStatic - muDynamic) * compression;
  }
  double contactStiffness() const noexcept { return 0.0; }
  double contactDamping() const noexcept { return 0.0; }

  /// In series with a spring, the law is the elastic stick of this spring (Jenkins element): the anchor of
  /// the spring is the point that slips.
  std::optional<RegularisedCoulomb> lawWithSpringInSeries(double flexibility) const noexcept {
    return RegularisedCoulomb{muStatic, muDynamic, 1.0 / flexibility, 0.0};
  }
};

}  // namespace ricochet
