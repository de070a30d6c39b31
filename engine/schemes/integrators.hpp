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

#include <algorithm>
#include <span>

namespace ricochet {

using Integrators = DescribedList<KickDrift, CentralDifference, SymplecticEuler, Newmark, Hht, Devogelaere,
                                  RungeKutta32, RungeKutta54, AdaptiveCentral, Moreau>;

/// An integrator for a system; only those that move the linear part themselves need to know it.
template <class I>
I makeIntegrator(const LinearSystem& linear, const SchemeOptions& options = {}) {
  if constexpr (std::is_constructible_v<I, const LinearSystem&, const SchemeOptions&>)
    return I(linear, options);
  else if constexpr (std::is_constructible_v<I, const LinearSystem&>)
    return I(linear);
  else if constexpr (std::is_constructible_v<I, const SchemeOptions&>)
    return I(options);
  else
    return I{};
}

/// Keys of the deck that a scheme takes beside those that all take.
template <class I>
constexpr std::span<const std::string_view> schemeKeys() {
  if constexpr (requires { I::keys; })
    return I::keys;
  else
    return {};
}

/// A scheme whose step may find no solution: `step` returns whether it did.
template <class I>
concept FallibleIntegrator = requires(I integrator, ModalEquation& equation, State& state, double h) {
  { integrator.step(equation, state, h) } -> std::same_as<bool>;
};

/// A scheme that chooses its steps.
template <class I>
concept AdaptiveIntegrator = requires(I integrator, ModalEquation& equation, State& state, double h) {
  { integrator.tryStep(equation, state, h) } -> std::same_as<StepVerdict>;
};

/// A scheme that runs the contacts' automata and its accounts itself, set-valued laws among them.
template <class I>
inline constexpr bool kOwnsContacts = requires {
  requires I::kOwnContacts;
};

/// What the reader of decks needs to know of a scheme.
struct SchemeTraits {
  std::string_view keyword;
  bool adaptive{false};                      ///< it chooses its steps
  bool implicit{false};                      ///< its contacts act at the end of the step
  bool setValued{false};                     ///< it takes set-valued laws and surfaces that move
  std::span<const std::string_view> keys{};  ///< beside those that all take
};

/// Traits of the scheme with this keyword; without a keyword when there is none.
inline SchemeTraits schemeTraits(std::string_view keyword) {
  SchemeTraits traits;
  Integrators::forEach([&]<class I>() {
    if (keyword == I::keyword)
      traits = {I::keyword, AdaptiveIntegrator<I>, FallibleIntegrator<I>, kOwnsContacts<I>, schemeKeys<I>()};
  });
  return traits;
}

/// Opens the accounts of a run and starts the scheme.
template <class I, class E>
void startIntegrator(I& integrator, E& equation, State& s, double nominalStep) {
  equation.start(s);
  if constexpr (requires { I::shareOfJump(0.5); }) {
    equation.contacts().setShareOfJump(&I::shareOfJump);
    equation.links().setShareOfJump(&I::shareOfJump);
  }
  if constexpr (requires { I::kForecastsBreakaway; }) equation.contacts().forecastBreakaway();
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
    return I::order > 2;
}

/// After `acceptStep`: adds to the accounts what the trapezoid left out. `from` and `to` with their
/// accelerations where the order asks for it.
template <class I, class E>
void refineAccounts(I& integrator, E& equation, const State& from, const State& to, double h) noexcept {
  if constexpr (requires { integrator.refineAccounts(equation, from, to, h); })
    integrator.refineAccounts(equation, from, to, h);
  else if constexpr (I::order > 2)
    equation.refineAccounts(from, to, h);
}

}  // namespace ricochet
