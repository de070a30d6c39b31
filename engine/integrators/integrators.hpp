#pragma once

#include "engine/integrators/central_difference.hpp"
#include "engine/integrators/hht.hpp"
#include "engine/integrators/kick_drift.hpp"
#include "engine/integrators/newmark.hpp"
#include "engine/integrators/scheme_options.hpp"
#include "engine/integrators/symplectic_euler.hpp"
#include "engine/type_list.hpp"

#include <algorithm>
#include <span>

namespace ricochet {

using Integrators = TypeList<KickDrift, CentralDifference, SymplecticEuler, Newmark, Hht>;

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

/// Opens the accounts of a run and starts the scheme.
template <class I>
void startIntegrator(I& integrator, ModalEquation& equation, State& s, double nominalStep) {
  equation.start(s);
  integrator.start(equation, s, nominalStep);
}

/// Passes an instant at which loads may jump (ModalEquation::advance), with all that the scheme carries.
template <class I>
void passInstant(I& integrator, ModalEquation& equation, State& s, double tolerance) noexcept {
  constexpr bool hasHistory = requires { integrator.beforeJump(); };
  if constexpr (hasHistory) integrator.beforeJump();
  equation.advance(s, tolerance, integrator.forceLike(s));
  if constexpr (hasHistory) integrator.afterJump();
}

}  // namespace ricochet
