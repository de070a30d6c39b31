#pragma once

#include "engine/accounts/impact_counts.hpp"
#include "engine/contact/contact_view.hpp"
#include "engine/numerics/type_list.hpp"
#include "engine/schemes/adaptive_central.hpp"
#include "engine/schemes/central_difference.hpp"
#include "engine/schemes/devogelaere.hpp"
#include "engine/schemes/hht.hpp"
#include "engine/schemes/kick_drift.hpp"
#include "engine/schemes/moreau.hpp"
#include "engine/schemes/newmark.hpp"
#include "engine/schemes/reached_stiffness.hpp"
#include "engine/schemes/rk32.hpp"
#include "engine/schemes/rk54.hpp"
#include "engine/schemes/symplectic_euler.hpp"
#include "engine/transient/scheme_options.hpp"
#include "engine/transient/transient.hpp"

#include <concepts>
#include <type_traits>

namespace ricochet {

using Integrators = DescribedList<KickDrift, CentralDifference, SymplecticEuler, Newmark, Hht, Devogelaere,
                                  RungeKutta32, RungeKutta54, AdaptiveCentral, Moreau>;

/// Creates an integrator for a system; only schemes that integrate the linear part themselves store the
/// system.
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

/// True for a scheme that updates the contact states and its energy balance itself.
template <class I>
inline constexpr bool kOwnsContacts = I::traits.contacts != ContactForm::trial;

/// Computes one step by the interface of the scheme; an implicit scheme returns whether a solution was found.
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
constexpr bool areAllTypesIntegrators(TypeList<Is...> /*list*/) {
  return (Integrator<Is> && ...);
}
static_assert(areAllTypesIntegrators(Integrators{}) && doesEachTypeDefineTraits(Integrators{}));

/// Limits the damping of the links for steps of h [s] of a scheme that uses their forces of the step before
/// (LinkRun::limitDamping). Schemes with error control shorten their steps instead, and follow the rates at
/// the ends of links without mass; implicit schemes and moreau solve for the link forces.
template <class I, class E>
void limitLinkDamping(const I& /*integrator*/, E& equation, double h) {
  if constexpr (I::traits.adaptive) equation.links().enableDisplacementShiftRates();
  constexpr bool chooses = requires(const I& each) { each.largestStep(); };
  if constexpr (!I::traits.implicit && !kOwnsContacts<I> && (!I::traits.adaptive || chooses))
    equation.limitLinkDamping(h);
}

/// True for a scheme of fixed steps that can repeat a step in parts, because it carries nothing but the
/// state.
template <class I>
inline constexpr bool kMayShorten = !I::traits.adaptive && !kOwnsContacts<I> && !requires(I & integrator) {
  integrator.vectorsCarriedBetweenSteps();
};

/// True for a scheme that repeats a step without solution in parts.
template <class I>
inline constexpr bool kRepeatsInParts = kMayShorten<I> || I::traits.implicit;

/// Limit of the steps of a scheme by the stiffness that laws reach. There is no limit in physical
/// coordinates, or for a scheme that cannot repeat a step in parts.
template <class I, class E>
ReachedLimit stepLimitOfReachedStiffness(const E& equation, const SchemeOptions& options,
                                         double nominalStep) {
  if constexpr (kMayShorten<I> && std::is_same_v<E, ModalEquation>)
    return {equation.model(), I::keyword, options, nominalStep};
  else
    return {};
}

/// True if the forces at points without inertia may have no solution in a step of a scheme that does not
/// solve for contact forces itself.
template <class I, class E>
bool canForceBalanceBeLost(const E& equation) {
  return !I::traits.implicit && !equation.model().coupling.empty();
}

/// Index of the contact that caused a refused step, or number of contacts + index of the link; -1: neither.
template <class I, class E>
int indexOfContactOrLinkThatRefusesStep(const I& integrator, const E& equation) {
  if constexpr (requires { integrator.indexOfUnsolvedContactOrLink(); })
    return integrator.indexOfUnsolvedContactOrLink();
  if (I::traits.implicit && equation.implicitContact() != nullptr)
    return equation.implicitContact()->indexOfUnsolvedContactOrLink();
  const ContactRun& contacts = equation.contacts();
  if (const int contact = firstContactThatChangesPhase(contacts); contact >= 0) return contact;
  const int link = equation.links().indexOfLinkWithEvent();
  return link < 0 ? -1 : contacts.contactSet().size() + link;
}

constexpr bool doesStatusRefuseStep(RunStatus status) noexcept {
  return status == RunStatus::notConverged || status == RunStatus::stepTooSmall;
}

/// Names the contact or link that caused the failure of a run. Where the force of a link is no number, no
/// step is found that balances it, and the motion is infinite rather.
template <class I, class E>
void reportCauseOfFailure(const I& integrator, const E& equation, Report& report) {
  const bool refused = doesStatusRefuseStep(report.status);
  if (!refused && report.status != RunStatus::diverged) return;
  if (const int link = equation.links().indexOfLinkWithoutForce(); link >= 0) {
    report.status = RunStatus::diverged;
    report.contact = equation.contacts().contactSet().size() + link;
  } else {
    report.contact = refused ? indexOfContactOrLinkThatRefusesStep(integrator, equation)
                             : mostLoadedContact(equation.contacts());
  }
}

/// Starts the energy balance of a run and then the scheme.
template <class I, class E>
void startIntegrator(I& integrator, E& equation, State& s, double nominalStep) {
  if constexpr (requires { I::kFollowsRates; }) equation.contacts().enableSlipPathsFromSlipRates();
  equation.start(s);
  if constexpr (requires { I::impulseShareOfForceJump(0.5); }) {
    equation.contacts().setImpulseShareOfForceJump(&I::impulseShareOfForceJump);
    equation.links().setImpulseShareOfForceJump(&I::impulseShareOfForceJump);
  }
  if constexpr (I::traits.forecasts) equation.contacts().enableBreakawayExtrapolation();
  integrator.start(equation, s, nominalStep);
}

/// Moves the load functions past an instant of a possible jump (ModalEquation::advance), and adds the jump to
/// the vectors of the scheme.
template <class I, class E>
void passFunctionJumps(I& integrator, E& equation, State& s, double tolerance) {
  if constexpr (kOwnsContacts<I>) {
    if (equation.links().canImposedMotionJump()) equation.applyLinkJumps(s, tolerance, nullptr);
    return integrator.advanceTimeFunctions(s, tolerance);
  }
  constexpr bool hasHistory = requires { integrator.storeStateBeforeLoadJump(s); };
  if constexpr (hasHistory) integrator.storeStateBeforeLoadJump(s);
  equation.advanceTimeFunctions(s, tolerance, integrator.vectorChangedByLoadJump(s));
  if constexpr (hasHistory) integrator.updateStateAfterLoadJump(s);
}

/// Passes an instant at which functions of time or the motion itself may jump. After a jump of the motion
/// the scheme starts anew.
template <class I, class E>
void advanceStateOverJumpInstant(I& integrator, E& equation, State& s, double tolerance, double nominalStep) {
  if (equation.model().loads.motionJumps().empty()) [[likely]]
    return passFunctionJumps(integrator, equation, s, tolerance);
  const std::optional<double> jumped = equation.addMotionJumps(s, tolerance);
  passFunctionJumps(integrator, equation, s, tolerance);
  if (!jumped) return;
  const double t = std::max(s.time, *jumped);
  if constexpr (kOwnsContacts<I>) {
    const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
    equation.links().settleAfterMotionJump(t, motion, equation.contacts().events());
  } else {
    equation.settleAfterMotionJump(s, t);
    integrator.start(equation, s, nominalStep);
  }
}

/// Accepts the step of length h that ended in state s, and adds the impacts of the scheme to the counts.
template <class I, class E>
void acceptStep(I& integrator, E& equation, State& s, double h, ImpactCounts& impacts) noexcept {
  if constexpr (kOwnsContacts<I>)
    integrator.acceptStep(equation, s, h);
  else
    equation.acceptStep(s, h);
  if constexpr (requires { integrator.takeImpactCounts(); }) impacts += integrator.takeImpactCounts();
}

/// True if the trapezoid is not accurate enough for the energy balance of a step, so that `refineEnergyTerms`
/// is called.
template <class I>
constexpr bool needsRefinedEnergyTerms(const I& integrator) noexcept {
  if constexpr (requires { integrator.needsRefinedEnergyTerms(); })
    return integrator.needsRefinedEnergyTerms();
  else
    return I::traits.order > 2;
}

/// Adds the error of the trapezoid in a step to the energy balance, after `acceptStep`. `from` and `to`
/// include accelerations for schemes that need them.
template <class I, class E>
void refineEnergyTerms(I& integrator, E& equation, const State& from, const State& to, double h) noexcept {
  if constexpr (requires { integrator.refineEnergyTerms(equation, from, to, h); })
    integrator.refineEnergyTerms(equation, from, to, h);
  else if constexpr (I::traits.order > 2)
    equation.refineEnergyTerms(from, to, h);
}

}  // namespace ricochet
