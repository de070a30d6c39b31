// Changes of contact states at one instant.

#include "engine/event/event_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ricochet {
namespace {

constexpr double kMoment = 1e-6;  // a brief stick, as a part of the step that the series allow

}  // namespace

/// Index of a contact whose constraint the motion does not satisfy; -1: none. If constraints depend on each
/// other, there may be no motion that satisfies all of them.
int EventRun::violatingContact() {
  return contacts_.hasDependentConstraints(expansion_) ? contacts_.violatingContact(expansion_, longestStep())
                                                       : -1;
}

/// Replaces states under which the constraint of a contact is violated. False if no other states are valid.
bool EventRun::replaceViolatedContactStates(int contact) {
  if (findCoupledContactStates()) return countTransitionAtOneInstant(contact);
  report_.status = RunStatus::stalled;
  report_.contact = contact;
  return false;
}

/// Passes the breakpoints of functions of time, and the jumps of the motion, at the present instant.
void EventRun::passBreakpoints() {
  expanded_ = false;
  loads_.advanceTimeFunctions(state_.time, 0.0);
  breakpoint_ = std::min(loads_.nextPieceEndOfLoadFunctions(), motionJumps_.firstAfter(state_.time));
  for (FunctionCursor& cursor : spins_) {
    cursor.advance(state_.time, 0.0);
    breakpoint_ = std::min(breakpoint_, cursor.piece().end);
  }
  const State* jumped = addMotionJumps() ? &next_ : nullptr;
  contacts_.passBreakpoints(jumped, state_, equation_.contacts(), equation_.accumulatedLedger());
  breakpoint_ = std::min(breakpoint_, contacts_.nextBreakpoint());
  if (contacts_.contactOfUnsolvedImpact() < 0) return;
  report_.status = RunStatus::notConverged;
  report_.contact = contacts_.contactOfUnsolvedImpact();
}

/// Sets `next_` to the motion after its jumps at the present instant, and adds their work to the ledger.
/// False without a jump.
bool EventRun::addMotionJumps() {
  bool jumps = false;
  motionJumps_.visitJumpsAtTime(state_.time, 0.0, [&](std::size_t jump, double) {
    if (!std::exchange(jumps, true)) planes_.restoreModeOrder(state_, modelState_);
    equation_.model().loads.motionJumps()[jump].addTo(modelState_);
  });
  if (!jumps) return false;
  planes_.sortModesOfState(modelState_, next_);
  equation_.accumulatedLedger().external +=
      mechanicalEnergy(next_.q, next_.v) - mechanicalEnergy(state_.q, state_.v);
  return true;
}

/// Determines the contact states at the start (open, stick or slip); only impacts are recorded as events.
void EventRun::initializeContactStates() {
  passBreakpoints();
  expandMotionInPowerSeries();
  const EnergyLedger initial = equation_.ledger(stateInModeOrderOfModel(state_));
  watch_.startWatchFromLedger(initial);
  largestSpeed_ = std::sqrt(2.0 * (initial.kinetic + initial.elastic));
  while (true) {
    if (const int violated = violatingContact(); violated >= 0) {
      if (!replaceViolatedContactStates(violated)) break;
      continue;
    }
    const Outlook outlook = contacts_.findFirstEvent(expansion_, state_.time, longestStep());
    if (!outlook.doesStepEndAtGuard()) {
      if (contacts_.dropTractionsOfContactsThatSlide(expansion_, state_.time) < 0 && !improveFoundStates())
        break;
      expandMotionInPowerSeries();
      continue;
    }
    contacts_.moveContactToStepStart(*outlook.guard, expansion_, state_.time);
    if (!applyGuardTransition(*outlook.guard)) break;
    expandMotionInPowerSeries();
  }
  contacts_.passNewEventsToRun(equation_.contacts());
  contacts_.keepImpactEventsAtRunStart(equation_.contacts());
}

bool EventRun::applyGuardTransition(const GuardRef& guard) {
  countInterruptedStep();
  contacts_.recordSharedTractions(expansion_);
  if (contacts_.isGuardOfReactionLimit(guard) && distributeReactionsOfRestingContacts(guard.contact))
    return countTransitionAtOneInstant(guard.contact);
  if (contacts_.doesClosingTakeOverLoad(guard, state_) && findCoupledContactStates())
    return countTransitionAtOneInstant(guard.contact);
  contacts_.applyGuardTransition(guard, state_, equation_.contacts(), equation_.accumulatedLedger());
  if (contacts_.contactOfUnsolvedImpact() >= 0) {
    report_.status = RunStatus::notConverged;
    report_.contact = contacts_.contactOfUnsolvedImpact();
    return false;
  }
  if (!countTransitionAtOneInstant(guard.contact)) return false;
  const int round = 6 + 3 * static_cast<int>(contacts_.size());
  if (idleTransitions_ % round != 0) return true;
  if (idleTransitions_ == round || !holdSticksAtRest()) findCoupledContactStates();
  return report_.status == RunStatus::complete;
}

/// Finds reactions within the cones of all sticks where the present ones, of least norm, are not. Self-stress
/// between contacts that face each other could hold any load: it is used only if no other states are valid.
bool EventRun::distributeReactionsOfRestingContacts(int contact) {
  const int most = 4 + 2 * static_cast<int>(contacts_.size());  // shares at one instant
  if (!contacts_.hasDependentConstraints(expansion_) || idleTransitions_ > most) return false;
  expandMotionInPowerSeries();
  if (violatingContact() >= 0) return false;
  const Sharing sharing =
      contacts_.distributeReactionsOfRestingContacts(expansion_, contact, longestStep(), false);
  if (sharing == Sharing::none || sharing == Sharing::found) return sharing == Sharing::found;
  if (sharing == Sharing::ifIdleOpen && openUnloadedContacts()) return true;
  if (tryCandidateContactStates({}) || tryCandidateContactStates({.drifts = true})) return true;
  expandMotionInPowerSeries();
  return contacts_.distributeReactionsOfRestingContacts(expansion_, contact, longestStep(), true) ==
         Sharing::found;
}

/// Opens contacts that bear nothing, if the others then hold all sticks. They face contacts that are loaded,
/// and the two could be pressed together.
bool EventRun::openUnloadedContacts() {
  next_.v = state_.v;
  contacts_.openUnloadedContacts(state_);
  return acceptOrRestoreContactStates();
}

/// Accepts the states that were applied together if all guards hold with them; else restores the states and
/// the velocity before, next_.v, with their motion.
bool EventRun::acceptOrRestoreContactStates() {
  if (areCandidateContactStatesValid()) {
    contacts_.acceptCandidateContactStates(expansion_, state_, equation_.contacts(),
                                           equation_.accumulatedLedger());
    return true;
  }
  contacts_.restoreStatesBeforeStateSearch();
  state_.v = next_.v;
  expandMotionInPowerSeries();
  return false;
}

/// True if sticks in a plane end one after another, each after less than `kMoment` of the step: all of them
/// reach their limits together, and holdSticksAtRest finds the directions of their slips.
bool EventRun::doesStepEndRepeatedBriefSticks(const Outlook& outlook, double longest) noexcept {
  constexpr int kMost = 3;
  const bool isBrief = outlook.step < kMoment * longest && contacts_.isGuardOfPlanarStickEnd(*outlook.guard);
  briefSticks_ = isBrief ? briefSticks_ + 1 : 0;
  return briefSticks_ >= kMost;
}

/// Lets all contacts that reach their limits, and can slip in a plane, stick for a short time longer. At the
/// limits the tractions are unique, but the directions of the slips follow only from the excess of the loads
/// over the limits, which is rounding at first and clear a short time later. Returns false if there are no
/// such contacts, or no valid states.
bool EventRun::holdSticksAtRest() {
  if (report_.steps == 0 || !contacts_.holdSticksAtRest(state_)) return false;
  expandMotionInPowerSeries();
  if (violatingContact() >= 0) return false;
  updateForceNorms();
  const double longest = longestStep();
  const double moment = kMoment * longest;
  const int idle = idleTransitions_;
  if (!(state_.time + moment > state_.time) || !completeStepUpToEvent({.step = moment}, longest))
    return false;
  if (findCoupledContactStates()) {
    expandMotionInPowerSeries();
    if (contacts_.findFirstEvent(expansion_, state_.time, longestStep()).step > moment) return true;
  }
  idleTransitions_ = idle;
  return false;
}

/// Finds the states of all contacts at their limit together, after changes of one state at a time have made a
/// cycle. Contacts that hold each other magnify the rounding of their rates: if no states are valid, rates
/// that may be drift count as zero. If there are still none, sticks with springs slip, or their slips stick:
/// alone they alternate where N follows from their tractions. If then some contacts depend on each other,
/// closed contacts may have no reaction. If there are none again, a slip may have no finite reaction
/// (Painleve): an impact without collision ends this slip.
bool EventRun::findCoupledContactStates() {
  triedDependent_ = false;
  return tryCandidateContactStates({}) || tryCandidateContactStates({.drifts = true}) ||
         tryCandidateContactStates({.springs = true}) ||
         (triedDependent_ &&
          (tryCandidateContactStates({.unloads = true}) ||
           tryCandidateContactStates({.drifts = true, .unloads = true}) ||
           tryCandidateContactStates({.drifts = true, .springs = true, .unloads = true}))) ||
         contacts_.applyImpactWithoutCollision(state_, equation_.contacts(), equation_.accumulatedLedger());
}

/// Tries the candidates (combinations of states) of a search. A candidate is accepted if every guard holds,
/// order by order. True also if the observer stops the run.
bool EventRun::tryCandidateContactStates(SearchScope scope) {
  constexpr int kReported = 512;  // candidates between two reports of the progress
  if (report_.status == RunStatus::interrupted) return true;
  contacts_.recordSharedTractions(expansion_);
  const bool searches = contacts_.startSearchForContactStates(state_, scope);
  next_.v = state_.v;  // removeDriftRatesFromVelocity of a candidate changes state_.v
  for (int tried = 1; searches; ++tried) {
    state_.v = next_.v;
    if (contacts_.isStateProposalDue()) proposeContactStates();
    if (!contacts_.applyNextCandidateStates()) break;
    if (tried % kReported == 0 && !observer_.onProgress(state_.time, report_.steps)) {
      report_.status = RunStatus::interrupted;
      return true;
    }
    if (scope.drifts && !contacts_.removeDriftRatesFromVelocity(state_)) continue;
    if (!areCandidateContactStatesValid()) continue;
    contacts_.acceptCandidateContactStates(expansion_, state_, equation_.contacts(),
                                           equation_.accumulatedLedger());
    return true;
  }
  state_.v = next_.v;
  return false;
}

/// Replaces the states that changes of one contact at a time have found by states with fewer changes since
/// the instant began, if all guards hold with these too (StateSearch::gatherChangedContacts).
bool EventRun::findFewerStateChanges() {
  const int most = 4 + 2 * static_cast<int>(contacts_.size());  // changes at one instant
  if (idleTransitions_ < 2 || idleTransitions_ > most || !contacts_.startSearchForFewerChanges(state_))
    return false;
  while (contacts_.applyNextCandidateStates()) {
    if (areCandidateContactStatesValid() && !contacts_.isCandidateOfStatesBefore()) {
      contacts_.acceptCandidateContactStates(expansion_, state_, equation_.contacts(),
                                             equation_.accumulatedLedger());
      return true;
    }
    contacts_.addCandidatesForFailingGuards(expansion_, state_.time, longestStep());
  }
  expandMotionInPowerSeries();
  static_cast<void>(contacts_.findFirstEvent(expansion_, state_.time, longestStep()));
  return false;
}

/// Closes contacts that touch while others hold them, lets slips stick that others hold
/// (EventContacts::closeContactsHeldByOthers), or closes contacts that touch and begin to slide, if all
/// guards hold then. The states of dependent contacts do not follow from the motion: open ones would bear no
/// load, and slips would pull at the others.
bool EventRun::closeContactsHeldByOthers() {
  const auto isAccepted = [&](bool isAnyChanged) {
    if (!isAnyChanged) return false;
    if (acceptOrRestoreContactStates()) return true;
    static_cast<void>(contacts_.findFirstEvent(expansion_, state_.time, longestStep()));
    return false;
  };
  next_.v = state_.v;
  for (const bool onCone : {true, false}) {
    if (!onCone && !contacts_.isAnyContactHeldOnCone()) break;  // the contacts of both are the same
    contacts_.forgetIdleContacts();
    if (isAccepted(contacts_.closeContactsHeldByOthers(expansion_, state_, onCone)) ||
        (contacts_.hasIdleContacts() &&
         isAccepted(contacts_.closeContactsHeldByOthers(expansion_, state_, onCone))))
      return true;
  }
  return isAccepted(contacts_.closeContactsThatStartSliding(expansion_, state_));
}

/// Replaces valid states that changes of one contact at a time have found where others suit better; false if
/// there are none.
bool EventRun::improveFoundStates() { return closeContactsHeldByOthers() || findFewerStateChanges(); }

/// Proposes states for the next candidate from the motion a moment later, without the forces of the contacts.
void EventRun::proposeContactStates() {
  constexpr double kPart = 1e-4;  // fraction of the step that the series allow
  if (!contacts_.openContactsOfStateSearch()) return;
  expandMotionInPowerSeries();
  State later = state_;
  const double moment = kPart * longestStep();
  later.time += moment;
  if (!(later.time > state_.time)) return;
  expansion_.evaluate(moment, later.q, later.v);
  contacts_.proposeContactStates(state_, later);
}

/// True if every guard holds with the states of the present candidate, order by order. Slips that move have
/// their dynamic coefficients: with the static ones, other contacts may seem to exceed their limits. If the
/// reactions of least norm leave a cone, others may hold all sticks.
bool EventRun::areCandidateContactStatesValid() {
  do {
    expandMotionInPowerSeries();
    triedDependent_ |= contacts_.hasDependentConstraints(expansion_);
    if (violatingContact() >= 0) return false;
  } while (contacts_.dropTractionsOfContactsThatSlide(expansion_, state_.time) >= 0);
  const double longest = longestStep();
  const Outlook outlook = contacts_.findFirstEvent(expansion_, state_.time, longest);
  if (!outlook.doesStepEndAtGuard()) return true;
  return contacts_.hasDependentConstraints(expansion_) && contacts_.isGuardOfReactionLimit(*outlook.guard) &&
         contacts_.distributeReactionsOfRestingContacts(expansion_, outlook.guard->contact, longest, false) ==
             Sharing::found &&
         !contacts_.findFirstEvent(expansion_, state_.time, longest).doesStepEndAtGuard();
}

/// True if a step brings a pressed contact to a place where its obstacle has no normal; the run ends there.
bool EventRun::doesRunEndAtSingularNormal(double step) noexcept {
  const int contact = inLongStep_ ? -1 : contacts_.contactAtSingularNormal(step);
  if (contact < 0) return false;
  report_.status = RunStatus::stalled;
  report_.withoutNormal = true;
  report_.contact = contact;
  return true;
}

/// Counts transitions and steps of zero length; false if there are too many at one instant (a stall).
bool EventRun::countTransitionAtOneInstant(int contact) noexcept {
  const int most = 40 + 20 * static_cast<int>(contacts_.size());
  if (++idleTransitions_ <= most) return report_.status == RunStatus::complete;
  report_.status = RunStatus::stalled;
  report_.contact = contact;
  return false;
}

}  // namespace ricochet
