#pragma once

#include "engine/contact/laws/friction_law.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace ricochet {

/// Law without tangential force: a contact without a `friction` key.
struct Frictionless {
  static constexpr std::string_view keyword = "none";
  static constexpr std::string_view title = "No friction";
  static constexpr std::string_view formula =
      "T = 0\n"
      "\n"
      "T   traction on the node [N]";
  static constexpr std::string_view source = "definition: a contact without the key `friction`";
  static constexpr bool kChosenByKeys = true;  ///< no keys select this law
  static constexpr FrictionTraits traits{.traction = false,
                                         .coefficients = false,
                                         .setValued = false,
                                         .dashpot = false,
                                         .coneStick = false,
                                         .ofArea = false,
                                         .asksRate = false,
                                         .ofSpeed = false,
                                         .opensSlipping = false,
                                         .anchorsPlace = false,
                                         .numbersOnly = true,
                                         .branchesBySteps = false,
                                         .lanes = true,
                                         .noSeries = "",
                                         .noImpulse = ""};
  template <class>
  using InLanes = Frictionless;

  static constexpr auto numericParameters() { return std::array<Field<Frictionless>, 0>{}; }

  template <class Real>
  Tangential<Real> force(FrictionState, const FrictionKinematics<Real>&,
                         const FrictionMemory<Real>&) const noexcept {
    return {};
  }
  template <class Real>
  Real guard(FrictionState, const FrictionKinematics<Real>&, const FrictionMemory<Real>&) const noexcept {
    return Real(1.0);
  }
  template <class Real>
  Real frictionConeMargin(const FrictionKinematics<Real>&, const FrictionMemory<Real>&,
                          const Tangential<double>&) const noexcept {
    return Real(1.0);
  }
  template <class Real>
  FrictionMemory<Real> frictionMemoryAtStateStart(FrictionState, const FrictionKinematics<Real>&,
                                                  const FrictionMemory<Real>& memory) const noexcept {
    return memory;
  }
  template <class Real>
  FrictionTrial<Real> computeTrial(const FrictionKinematics<Real>&,
                                   const FrictionMemory<Real>& memory) const noexcept {
    return {{}, memory};
  }
  template <class Real>
  Real storedEnergy(const FrictionKinematics<Real>&, const FrictionMemory<Real>&) const noexcept {
    return Real(0.0);
  }
  bool bearsTraction() const noexcept { return false; }
  double tractionDropAtBreakaway(double) const noexcept { return 0.0; }
  double contactStiffness() const noexcept { return 0.0; }
  double contactDamping() const noexcept { return 0.0; }
  std::optional<Frictionless> lawWithSpringInSeries(double) const noexcept { return *this; }
};

}  // namespace ricochet
