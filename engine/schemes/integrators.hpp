#pragma once

#include "engine/numerics/type_list.hpp"
#include "engine/schemes/adaptive_central.hpp"
#include "engine/schemes/central_difference.hpp"
#include "engine/schemes/devogelaere.hpp"
#include "engine/schemes/hht.hpp"
#include "engine/schemes/kick_drift.hpp"
#include "engine/schemes/moreau.hpp"
#include "engine/schemes/newmark.hpp"
#include "engine/schemes/rk32.hpp"
#include "engine/schemes/rk54.hpp"
#include "engine/schemes/symplectic_euler.hpp"
#include "engine/transient/scheme_options.hpp"

#include <concepts>
#include <type_traits>

namespace ricochet {

using Integrators = DescribedList<KickDrift, CentralDifference, SymplecticEuler, Newmark, Hht, Devogelaere,
                                  RungeKutta32, RungeKutta54, AdaptiveCentral, Moreau>;

/// An integrator for a system; only those that move the linear part themselves need to know it.
template <class I, class System>
I makeIntegrator(const System& linear, const SchemeOptions& options = {}) {
  if constexpr (std::is_constructible_v<I, const System&, const SchemeOptions&>)
    return I(linear, options);
  else if constexpr (std::is_constructible_v<I, const System&>)
    return I(linear);
  else if constexpr (std::is_constructible_v<I, const SchemeOptions&>)
    return I(options);
  else
    return I{};
}

/// A scheme that runs the contacts' automata and its accounts itself.
template <class I>
inline constexpr bool kOwnsContacts = I::traits.contacts != ContactForm::trial;

/// The step of a scheme, as its traits say: an implicit one returns whether it found a solution.
template <class I>
concept SteppingIntegrator = requires(I integrator, ModalEquation& equation, State& state, double h) {
  { integrator.step(equation, state, h) } -> std::same_as<std::conditional_t<I::traits.implicit, bool, void>>;
};
template <class I>
concept AdaptiveIntegrator = requires(I integrator, ModalEquation& equation, State& state, double h) {
  { integrator.tryStep(equation, state, h) } -> std::same_as<StepVerdict>;
};
template <class I>
concept Integrator = std::same_as<std::remove_cvref_t<decltype(I::traits)>, SchemeTraits> &&
                     (AdaptiveIntegrator<I> == I::traits.adaptive.value) &&
                     (AdaptiveIntegrator<I> || SteppingIntegrator<I>);
template <class... Is>
constexpr bool areIntegrators(TypeList<Is...> /*list*/) {
  return (Integrator<Is> && ...);
}
static_assert(areIntegrators(Integrators{}) && haveOwnTraits(Integrators{}));

/// Opens the accounts of a run and starts the scheme.
template <class I, class E>
void startIntegrator(I& integrator, E& equation, State& s, double nominalStep) {
  equation.start(s);
  if constexpr (requires { I::shareOfJump(0.5); }) {
    equation.contacts().setShareOfJump(&I::shareOfJump);
    equation.links().setShareOfJump(&I::shareOfJump);
  }
  if constexpr (I::traits.forecasts) equation.contacts().forecastBreakaway();
  integrator.start(equation, s, nominalStep);
}

/// Passes an instant at which loads may jump (ModalEquation::advance), with all that the scheme carries.
template <class I, class E>
void passInstant(I& integrator, E& equation, State& s, double tolerance) noexcept {
  if constexpr (kOwnsContacts<I>) return integrator.advance(s, tolerance);
  constexpr bool hasHistory = requires { integrator.beforeJump(s); };
  if constexpr (hasHistory) integrator.beforeJump(s);
  equation.advance(s, tolerance, integrator.forceLike(s));
  if constexpr (hasHistory) integrator.afterJump(s);
}

/// Keeps the step of h that led to s.
template <class I, class E>
void acceptStep(I& integrator, E& equation, State& s, double h) noexcept {
  if constexpr (kOwnsContacts<I>)
    integrator.accept(equation, s, h);
  else
    equation.accept(s, h);
}

/// Whether the trapezoid does not do for the accounts of a step.
template <class I>
constexpr bool refinesAccounts(const I& integrator) noexcept {
  if constexpr (requires { integrator.refinesAccounts(); })
    return integrator.refinesAccounts();
  else
    return I::traits.order > 2;
}

/// After `acceptStep`: adds to the accounts what the trapezoid left out. `from` and `to` with their
/// accelerations where the order asks for it.
template <class I, class E>
void refineAccounts(I& integrator, E& equation, const State& from, const State& to, double h) noexcept {
  if constexpr (requires { integrator.refineAccounts(equation, from, to, h); })
    integrator.refineAccounts(equation, from, to, h);
  else if constexpr (I::traits.order > 2)
    equation.refineAccounts(from, to, h);
}

}  // namespace ricochet
