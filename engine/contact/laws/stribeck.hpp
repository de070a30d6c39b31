#pragma once

#include "engine/contact/laws/coulomb.hpp"
#include "engine/contact/laws/frictionless.hpp"
#include "engine/contact/laws/regularised_coulomb.hpp"
#include "engine/contact/laws/speed_table.hpp"
#include "engine/numerics/field.hpp"
#include "engine/numerics/real.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

namespace ricochet {

/// Coulomb friction whose coefficient depends on the slip speed (Stribeck), with an elastic, damped stick. A
/// coefficient that decreases with the speed can excite vibration.
struct Stribeck : Frictionless {
  static constexpr std::string_view keyword = "stribeck";
  static constexpr std::string_view title = "Friction that depends on the slip speed (Stribeck)";
  static constexpr std::string_view formula =
      "as `coulomb` with an elastic stick, mu_s = mu(0) and mu_d = mu(|s'|)\n"
      "\n"
      "s'  slip rate [m/s]\n"
      "mu  table over the slip speed [-], constant beyond the last point";
  static constexpr std::string_view source =
      "R. Stribeck, Z. Ver. Dtsch. Ing. 46 (1902) 1341-1348, 1432-1438, 1463-1470";
  static constexpr bool kChosenByKeys = true;  ///< the key `velocity_law` selects this law
  static constexpr FrictionTraits traits{.traction = true,
                                         .coefficients = false,
                                         .setValued = false,
                                         .dashpot = true,
                                         .coneStick = false,
                                         .ofArea = false,
                                         .asksRate = true,
                                         .ofSpeed = true,
                                         .opensSlipping = false,
                                         .anchorsPlace = false,
                                         .numbersOnly = false,
                                         .branchesBySteps = false,
                                         .lanes = false,
                                         .noSeries = "",
                                         .noImpulse = ""};

  double stiffness{0.0};
  double damping{0.0};
  std::shared_ptr<const SpeedTable> table{SpeedTable::makeExample()};

  static constexpr auto numericParameters() {
    using F = Field<Stribeck>;
    return std::array{
        F{"stiffness", &Stribeck::stiffness, "N/m", 0.0, 1.0e5, "stick stiffness k_t", Need::positive},
        F{"damping", &Stribeck::damping, "N s/m", 0.0, 50.0, "stick damping c_t"}};
  }
  static constexpr auto deckKeys() {
    namespace keys = friction_keys;
    constexpr auto table = SpeedTable::deckKeys();
    return std::array{table[0], table[1], keys::kStickDamping, keys::kAlong, keys::kAcross};
  }

  template <class Real>
  FrictionTrial<Real> computeTrial(const FrictionKinematics<Real>& k,
                                   const FrictionMemory<Real>& memory) const noexcept {
    return coulombLawWithCoefficientAtSlipSpeed<Real>(k).template computeTrial<Real>(k, memory);
  }
  /// The Stribeck law on one piece of its speed table, where the coefficient is linear in the slip speed
  /// against the traction, v = -s'.e. Event-driven schemes pass from piece to piece.
  struct LawOnPiece {
    const Stribeck& law;
    SpeedPiece piece;

    template <class Real>
    RegularisedCoulombOf<Real> coulombLawAtSlipSpeed(const FrictionKinematics<Real>& k,
                                                     const FrictionMemory<Real>& memory) const noexcept {
      const Real speed = -dot(k.slipRate, memory.direction);
      return {Real(law.table->coefficient.front()), Real(piece.coefficient) + Real(piece.slope) * speed,
              Real(law.stiffness), Real(law.damping)};
    }
    template <class Real>
    Tangential<Real> force(FrictionState state, const FrictionKinematics<Real>& k,
                           const FrictionMemory<Real>& memory) const noexcept {
      return coulombLawAtSlipSpeed(k, memory).template force<Real>(state, k, memory);
    }
    /// Guard of stick or slip as for RegularisedCoulomb; without a dashpot, the rate of the slider is -(s' +
    /// T'/k_t).e.
    template <class Real>
    Real guard(FrictionState state, const FrictionKinematics<Real>& k,
               const FrictionMemory<Real>& memory) const noexcept {
      if (state == FrictionState::slip && law.damping == 0.0)
        return -dot(k.slipRate + scaled(Real(1.0 / law.stiffness), k.reactionRate), memory.direction);
      return coulombLawAtSlipSpeed(k, memory).template guard<Real>(state, k, memory);
    }
    template <class Real>
    Real frictionConeMargin(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory,
                            const Tangential<double>& e) const noexcept {
      return coulombLawAtSlipSpeed(k, memory).template frictionConeMargin<Real>(k, memory, e);
    }
    template <class Real>
    Real tractionAboveDynamicFriction(const FrictionKinematics<Real>& k,
                                      const FrictionMemory<Real>& memory) const noexcept {
      return coulombLawAtSlipSpeed(k, memory).template tractionAboveDynamicFriction<Real>(k, memory);
    }
    template <class Real>
    Tangential<Real> springForceRate(const FrictionMemory<Real>& memory,
                                     const Tangential<Real>& traction) const noexcept {
      return RegularisedCoulomb{0.0, 0.0, law.stiffness, law.damping}.template springForceRate<Real>(
          memory, traction);
    }
  };
  LawOnPiece frictionLawOnSpeedPiece(const SpeedPiece& piece) const noexcept { return {*this, piece}; }

  template <class Real>
  Tangential<Real> force(FrictionState state, const FrictionKinematics<Real>& k,
                         const FrictionMemory<Real>& memory) const noexcept {
    if constexpr (std::is_same_v<Real, double>)
      return coulombLawWithCoefficientAtSlipSpeed<double>(k).template force<double>(state, k, memory);
    else
      return {};
  }
  template <class Real>
  Real guard(FrictionState state, const FrictionKinematics<Real>& k,
             const FrictionMemory<Real>& memory) const noexcept {
    if constexpr (std::is_same_v<Real, double>)
      return coulombLawWithCoefficientAtSlipSpeed<double>(k).template guard<double>(state, k, memory);
    else
      return Real(1.0);
  }
  template <class Real>
  Real frictionConeMargin(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory,
                          const Tangential<double>& e) const noexcept {
    if constexpr (std::is_same_v<Real, double>)
      return coulombLawWithCoefficientAtSlipSpeed<double>(k).template frictionConeMargin<double>(k, memory,
                                                                                                 e);
    else
      return Real(1.0);
  }
  /// Excess of the trial traction over the limit of slip at the speed |s'| [N], as in RegularisedCoulomb.
  double tractionAboveDynamicFriction(const FrictionKinematics<double>& k,
                                      const FrictionMemory<double>& memory) const noexcept {
    return coulombLawWithCoefficientAtSlipSpeed<double>(k).tractionAboveDynamicFriction(k, memory);
  }
  template <class Real>
  FrictionMemory<Real> frictionMemoryAtStateStart(FrictionState state, const FrictionKinematics<Real>& k,
                                                  const FrictionMemory<Real>& memory) const noexcept {
    if constexpr (std::is_same_v<Real, double>)
      return coulombLawWithCoefficientAtSlipSpeed<double>(k).template frictionMemoryAtStateStart<double>(
          state, k, memory);
    else
      return memory;
  }
  template <class Real>
  Real storedEnergy(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory) const noexcept {
    const Tangential<Real> spring =
        memory.anchorForce - scaled(stiffness, k.position - memory.anchorPosition);
    return (0.5 / stiffness) * dot(spring, spring);
  }

  bool bearsTraction() const noexcept { return table->bearsTraction(); }
  /// Relaxation rate of the spring in a damped slip [1/s].
  double relaxationRate() const noexcept { return damping > 0.0 ? stiffness / damping : 0.0; }
  double contactStiffness() const noexcept { return stiffness; }
  double contactDamping() const noexcept { return damping; }
  /// No law of the list of friction laws equals this law in series with a spring.
  std::nullopt_t lawWithSpringInSeries(double) const noexcept { return std::nullopt; }

 private:
  template <class Real>
  RegularisedCoulombOf<Real> coulombLawWithCoefficientAtSlipSpeed(
      const FrictionKinematics<Real>& k) const noexcept {
    const Real square = dot(k.slipRate, k.slipRate);
    const Real speed = square > Real(0.0) ? sqrt(square) : Real(0.0);
    return {Real(table->coefficient.front()), table->coefficientAt(speed), Real(stiffness), Real(damping)};
  }
};

/// Coulomb friction with set-valued stick whose coefficient depends on the slip speed (Stribeck).
/// // Stick and slip change as those of `set_valued_coulomb`; the schemes event and moreau accept this law.
struct SpeedCoulomb : Frictionless {
  static constexpr std::string_view keyword = "set_valued_stribeck";
  static constexpr std::string_view title = "Friction that depends on the slip speed, with true stick";
  static constexpr std::string_view formula =
      "s' = 0, |T| <= mu(0) N               stick: T is whatever keeps the node on the surface\n"
      "T = mu(|s'|) N e,  e = -s'/|s'|      slip\n"
      "\n"
      "s'  slip rate, of the node against the surface [m/s]\n"
      "mu  table over the slip speed [-], constant beyond the last point\n"
      "N   compression [N]\n"
      "T   traction on the node [N]";
  static constexpr std::string_view source = Stribeck::source;
  static constexpr bool kChosenByKeys =
      true;  ///< the key `velocity_law` without `stiffness` selects this law
  static constexpr FrictionTraits traits{.traction = true,
                                         .coefficients = false,
                                         .setValued = true,
                                         .dashpot = false,
                                         .coneStick = false,
                                         .ofArea = false,
                                         .asksRate = false,
                                         .ofSpeed = true,
                                         .opensSlipping = false,
                                         .anchorsPlace = false,
                                         .numbersOnly = false,
                                         .branchesBySteps = false,
                                         .lanes = false,
                                         .noSeries = "",
                                         .noImpulse = ""};

  std::shared_ptr<const SpeedTable> table{SpeedTable::makeExample()};

  static constexpr auto numericParameters() { return std::array<Field<SpeedCoulomb>, 0>{}; }
  static constexpr auto deckKeys() {
    namespace keys = friction_keys;
    constexpr auto table = SpeedTable::deckKeys();
    return std::array{table[0], table[1], keys::kAlong, keys::kAcross};
  }

  /// The law on one piece of its speed table, where the coefficient is linear in the slip speed against the
  /// traction.
  struct LawOnPiece {
    const SpeedCoulomb& law;
    SpeedPiece piece;

    template <class Real>
    Tangential<Real> force(FrictionState state, const FrictionKinematics<Real>& k,
                           const FrictionMemory<Real>& memory) const noexcept {
      if (state == FrictionState::stick) return k.reaction;
      const Real speed = -dot(k.slipRate, memory.direction);
      return scaled((Real(piece.coefficient) + Real(piece.slope) * speed) * k.compression, memory.direction);
    }
    template <class Real>
    Real guard(FrictionState state, const FrictionKinematics<Real>& k,
               const FrictionMemory<Real>& memory) const noexcept {
      return law.coulombLawAtRest().template guard<Real>(state, k, memory);
    }
    template <class Real>
    Real frictionConeMargin(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory,
                            const Tangential<double>& e) const noexcept {
      return law.coulombLawAtRest().template frictionConeMargin<Real>(k, memory, e);
    }
  };
  LawOnPiece frictionLawOnSpeedPiece(const SpeedPiece& piece) const noexcept { return {*this, piece}; }

  template <class Real>
  Tangential<Real> force(FrictionState state, const FrictionKinematics<Real>& k,
                         const FrictionMemory<Real>& memory) const noexcept {
    if constexpr (std::is_same_v<Real, double>)
      return state == FrictionState::stick
                 ? k.reaction
                 : scaled(table->coefficientAt(length(k.slipRate)) * k.compression, memory.direction);
    else
      return {};
  }
  template <class Real>
  Tangential<Real> tractionDirection(const FrictionKinematics<Real>& k) const noexcept {
    return coulombLawAtRest().template tractionDirection<Real>(k);
  }
  template <class Real>
  Real guard(FrictionState state, const FrictionKinematics<Real>& k,
             const FrictionMemory<Real>& memory) const noexcept {
    return coulombLawAtRest().template guard<Real>(state, k, memory);
  }
  template <class Real>
  Real frictionConeMargin(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory,
                          const Tangential<double>& e) const noexcept {
    return coulombLawAtRest().template frictionConeMargin<Real>(k, memory, e);
  }
  template <class Real>
  FrictionMemory<Real> frictionMemoryAtStateStart(FrictionState state, const FrictionKinematics<Real>& k,
                                                  const FrictionMemory<Real>& memory) const noexcept {
    return coulombLawAtRest().template frictionMemoryAtStateStart<Real>(state, k, memory);
  }

  bool bearsTraction() const noexcept { return table->bearsTraction(); }
  /// No law of the list of friction laws equals this law in series with a spring.
  std::nullopt_t lawWithSpringInSeries(double) const noexcept { return std::nullopt; }

 private:
  /// Coulomb law with the coefficients at rest, which determine the guards of stick and slip.
  Coulomb coulombLawAtRest() const noexcept {
    return {table->coefficient.front(), table->coefficient.front()};
  }
};

/// A law on one piece of its speed table; the law itself if its coefficients are constant.
template <class Law>
decltype(auto) frictionLawOnSpeedPiece(const Law& law, const SpeedPiece& piece) noexcept {
  if constexpr (Law::traits.ofSpeed)
    return law.frictionLawOnSpeedPiece(piece);
  else
    return (law);
}

}  // namespace ricochet
