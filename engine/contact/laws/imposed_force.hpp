#pragma once

#include "engine/contact/laws/normal_law.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <limits>
#include <optional>
#include <string_view>

namespace ricochet {

/// Imposed normal force: a weight, a clamp, a prescribed preload.
struct ImposedForce {
  static constexpr std::string_view keyword = "imposed";
  static constexpr std::string_view title = "Imposed normal force";
  static constexpr std::string_view formula =
      "N = max(0, F(t))\n"
      "\n"
      "F   `force`, a number or a function of time\n"
      "The contact is open while F is not positive; no geometry opens it.";
  static constexpr std::string_view source = "definition: a weight or a clamp whose force is known";
  static constexpr bool kChosenByKeys = true;  ///< the key `force` selects this law
  static constexpr NormalTraits traits{.setValued = false,
                                       .imposed = true,
                                       .form = ForceForm::linear,
                                       .asksRate = false,
                                       .spring = false,
                                       .remembersApproach = false,
                                       .stiffens = false,
                                       .numbersOnly = true,
                                       .lanes = true};
  template <class>
  using InLanes = ImposedForce;

  static constexpr auto numericParameters() { return std::array<Field<ImposedForce>, 0>{}; }
  static constexpr auto deckKeys() {
    return std::array{DeckKey{.name = "force",
                              .unit = "N",
                              .example = "10.0",
                              .need = Need::required,
                              .meaning = "F, a number or the name of a function of time",
                              .allowed = ">= 0"}};
  }

  template <class Real>
  Real force(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return state == NormalState::closed ? k.imposed : Real(0.0);
  }
  /// The contact opens where the force vanishes, not only where it would pull: the guard of a closed contact
  /// is the force less the smallest number.
  template <class Real>
  NormalGuards<Real> guards(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    constexpr double kSmallest = std::numeric_limits<double>::min();
    return {state == NormalState::closed ? k.imposed - Real(kSmallest) : -k.imposed, Real(1.0)};
  }
  NormalState stateAfterTransition(NormalState state, std::size_t) const noexcept {
    return state == NormalState::closed ? NormalState::open : NormalState::closed;
  }
  template <class Real>
  Real storedEnergy(NormalState, const NormalKinematics<Real>&) const noexcept {
    return Real(0.0);
  }
  double contactStiffness() const noexcept { return 0.0; }
  double contactDamping() const noexcept { return 0.0; }
  bool doesForceDependOnGapRate() const noexcept { return false; }

  /// The law in series with a spring is itself: its force does not depend on the gap.
  std::optional<ImposedForce> lawWithSpringInSeries(double) const noexcept { return *this; }
};

}  // namespace ricochet
