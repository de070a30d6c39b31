#pragma once

#include "engine/contact/laws/linear_penalty.hpp"
#include "engine/contact/laws/normal_law.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace ricochet {

/// Rigid contact with Newton's impact law: no penetration, no stiffness.
struct Rigid {
  static constexpr std::string_view keyword = "rigid";
  static constexpr std::string_view title = "Rigid contact with Newton's impact law";
  static constexpr std::string_view formula =
      "g >= 0,  N >= 0,  N g = 0     closed: N is whatever keeps g = 0\n"
      "g'+ = -e g'-                  at an impact\n"
      "\n"
      "g   gap [m]\n"
      "g'  its rate before (-) and after (+) an impact [m/s]\n"
      "N   compression [N]\n"
      "Bounces that become infinitely many in a finite time end in contact.";
  static constexpr std::string_view source =
      "J.J. Moreau, in Nonsmooth Mechanics and Applications, CISM 302 (1988) 1-82";
  static constexpr NormalTraits traits{.setValued = true,
                                       .imposed = false,
                                       .form = ForceForm::linear,
                                       .asksRate = false,
                                       .spring = false,
                                       .remembersApproach = false,
                                       .stiffens = false,
                                       .numbersOnly = true,
                                       .lanes = false};

  double restitution{0.0};

  static constexpr auto numericParameters() {
    return std::array{Field<Rigid>{"restitution", &Rigid::restitution, "-", 0.0, 0.8,
                                   "restitution coefficient e", Need::required, 1.0}};
  }

  template <class Real>
  Real force(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return state == NormalState::closed ? k.reaction : Real(0.0);
  }
  template <class Real>
  NormalGuards<Real> guards(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return {state == NormalState::closed ? k.reaction : k.gap, Real(1.0)};
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

  /// The law in series with a spring is the spring alone. No mass closes the gap, so that there is no rebound
  /// and e has no effect.
  std::optional<LinearPenalty> lawWithSpringInSeries(double flexibility) const noexcept {
    return LinearPenalty{.stiffness = 1.0 / flexibility};
  }
};

}  // namespace ricochet
