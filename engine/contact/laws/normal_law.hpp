#pragma once

#include "engine/numerics/trait.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace ricochet {

/// States of a normal law as a hybrid automaton. `released`: still penetrating, but a damped contact that
/// moves away fast enough pushes no more (it never pulls).
enum class NormalState : std::uint8_t { open, closed, released };

template <class Real>
struct NormalKinematics {
  Real gap{};       ///< [m], negative in penetration
  Real gapRate{};   ///< [m/s], positive when separating
  Real imposed{};   ///< value of the contact's imposed normal force at this instant [N]
  Real reaction{};  ///< of a set-valued law in contact: the force that the motion determines [N]
  Real approach{};  ///< of a law that remembers it: -g' where the contact closed; 0: it did not close [m/s]
};

inline constexpr std::size_t kNormalGuards = 2;
template <class Real>
using NormalGuards = std::array<Real, kNormalGuards>;

/// What the force of a normal law in contact is a function of, which decides on its series in time.
enum class ForceForm : std::uint8_t {
  linear,  ///< linear in gap, rate and imposed force, in each state
  power,   ///< a power `exponent` of the penetration: without a series where a contact starts or ends
  pieces,  ///< straight pieces over the penetration that join at `kinks()`
  none     ///< no series: for schemes of time steps only
};

/// What a normal law says of itself. No answer has a default.
struct NormalTraits {
  Trait<bool> setValued;  ///< a constraint on the motion with an impact law `restitution`: it does not step
  Trait<bool> imposed;    ///< the force is given from outside: its work is external, no geometry opens it
  Trait<ForceForm> form;
  Trait<bool> asksRate;           ///< with some of its numbers the force depends on the gap rate
  Trait<bool> spring;             ///< without a dashpot N = contactStiffness() d, and nothing else
  Trait<bool> remembersApproach;  ///< the force depends on how fast the contact closed
  Trait<bool> stiffens;           ///< with the penetration, without bound: no step limit is known beforehand
  Trait<bool> numbersOnly;        ///< its fields are all that it is made of
  Trait<bool> lanes;              ///< it has a form `InLanes<P>` whose constants differ by lane
};

/// Whether where the node is, and how fast, tells the force.
constexpr bool pushesFromGeometry(const NormalTraits& traits) noexcept {
  return !traits.imposed && !traits.setValued;
}

/// A normal law, written once over the scalar type: a smooth compression in each state, guards that are
/// positive while the state holds, and what follows when one of them vanishes.
template <class L>
concept NormalLaw = requires(const L law, NormalState state, const NormalKinematics<double> k) {
  { law.template force<double>(state, k) }
  noexcept->std::same_as<double>;  // compression [N]
  { law.template guards<double>(state, k) }
  noexcept->std::same_as<NormalGuards<double>>;
  { law.transition(state, std::size_t{}) }
  noexcept->std::same_as<NormalState>;
  { law.template stored<double>(state, k) }
  noexcept->std::same_as<double>;  // elastic energy [J]
  { law.contactStiffness() }
  noexcept->std::same_as<double>;  // [N/m], for step limits
  { law.contactDamping() }
  noexcept->std::same_as<double>;  // [N s/m]
  { law.usesGapRate() }
  noexcept->std::same_as<bool>;
  requires std::same_as<std::remove_cvref_t<decltype(L::traits)>, NormalTraits>;
  L::keyword;
  L::fields();
}
&&(L::traits.form != ForceForm::power ||
   requires(const L law) {
     { law.exponent } -> std::convertible_to<double>;
   }) &&
    (L::traits.form != ForceForm::pieces ||
     requires(const L law) {
       { law.kinks() } -> std::same_as<std::span<const double>>;  // inner points of the pieces [m]
     }) &&
    (!L::traits.setValued || requires(const L law) {
      { law.restitution } -> std::convertible_to<double>;
    });

/// The state that holds at these kinematics, reached from `state` by following the guards that are negative.
/// This is the time-stepping form of every normal law: it has no memory beyond its state and its approach.
template <class L>
NormalState settle(const L& law, NormalState state, const NormalKinematics<double>& k) noexcept {
  constexpr int kLongestPath = 3;  // open -> closed -> released -> open
  for (int hop = 0; hop < kLongestPath; ++hop) {
    const NormalGuards<double> guards = law.template guards<double>(state, k);
    std::size_t broken = 0;
    while (broken < kNormalGuards && guards[broken] >= 0.0) ++broken;
    if (broken == kNormalGuards) return state;
    state = law.transition(state, broken);
  }
  return state;
}

}  // namespace ricochet
