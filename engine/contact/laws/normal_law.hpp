#pragma once

#include "engine/numerics/trait.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace ricochet {

/// States of a normal law as a hybrid automaton. `released`: the bodies still penetrate, but a damped contact
/// separates so fast that its force is zero (it never pulls).
enum class NormalState : std::uint8_t { open, closed, released };

template <class Real>
struct NormalKinematics {
  Real gap{};       ///< gap [m], negative in penetration
  Real gapRate{};   ///< gap rate [m/s], positive when separating
  Real imposed{};   ///< imposed normal force at this instant [N]
  Real reaction{};  ///< contact force of a set-valued law, determined by the motion [N]
  Real approach{};  ///< closing speed -g' of laws that use it; 0: closed at rest [m/s]
};

inline constexpr std::size_t kNormalGuards = 2;
template <class Real>
using NormalGuards = std::array<Real, kNormalGuards>;

/// Form of the force of a closed normal law; it determines the series of the force in time.
enum class ForceForm : std::uint8_t {
  linear,  ///< linear in gap, rate and imposed force, in each state
  power,   ///< power `exponent` of the penetration: no series where a contact closes or opens
  pieces,  ///< piecewise linear in the penetration with break points `penetrationsAtTableKinks()`
  none     ///< no series: for time-stepping schemes only
};

/// Properties of a normal law. No property has a default value.
struct NormalTraits {
  Trait<bool>
      setValued;        ///< constraint on the motion with an impact law `restitution`: no time-stepping form
  Trait<bool> imposed;  ///< the force is given: its work is external, no gap opens the contact
  Trait<ForceForm> form;          ///< form of the force in the state `closed`
  Trait<bool> asksRate;           ///< the force depends on the gap rate for some parameters
  Trait<bool> spring;             ///< without a dashpot N = contactStiffness() d
  Trait<bool> remembersApproach;  ///< the force depends on the closing speed
  Trait<bool> stiffens;           ///< stiffness grows with the penetration without bound: no step limit
  Trait<bool> numbersOnly;        ///< all parameters of the law are its fields, which are numbers
  Trait<bool> lanes;              ///< a form `InLanes<P>` with constants per vector lane exists
};

/// True if position and velocity of the node determine the force.
constexpr bool doesMotionDetermineForce(const NormalTraits& traits) noexcept {
  return !traits.imposed && !traits.setValued;
}

/// A normal law, written once for any scalar type: compression in each state, guards (positive while the
/// state holds), and the next state when a guard vanishes.
///
/// `lawWithSpringInSeries(S)` is the law between the ends of the law and of a spring 1/S without mass in
/// series, S > 0: N(g0) with g = g0 + S N. It is std::nullopt for a law that has no such form in closed
/// terms.
template <class L>
concept NormalLaw = requires(const L law, NormalState state, const NormalKinematics<double> k) {
  { law.template force<double>(state, k) }
  noexcept->std::same_as<double>;  // compression [N]
  { law.template guards<double>(state, k) }
  noexcept->std::same_as<NormalGuards<double>>;
  { law.stateAfterTransition(state, std::size_t{}) }
  noexcept->std::same_as<NormalState>;
  { law.template storedEnergy<double>(state, k) }
  noexcept->std::same_as<double>;  // elastic energy [J]
  { law.contactStiffness() }
  noexcept->std::same_as<double>;  // stiffness [N/m], for step limits
  { law.contactDamping() }
  noexcept->std::same_as<double>;  // damping [N s/m]
  { law.doesForceDependOnGapRate() }
  noexcept->std::same_as<bool>;
  // Optional: the law in series with a massless spring of this flexibility [m/N].
  law.lawWithSpringInSeries(double{});
  requires std::same_as<std::remove_cvref_t<decltype(L::traits)>, NormalTraits>;
  L::keyword;
  L::numericParameters();
}
&&(L::traits.form != ForceForm::power ||
   requires(const L law) {
     { law.exponent } -> std::convertible_to<double>;
   }) &&
    (L::traits.form != ForceForm::pieces ||
     requires(const L law) {
       // inner break points of the pieces [m]
       { law.penetrationsAtTableKinks() } -> std::same_as<std::span<const double>>;
     }) &&
    (!L::traits.setValued || requires(const L law) {
      { law.restitution } -> std::convertible_to<double>;
    });

/// Next state of a normal law at these kinematics: transitions from `state` until no guard is negative. This
/// is the time-stepping form of every normal law, whose memory is only its state and its closing speed.
template <class L>
NormalState nextStateOfNormalLaw(const L& law, NormalState state,
                                 const NormalKinematics<double>& k) noexcept {
  constexpr int kLongestPath = 3;  // longest path: open -> closed -> released -> open
  for (int hop = 0; hop < kLongestPath; ++hop) {
    const NormalGuards<double> guards = law.template guards<double>(state, k);
    std::size_t broken = 0;
    while (broken < kNormalGuards && guards[broken] >= 0.0) ++broken;
    if (broken == kNormalGuards) return state;
    state = law.stateAfterTransition(state, broken);
  }
  return state;
}

}  // namespace ricochet
