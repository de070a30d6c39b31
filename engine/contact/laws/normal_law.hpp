#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

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
};

inline constexpr std::size_t kNormalGuards = 2;
template <class Real>
using NormalGuards = std::array<Real, kNormalGuards>;

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
  L::kSetValued;  // in contact the law is a constraint, and it has no time-stepping form
  L::kLinear;     // in each state the force is linear in gap, rate and imposed force
  L::kImposed;    // the force is given from outside: its work is external, and no geometry opens it
  L::keyword;
  L::fields();
};

/// The state that holds at these kinematics, reached from `state` by following the guards that are negative.
/// This is the time-stepping form of every normal law: none of them has memory beyond its state.
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
