#pragma once

#include "engine/contact/laws/frictionless.hpp"
#include "engine/contact/laws/regularised_coulomb.hpp"
#include "engine/numerics/field.hpp"
#include "engine/numerics/real.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ricochet {

/// Coefficient of friction as a function of the slip speed, piecewise linear, constant beyond the last point.
struct SpeedTable {
  std::vector<double> speed;        ///< [m/s], from 0, increasing
  std::vector<double> coefficient;  ///< [-]

  template <class Real>
  Real coefficientAt(const Real& v) const noexcept {
    Real mu(coefficient.back());
    for (std::size_t i = speed.size() - 1; i-- > 0;) {
      const double slope = (coefficient[i + 1] - coefficient[i]) / (speed[i + 1] - speed[i]);
      mu = select(Real(speed[i + 1]) > v, coefficient[i] + slope * (v - speed[i]), mu);
    }
    return mu;
  }
};

/// Coulomb friction whose coefficient depends on the slip speed (Stribeck), with an elastic, damped stick. A
/// coefficient that decreases with the speed can excite vibration. For time-stepping schemes only.
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
                                         .opensSlipping = false,
                                         .anchorsPlace = false,
                                         .numbersOnly = false,
                                         .lanes = false,
                                         .onlyBySteps = "friction that depends on the slip speed"};

  double stiffness{0.0};
  double damping{0.0};
  std::shared_ptr<const SpeedTable> table{example()};

  static constexpr auto fields() {
    using F = Field<Stribeck>;
    return std::array{
        F{"stiffness", &Stribeck::stiffness, "N/m", 0.0, 1.0e5, "stick stiffness k_t", Need::positive},
        F{"damping", &Stribeck::damping, "N s/m", 0.0, 50.0, "stick damping c_t"}};
  }
  static constexpr auto deckKeys() {
    namespace keys = friction_keys;
    return std::array{DeckKey{.name = "velocity_law.speeds",
                              .unit = "m/s",
                              .example = "[0, 0.1, 1]",
                              .need = Need::required,
                              .meaning = "|s'| of the points of the table, from 0",
                              .allowed = "increasing"},
                      DeckKey{.name = "velocity_law.coefficients",
                              .unit = "-",
                              .example = "[0.3, 0.2, 0.25]",
                              .need = Need::required,
                              .meaning = "mu there",
                              .allowed = ">= 0"},
                      keys::kStickDamping, keys::kAlong, keys::kAcross};
  }

  template <class Real>
  FrictionTrial<Real> trial(const FrictionKinematics<Real>& k,
                            const FrictionMemory<Real>& memory) const noexcept {
    return coulombAt<Real>(k).template trial<Real>(k, memory);
  }
  template <class Real>
  Real guard(FrictionState state, const FrictionKinematics<Real>& k,
             const FrictionMemory<Real>& memory) const noexcept {
    if constexpr (std::is_same_v<Real, double>)
      return coulombAt<double>(k).template guard<double>(state, k, memory);
    else
      return Real(1.0);
  }
  template <class Real>
  Real stored(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory) const noexcept {
    const Tangential<Real> spring =
        memory.anchorForce - scaled(stiffness, k.position - memory.anchorPosition);
    return (0.5 / stiffness) * dot(spring, spring);
  }

  bool bearsTraction() const noexcept {
    return std::ranges::any_of(table->coefficient, [](double mu) { return mu > 0.0; });
  }
  double contactStiffness() const noexcept { return stiffness; }
  double contactDamping() const noexcept { return damping; }
  /// No law of this list is this one in series with a spring.
  std::nullopt_t inSeries(double) const noexcept { return std::nullopt; }

  static std::shared_ptr<const SpeedTable> example() {
    static const auto table =
        std::make_shared<const SpeedTable>(SpeedTable{{0.0, 0.1, 1.0}, {0.3, 0.2, 0.25}});
    return table;
  }

 private:
  template <class Real>
  RegularisedCoulombOf<Real> coulombAt(const FrictionKinematics<Real>& k) const noexcept {
    const Real square = dot(k.slipRate, k.slipRate);
    const Real speed = square > Real(0.0) ? sqrt(square) : Real(0.0);
    return {Real(table->coefficient.front()), table->coefficientAt(speed), Real(stiffness), Real(damping)};
  }
};

}  // namespace ricochet
