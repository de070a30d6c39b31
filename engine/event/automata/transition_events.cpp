// Events and totals that transitions of contacts record, and rates and gaps that they make zero.

#include "engine/event/automata/contact_transitions.hpp"

#include <algorithm>
#include <utility>

namespace ricochet {
namespace {

/// Projects rates or gaps out of a state, one contact after another, until all are zero. `project` projects
/// those of one contact and returns the largest.
template <class Project>
void projectContactRatesInSweeps(std::span<ContactAutomaton* const> automata, int sweeps,
                                 const Project& project) noexcept {
  double first = 0.0;
  for (int i = 0; i < sweeps; ++i) {
    double largest = 0.0;
    for (ContactAutomaton* c : automata) largest = std::max(largest, project(*c));
    if (i == 0) first = largest;
    if (!(largest > kNoise * first)) break;
  }
}

/// Projects the gap rates of closed rigid contacts, and the slip rates of contacts for which `sticks` is
/// true, out of the velocity.
template <class Sticks>
void projectOutRatesOfContacts(std::span<ContactAutomaton* const> automata, State& s,
                               const Sticks& sticks) noexcept {
  constexpr int kSweeps = 100;
  projectContactRatesInSweeps(automata, kSweeps, [&](ContactAutomaton& c) {
    const double gapRate = c.isClosed() && c.setValuedNormal ? c.projectOutGapRate(s) : 0.0;
    return sticks(c) ? std::max(gapRate, c.projectOutSlipRate(s)) : gapRate;
  });
}

/// Projects gap rates and slip rates of sticks out of the velocity, except for slips that start at this
/// instant: their speeds are rounding at first, and grow.
void projectOutSlipRatesOfSticks(std::span<ContactAutomaton* const> automata, State& s) noexcept {
  projectOutRatesOfContacts(automata, s, [](const ContactAutomaton& c) {
    return c.isStickingByConstraint() && !c.isSlipWithZeroSpeed();
  });
}

/// N at the start of a run [N]. The reaction of a rigid contact follows from the states of all contacts; the
/// first step adds it.
double peakForceAtStart(const ContactAutomaton& c) noexcept {
  return c.isClosed() && !c.setValuedNormal ? c.state.compression : 0.0;
}

/// True if another contact slips, with set-valued friction, and may stop where c does: in a plane, or along a
/// line unless its slip starts now.
bool canStopSlippingTogether(const ContactAutomaton& c, const ContactAutomaton& other) noexcept {
  if (!other.setValuedStick || !other.isClosed() || !other.isSlipping()) return false;
  if (other.canSlipInPlane()) return c.canSlipInPlane() && other.isTurningSlip();
  return other.knownRootCount(GuardSlot::slip) == 0;
}

}  // namespace

/// Deletes the events of a contact at instant t that were recorded but not yet delivered.
void ContactTransitions::deleteEventsOfContact(const ContactAutomaton& c, double t, ContactRun& run) {
  int closings = 0;
  std::erase_if(pending_, [&](const Event& event) {
    if (event.contact != c.index || event.time != t) return false;
    closings += event.kind == EventKind::closing ? 1 : 0;
    return true;
  });
  run.totalsOfContact(static_cast<std::size_t>(c.index)).impacts -= closings;
}

void ContactTransitions::initializeTotals(ContactRun& run) const noexcept {
  for (const ContactAutomaton* c : automata_)
    run.totalsOfContact(static_cast<std::size_t>(c->index)) = {.impacts = c->isClosed() ? 1 : 0,
                                                               .impulse = 0.0,
                                                               .frictionEnergy = 0.0,
                                                               .peakForce = peakForceAtStart(*c),
                                                               .impulseWear = 0.0};
}

void ContactTransitions::keepImpactEventsAtRunStart(ContactRun& run) const {
  const auto isStruck = [&](int contact) {
    return contact < static_cast<int>(automata_.size()) &&
           run.totalsOfContact(static_cast<std::size_t>(contact)).impulse > 0.0;
  };
  std::erase_if(run.events(), [&](const Event& event) { return !isStruck(event.contact); });
  for (const ContactAutomaton* c : automata_) {
    ContactTotals& totals = run.totalsOfContact(static_cast<std::size_t>(c->index));
    totals.impacts = std::max(isStruck(c->index) ? totals.impacts : 0, c->isClosed() ? 1 : 0);
    totals.peakForce = peakForceAtStart(*c);
  }
}

void ContactTransitions::recordFrictionEvents(ContactAutomaton& c, double t, bool moves) {
  const bool slipped = c.phaseBefore != Phase::stick;
  const bool slips = c.state.friction.slipping && !c.state.friction.onStaticCone && (moves || slipped);
  if (!slipped && slips) recordEvent(c, EventKind::stickToSlip, t);
  if (slipped && !slips) recordEvent(c, EventKind::slipToStick, t);
  if (slipped && slips && dot(c.directionBefore, c.state.friction.direction) < 0.0)
    recordEvent(c, EventKind::slipReversal, t);
}

void ContactTransitions::passNewEventsToRun(ContactRun& run) {
  if (!pending_.empty()) {
    run.events().insert(run.events().end(), pending_.begin(), pending_.end());
    pending_.clear();
  }
  for (ContactAutomaton* c : automata_) {
    c->closedNow = c->forceGrowsFromZero = c->openedNow = c->openedAtZeroForce = c->openedByForce = false;
    c->tractionAtPullOff = {};
  }
}

/// Records that a slip starts. If the slip stopped at the same instant, the event of the stop is deleted
/// instead; a slip in the opposite direction is recorded as a reversal.
void ContactTransitions::recordBreakawayEvent(ContactAutomaton& c, const Tangential<double>& before,
                                              double t) {
  for (std::size_t i = pending_.size(); i-- > 0;) {
    const Event& event = pending_[i];
    if (event.contact != c.index || event.kind != EventKind::slipToStick || event.time != t) continue;
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    if (dot(before, c.state.friction.direction) < 0.0) recordEvent(c, EventKind::slipReversal, t);
    return;
  }
  recordEvent(c, EventKind::stickToSlip, t);
}

/// Counts a friction transition. Beside other rigid contacts that are closed or opened now, friction may
/// alternate until EventRun::applyGuardTransition searches the states of all of them.
void ContactTransitions::recordFrictionChange(ContactAutomaton& c) const noexcept {
  constexpr int kAlone = 4;
  const auto isConcerned = [](const ContactAutomaton* other) {
    return other->setValuedNormal && (other->isClosed() || other->openedNow);
  };
  const bool isAlone = std::ranges::count_if(automata_, isConcerned) < 2;
  c.mostFrictionChanges = isAlone ? kAlone : 2 * kAlone + 3 * static_cast<int>(automata_.size());
  ++c.frictionChanges;
}

bool ContactTransitions::canStickTractionsBeShared() const noexcept {
  return sharesTractions_ || std::ranges::any_of(automata_, &ContactAutomaton::isOnStaticFrictionCone);
}

void ContactTransitions::dropTractionToDynamicFriction(ContactAutomaton& c, double t) {
  c.state.friction.onStaticCone = false;
  c.tractionDrops = true;
  c.knownRootCount(GuardSlot::slip) = 1;
  changed_ = true;
  if (!c.closedNow) recordBreakawayEvent(c, c.directionBefore, t);
}

void ContactTransitions::projectOutSlipRatesOfSticks(State& s) noexcept {
  ricochet::projectOutSlipRatesOfSticks(automata_, s);
}

void ContactTransitions::cancelSlipStart(ContactAutomaton& c, State& s) {
  const bool moved = !std::exchange(c.state.friction.onStaticCone, false);
  c.state.friction.slipping = false;
  c.slipPhase = Phase::slip;
  projectOutSlipRatesOfSticks(s);
  clearKnownRootsOfFrictionGuards(c.known);
  changed_ = slipsStopped_ = true;
  if (!moved) return;
  for (std::size_t i = pending_.size(); i-- > 0;) {
    const Event event = pending_[i];
    if (event.contact != c.index || event.time != s.time) continue;
    if (event.kind != EventKind::stickToSlip && event.kind != EventKind::slipReversal) continue;
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    if (event.kind == EventKind::stickToSlip) return;
    break;
  }
  if (!c.closedNow) recordEvent(c, EventKind::slipToStick, s.time);
}

/// Projects the gap rates of closed rigid contacts and the slip rates of sticks and of `stopping` out of the
/// velocity, one after another, until all are zero; otherwise the structure would creep and some slips would
/// never end.
void ContactTransitions::projectOutContactRates(State& s, const ContactAutomaton* stopping) noexcept {
  projectOutRatesOfContacts(automata_, s, [stopping](const ContactAutomaton& c) {
    return &c == stopping || c.isStickingByConstraint();
  });
}

/// Projects the gaps of closed rigid contacts out of the displacement, one after another: a body that rests
/// on several contacts hits the next ones at a single instant, which rounding of the gaps would split into
/// several.
void ContactTransitions::projectOutContactGaps(State& s) noexcept {
  constexpr int kSweeps = 20;
  projectContactRatesInSweeps(automata_, kSweeps, [&](ContactAutomaton& c) {
    return c.isClosed() && c.setValuedNormal ? c.projectOutGap(s) : 0.0;
  });
}

/// Projects the remaining slip rate out of the velocity at the end of a slip, so that the stick starts
/// without slip rate. Other slips of the body may stop at the same instant: those with speeds within the
/// drift lose their speeds too, and stick: slips against each other, with other reactions, could hold a body
/// that sticks hold as well, and their guards, which are zero from then on, have no root.
void ContactTransitions::removeSlipRate(ContactAutomaton& c, State& s) noexcept {
  c.projectOutSlipRate(s);
  bool others = c.canSlipInPlane();
  for (ContactAutomaton* other : automata_) {
    if (other == &c || !canStopSlippingTogether(c, *other)) continue;
    other->updateContactPoint(s);
    if (!(length(other->state.slipRate) <= other->largestDriftRate(s))) continue;
    const bool moved = !other->state.friction.onStaticCone;
    other->enterFrictionState(FrictionState::stick, other->frictionKinematics(), other->state.friction);
    other->slipPhase = Phase::slip;
    clearKnownRootsOfFrictionGuards(other->known);
    if (moved && !other->closedNow) recordEvent(*other, EventKind::slipToStick, s.time);
    others = true;
  }
  if (others) projectOutContactRates(s, &c);
  c.updateContactPoint(s);
  c.state.slipRate = {};
}

}  // namespace ricochet
