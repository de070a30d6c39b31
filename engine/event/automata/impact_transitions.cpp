// Transitions of contacts at impacts of rigid contacts.

#include "engine/event/automata/contact_transitions.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

void ContactTransitions::resolveImpact(const ContactAutomaton& hit, State& s, ContactRun& run,
                                       EnergyLedger& ledger) {
  impact_.begin();
  for (ContactAutomaton* c : automata_)
    if (c->setValuedNormal && (c == &hit || c->isClosed() || c->isTouching(s)))
      impact_.addImpactingContact(*c, s, hit.isClosed());
  recordMotionBeforeImpact(s, impact_.doesImpactEndBouncing());
  if (!impact_.solveImpact(s)) {
    unsolvedImpact_ = hit.index;
    return;
  }
  endImpact(&hit, s, run, ledger);
}

bool ContactTransitions::applyImpactWithoutCollision(State& s, ContactRun& run, EnergyLedger& ledger) {
  impact_.begin();
  for (ContactAutomaton* c : automata_)
    if (c->setValuedNormal && (c->isClosed() || c->isTouching(s))) impact_.addImpactingContact(*c, s);
  recordMotionBeforeImpact(s, false);
  if (!impact_.solveImpactWithoutCollision(s)) return false;
  for (const ImpactingContact& each :
       impact_.impactingContacts()) {  // discards their states from the state search
    ContactAutomaton& c = automatonOfImpactingContact(each);
    deleteEventsOfContact(c, s.time, run);
    c.state.normal = c.phaseBefore == Phase::open ? NormalState::open : NormalState::closed;
    c.state.friction.slipping = c.isClosed() && c.hasTraction() && c.phaseBefore != Phase::stick;
    c.state.friction.direction = c.directionBefore;
    c.state.friction.onStaticCone = false;
    c.slipPhase = c.state.friction.slipping ? c.phaseBefore : Phase::slip;
    c.openedNow = c.openedAtZeroForce = c.openedByForce = c.tractionDrops = false;
  }
  endImpact(nullptr, s, run, ledger);
  return true;
}

/// Records the motion before an impact that decides whether sticks rest after the impact.
void ContactTransitions::recordMotionBeforeImpact(const State& s, bool endsBounces) noexcept {
  const double speed = s.v.norm();
  for (ContactAutomaton* c : automata_) {
    recordStickDrift(*c, s, endsBounces);
    c->speedBefore = std::max(c->speedBefore, speed);
  }
}

/// Adds an impact to the energy ledger and sets the contact states after the impact. `hit`: the contact whose
/// guard vanished, or null.
void ContactTransitions::endImpact(const ContactAutomaton* hit, State& s, ContactRun& run,
                                   EnergyLedger& ledger) {
  impact_.recordImpulses(run, ledger);
  changed_ = true;
  for (const ImpactingContact& each : impact_.impactingContacts()) {
    // A contact that opened at this instant because N < 0 touches, but takes no part in this impact.
    const ContactAutomaton& c = automatonOfImpactingContact(each);
    const double rest = each.touches ? std::max(each.rest, c.largestDriftRate(s)) : each.rest;
    const bool leaves = each.axes.rate(0, s.v) > rest;
    if (c.openedNow && &c != hit && !leaves && !(each.impulse[0] > 0.0)) continue;
    endImpactOfContact(each, leaves, s, run, ledger);
  }
  for (ContactAutomaton* c : automata_) updateStickAfterVelocityJump(*c, s);
  if (impact_.impactingContacts().size() > 1) projectOutContactGaps(s);
  // Contacts that hold each other magnify the rounding of rates that are zero.
  const auto drifts = [&s](ContactAutomaton* c) {
    if (!c->isClosed() || !c->setValuedNormal) return false;
    if (std::abs(c->gapRate(s)) > c->largestNegligibleGapRate(s)) return true;
    if (!c->isStickingByConstraint()) return false;
    c->updateContactPoint(s);
    return length(c->state.slipRate) > c->largestNegligibleGapRate(s);
  };
  if (!std::ranges::any_of(automata_, drifts)) return;
  projectOutContactRates(s, nullptr);
  // A slip whose speed was the rate of a stick at the same point stops together with that stick.
  for (ContactAutomaton* c : automata_) {
    if (!c->isTurningSlip() || !c->setValuedStick || c->isSlipWithZeroSpeed()) continue;
    c->updateContactPoint(s);
    if (!c->isAtRest(s)) continue;
    restartFriction(*c, s);
    if (!c->closedNow && !c->state.friction.slipping) recordEvent(*c, EventKind::slipToStick, s.time);
  }
}

/// Sets the state of a rigid contact after an impact: closed, or open if the gap rate is positive.
void ContactTransitions::endImpactOfContact(const ImpactingContact& striker, bool leaves, State& s,
                                            ContactRun& run, EnergyLedger& ledger) {
  ContactAutomaton& c = automatonOfImpactingContact(striker);
  if (!c.isClosed()) {
    recordEvent(c, EventKind::closing, s.time);
    ++run.totalsOfContact(static_cast<std::size_t>(c.index)).impacts;
  }
  c.known = {};
  if (!leaves) return closeContactAfterImpact(striker, s);
  openAfterImpact(c, s, run, ledger);
}

/// Opens a rigid contact that leaves.
void ContactTransitions::openAfterImpact(ContactAutomaton& c, const State& s, ContactRun& run,
                                         EnergyLedger& ledger) {
  if (c.isClosed()) resetContactToOpen(c, run, ledger);
  c.state.normal = NormalState::open;
  c.openedAt = s.time;
  recordEvent(c, EventKind::opening, s.time);
  // A gap that only counts as zero does not vanish exactly at the start of the flight: each flight would end
  // higher than the one before.
  c.knownRootCount(c.state.side > 0.0 ? GuardSlot::low : GuardSlot::high) = c.isGapBeyondRounding(s) ? 0 : 1;
}

/// After a jump of the velocity: closed rigid contacts that approach are an impact, those that leave open.
/// `all`: the motion itself has jumped, not only the motion imposed on contacts.
void ContactTransitions::settleJumpsOfGapRates(bool all, State& s, ContactRun& run, EnergyLedger& ledger) {
  const auto rateAfterJump = [&](ContactAutomaton& c) {
    const bool mayJump = c.setValuedNormal && c.isClosed() && (all || c.hasImposedMotion());
    const double rate = mayJump ? c.gapRate(s) : 0.0;
    return std::abs(rate) > c.largestDriftRate(s) ? rate : 0.0;
  };
  for (ContactAutomaton* c : automata_)
    if (rateAfterJump(*c) < 0.0) return resolveImpact(*c, s, run, ledger);
  for (ContactAutomaton* c : automata_) {
    if (!(rateAfterJump(*c) > 0.0)) continue;
    openAfterImpact(*c, s, run, ledger);
    changed_ = true;
  }
}

/// Closes a rigid contact or keeps it closed after an impact. Its slip is restarted with the slip rate after
/// the impact, which may be zero or reversed. A remaining slip rate within the drift is rounding, as after
/// impulses at the edge of the cone that stop a slip.
void ContactTransitions::closeContactAfterImpact(const ImpactingContact& striker, State& s) {
  ContactAutomaton& c = automatonOfImpactingContact(striker);
  if (const double slip = std::hypot(striker.rate[1], striker.rate[2]); slip <= c.largestDriftRate(s))
    c.stickDrift = std::max(c.stickDrift, slip);
  const bool wasClosed = c.isClosed();
  const bool slips = wasClosed && c.isSlipping() && !c.isStickingByConstraint();
  const Tangential<double> before = c.state.friction.direction;
  c.state.normal = NormalState::closed;
  c.projectOutGapRate(s);  // the gap rate is rounding
  c.closedNow |= !wasClosed;
  if (!wasClosed) return attachFrictionSpring(c, s);
  if (!slips || !c.setValuedStick) return;
  restartFriction(c, s);
  if (c.closedNow) return;
  if (!c.state.friction.slipping)
    recordEvent(c, EventKind::slipToStick, s.time);
  else if (!c.canSlipInPlane() && dot(before, c.state.friction.direction) < 0.0)
    recordEvent(c, EventKind::slipReversal, s.time);
}

/// Restarts the friction of a contact that stays closed, with the slip rate after an impact.
void ContactTransitions::restartFriction(ContactAutomaton& c, const State& s) {
  const bool forceGrowsFromZero = c.forceGrowsFromZero;
  const Tangential<double> direction = c.state.friction.direction;
  attachFrictionSpring(c, s);
  c.forceGrowsFromZero = forceGrowsFromZero;
  if (!c.state.friction.slipping) c.state.friction.direction = direction;
  clearKnownRootsOfFrictionGuards(c.known);
  changed_ = true;
}

}  // namespace ricochet
