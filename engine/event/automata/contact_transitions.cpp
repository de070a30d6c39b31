// Transitions of contacts where a guard vanishes.

#include "engine/event/automata/contact_transitions.hpp"

#include "engine/event/automata/friction_starts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// Makes a contact slip, with the traction opposite to the slip rate.
void startSlipAlongSlipRate(ContactAutomaton& c) {
  c.state.friction.slipping = true;
  c.state.friction.direction = scaled(-1.0 / length(c.state.slipRate), c.state.slipRate);
}

/// Makes a contact slip that opened from a set-valued stick with N < 0 and closes again at the same instant.
/// With N and T of the stick, G the accelerations per force and e.T < 0,
///
///     e.s'' = (G_tt - G_nt^2 / G_nn) (-mu N_slip - e.T) ,   N_slip > 0
///
/// so that a slip can only start opposite to the traction of the stick, whose direction is kept.
void startSlipAfterPullOff(ContactAutomaton& c) noexcept {
  const double traction = length(c.tractionAtPullOff);
  if (!c.setValuedStick || !(traction > 0.0)) return;
  c.state.friction.slipping = c.tractionDrops = true;
  if (c.canSlipInPlane()) c.slipPhase = Phase::slipWithoutSpeed;
  c.state.friction.direction = scaled(1.0 / traction, c.tractionAtPullOff);
  c.tractionAtPullOff = {};
  c.knownRootCount(GuardSlot::slip) = 1;
}

/// True if stick and slip of a rigid contact with a spring have the same limit: where the guard of one
/// vanishes within rounding, so does that of the other, although it may have less rounding.
bool areStickAndSlipLimitsEqual(const ContactAutomaton& c) {
  const auto drop = [](const auto& law) { return law.tractionDropAtBreakaway(1.0); };
  return c.setValuedNormal && !c.setValuedStick && std::visit(drop, c.contact->friction) == 0.0;
}

/// True if a slip in a plane with zero traction (mu_d N = 0) continues although its guard vanishes. Such a
/// slip has no direction of its own: its guard vanishes where the slip rate is perpendicular to the last
/// direction. If the slip rate is not zero, the direction is updated.
bool doesSlipContinueWithZeroTraction(ContactAutomaton& c) noexcept {
  constexpr double kStopped = 1e-9;  // speed of a stopped slip, relative to the fastest slip
  if (!c.canSlipInPlane() || c.setValuedStick || c.hasRelaxingSlipSpring()) return false;
  FrictionKinematics<double> k;
  k.compression = c.state.compression;
  const auto slip = [&](const auto& law) {
    return law.template force<double>(FrictionState::slip, k, c.state.friction);
  };
  const bool pulls = length(std::visit(slip, c.contact->friction)) > 0.0;
  if (pulls || !(length(c.state.slipRate) > kStopped * c.fastestSlip)) return false;
  startSlipAlongSlipRate(c);
  return true;
}

}  // namespace

void ContactTransitions::copyRunStates(ContactRun& run, const State& s, const ContactSet& set,
                                       bool remembers) {
  slipsStopped_ = false;
  for (ContactAutomaton* each : automata_) {
    ContactAutomaton& c = *each;
    c.reset(set);
    c.state = run.state(static_cast<std::size_t>(c.index));
    c.rewindTimeFunctions(s.time);
    if (c.setValuedNormal) {  // the guard of a touching contact closes it at once
      c.state.normal = NormalState::open;
      run.totalsOfContact(static_cast<std::size_t>(c.index)) = {};
    }
    if (!c.isClosed()) continue;
    if (remembers) {
      keepSpringForceFromEarlierRun(c, s);
      continue;
    }
    c.closedNow = true;
    c.closedFromOpen = c.pushesFromGeometry && !(c.state.gap < 0.0);
    c.pulls = c.canNormalForceBeTensile && c.normalForceAtClosing(s) < 0.0;
    attachFrictionSpring(c, s, c.closedFromOpen);
  }
  pending_.clear();
  changed_ = true;
  unsolvedImpact_ = -1;
  impact_.impactCounts() = {};
}

void ContactTransitions::passBreakpoints(const State* jumped, State& s, ContactRun& run,
                                         EnergyLedger& ledger) {
  const bool all = jumped != nullptr;
  for (ContactAutomaton* c : automata_)
    if (all || c->hasImposedMotion()) recordStickDrift(*c, s, false);
  if (all) {
    s.q = jumped->q;
    s.v = jumped->v;
    changed_ = true;
  }
  for (ContactAutomaton* c : automata_)
    if (c->advanceTimeFunctions(s.time)) turnSlipIntoStickAfterForceJump(*c, s.time);
  for (ContactAutomaton* c : automata_)
    if (all || c->hasImposedMotion()) updateStickAfterVelocityJump(*c, s);
  settleJumpsOfGapRates(all, s, run, ledger);
}

double ContactTransitions::nextBreakpoint() const noexcept {
  double next = std::numeric_limits<double>::infinity();
  for (const ContactAutomaton* c : automata_) next = std::min(next, c->nextBreakpoint());
  return next;
}

void ContactTransitions::clearRecordsOfPresentInstant(bool moved) noexcept {
  for (ContactAutomaton* c : automata_) {
    c->known = {};
    if (!moved) continue;
    c->frictionChanges = 0;
    c->speedBefore = 0.0;
    c->phaseBefore = c->isOnStaticFrictionCone() ? Phase::stick : c->phase();
    c->directionBefore = c->state.friction.direction;
  }
  sharesTractions_ &= !moved;
}

void ContactTransitions::applyGuardTransition(const GuardRef& guard, State& s, ContactRun& run,
                                              EnergyLedger& ledger) {
  ContactAutomaton& c = *automata_[static_cast<std::size_t>(guard.contact)];
  changed_ = true;
  switch (guard.slot) {
    case GuardSlot::low:
    case GuardSlot::high:
      c.state.side = guard.slot == GuardSlot::low ? 1.0 : -1.0;
      applyNormalTransition(c, 0, guard, s, run, ledger);
      break;
    case GuardSlot::normalFirst:
      applyNormalTransition(c, 0, guard, s, run, ledger);
      break;
    case GuardSlot::normalSecond:
      applyNormalTransition(c, 1, guard, s, run, ledger);
      break;
    case GuardSlot::pull:
      c.pulls ? restartFrictionAfterTension(c, guard.jumped, s, run, ledger)
              : endFrictionAtTension(c, s.time, run, ledger);
      break;
    case GuardSlot::ahead:
    case GuardSlot::back:
    case GuardSlot::slip:
      applyFrictionTransition(c, guard, s, run, ledger);
  }
}

void ContactTransitions::applyNormalTransition(ContactAutomaton& c, std::size_t guard, const GuardRef& ref,
                                               State& s, ContactRun& run, EnergyLedger& ledger) {
  const NormalState from = c.state.normal;
  if (c.setValuedNormal && from == NormalState::open) return resolveImpact(c, s, run, ledger);
  const NormalState to =
      std::visit([&](const auto& law) { return law.stateAfterTransition(from, guard); }, c.contact->normal);
  c.known = {};
  if (from == NormalState::closed) resetContactToOpen(c, run, ledger);
  c.state.normal = to;
  if (to == NormalState::closed)
    closeContact(c, from == NormalState::open, ref.jumped, s, run);
  else
    openContact(c, from, ref, s.time);
}

/// Closes a contact: from `open` when its gap vanishes, from `released` in penetration.
void ContactTransitions::closeContact(ContactAutomaton& c, bool fromOpen, bool jumped, const State& s,
                                      ContactRun& run) {
  recordEvent(c, EventKind::closing, s.time);
  ++run.totalsOfContact(static_cast<std::size_t>(c.index)).impacts;
  c.closedNow = true;
  c.closedFromOpen = fromOpen;
  if (fromOpen) c.state.approach = std::max(0.0, -c.gapRate(s));
  const bool imposed = !c.pushesFromGeometry;
  const bool fromZero = !jumped && (!fromOpen || c.vanishesWithGap || imposed);
  attachFrictionSpring(c, s, fromZero);
  c.prepareForceSeriesAtClosing();
  c.forceGrowsFromZero = fromOpen && !c.doesForceDependOnGapRate && !imposed;
  // N, or the gap, vanishes at the start
  if (!jumped && (!fromOpen || !c.doesForceDependOnGapRate || imposed))
    c.knownRootCount(GuardSlot::normalFirst) = 1;
  if (fromOpen && !imposed) c.knownRootCount(GuardSlot::normalSecond) = 1;
  // mu N - T vanishes together with N at the start
  if (fromZero && c.isSpringUnloaded())
    c.knownRootCount(GuardSlot::ahead) = c.knownRootCount(GuardSlot::back) = 1;
}

void ContactTransitions::openContact(ContactAutomaton& c, NormalState from, const GuardRef& ref, double t) {
  c.openedNow = c.setValuedNormal && from == NormalState::closed;
  c.openedByForce = c.openedNow && !sharesTractions_;  // N < 0 may be a share that others can bear
  c.openedAt = t;
  if (from == NormalState::closed) recordEvent(c, EventKind::opening, t);
  if (c.state.normal == NormalState::open && c.pushesFromGeometry) {
    // At the start, these quantities vanish: the gap; for a rigid contact the gap rate; and the acceleration
    // of the gap if N vanished, unless the reactions of dependent contacts are not unique.
    const GuardSlot side = c.state.side > 0.0 ? GuardSlot::low : GuardSlot::high;
    c.knownRootCount(side) = c.setValuedNormal ? 2 : 1;
    c.openedAtZeroForce = c.setValuedNormal && ref.vanishes;
    c.state.storedNormal = c.state.approach = 0.0;
  } else if (!ref.jumped) {
    c.knownRootCount(GuardSlot::normalFirst) = 1;
  }
}

/// Attaches the tangential spring of a contact that closes at the present position, with zero force. The
/// contact slips at once if its slip rate is not zero and
///   - the stick is a constraint, which allows no slip rate;
///   - the stick has a dashpot whose force exceeds mu_s N, or N grows from zero or is an unknown reaction;
///   - the traction grows faster than N.
void ContactTransitions::attachFrictionSpring(ContactAutomaton& c, const State& s, bool fromZero) {
  c.updateClosingPosition(s);
  c.state.traction = {};
  c.state.friction = {};
  c.state.friction.anchorPosition = c.state.position;
  c.state.storedTangential = 0.0;
  c.slipPhase = Phase::slip;
  c.forceGrowsFromZero = c.tractionDrops = c.unloaded = c.slidesOnLine = false;
  c.fastestSlip = length(c.state.slipRate);
  if (!c.hasTraction()) return;
  if (c.isAtRest(s)) return startSlipAfterPullOff(c);
  const bool grows = fromZero && c.doesStickTractionOutgrowNormalForce();
  const bool damped = c.relaxation > 0.0;
  if (c.setValuedStick || grows ||
      (damped && (fromZero || c.setValuedNormal || c.doesStickStartExceedFrictionCone(s))))
    startSlipAlongSlipRate(c);
}

/// Keeps the spring force of a contact that was closed before the run. The travel of its surface is counted
/// from the start of the run, hence the anchor of the spring moves with the origin of the position.
void ContactTransitions::keepSpringForceFromEarlierRun(ContactAutomaton& c, const State& s) noexcept {
  const Tangential<double> before = c.state.position;
  c.updateClosingPosition(s);
  c.pulls = c.canNormalForceBeTensile && c.state.compression < 0.0;
  c.state.friction.anchorPosition = c.state.friction.anchorPosition + (c.state.position - before);
  c.fastestSlip = length(c.state.slipRate);
  if (!c.hasTraction()) c.state.friction = {};
}

void ContactTransitions::resetContactToOpen(ContactAutomaton& c, ContactRun& run,
                                            EnergyLedger& ledger) noexcept {
  addFrictionEnergy(c, run, ledger, c.stickEnergy());
  c.state.traction = {};
  c.state.friction = {};
  c.state.compression = 0.0;
  c.state.storedTangential = 0.0;
  c.slipPhase = Phase::slip;
  c.forceGrowsFromZero = c.tractionDrops = c.unloaded = c.slidesOnLine = c.pulls = false;
}

void ContactTransitions::applyFrictionTransition(ContactAutomaton& c, const GuardRef& guard, State& s,
                                                 ContactRun& run, EnergyLedger& ledger) {
  const GuardSlot slot = guard.slot;
  const double before = c.stickEnergy();
  const FrictionMemory<double> old = c.state.friction;
  recordFrictionChange(c);
  clearKnownRootsOfFrictionGuards(c.known);
  const bool stops = slot == GuardSlot::slip;
  if (stops && doesSlipContinueWithZeroTraction(c)) return;
  if (stops && c.setValuedStick) removeSlipRate(c, s);
  c.enterFrictionState(stops ? FrictionState::stick : FrictionState::slip, c.frictionKinematics(), old);
  c.slipPhase = !stops && c.canSlipInPlane() && c.setValuedStick ? Phase::slipWithoutSpeed : Phase::slip;
  c.state.friction.onStaticCone = !stops && canStayOnStaticFrictionCone(c);
  if (c.relaxation > 0.0 &&
      ((guard.vanishes && areStickAndSlipLimitsEqual(c)) ||
       doBothFrictionGuardsVanish(c.contact->friction, c.frictionKinematics(), old, guardTolerance())))
    c.knownRootCount(stops ? c.coneGuardInDirection(old.direction) : GuardSlot::slip) = 1;
  if (stops)
    stopSlip(c, old, s.time);
  else
    startSlip(c, slot, old, s.time);
  if (c.state.friction.slipping && !c.hasRelaxingSlipSpring()) c.moveSpringAnchor(c.frictionKinematics());
  c.state.storedTangential = c.stickEnergy();
  addFrictionEnergy(c, run, ledger, before - c.state.storedTangential);
}

void ContactTransitions::stopSlip(ContactAutomaton& c, const FrictionMemory<double>& before, double t) {
  // The rate of the margin, mu N' - T', is k_t times the remaining slip rate. This rate is zero within the
  // tolerance at the end of a slip, unless N' jumped because another contact closed.
  const bool follows = !c.setValuedStick && c.relaxation == 0.0 && !c.canSlipInPlane();
  if (follows && doesStickBeginOnFrictionCone(c.contact->friction, c.frictionKinematics(), c.state.friction,
                                              before.direction, guardTolerance()))
    c.knownRootCount(c.coneGuardInDirection(before.direction)) = 1;
  if (!c.closedNow && !before.onStaticCone) recordEvent(c, EventKind::slipToStick, t);
}

void ContactTransitions::startSlip(ContactAutomaton& c, GuardSlot slot, const FrictionMemory<double>& before,
                                   double t) {
  if (!c.canSlipInPlane())  // the traction is exactly along the line
    c.state.friction.direction = scaled(slot == GuardSlot::ahead ? 1.0 : -1.0, c.axis[0]);
  c.forceGrowsFromZero |= c.isNormalForceZeroWithinRounding(t);
  // The traction grows with the force, against the slip.
  if (c.canSlipInPlane() && !c.setValuedStick && !c.hasRelaxingSlipSpring() && c.forceGrowsFromZero &&
      length(c.state.slipRate) > 0.0)
    startSlipAlongSlipRate(c);
  if (c.setValuedStick) {
    c.knownRootCount(GuardSlot::slip) = 1;
    c.tractionDrops = doesTractionDropAtSlipStart(c.contact->friction, c.frictionKinematics(),
                                                  c.state.friction, guardTolerance());
  } else {
    c.tractionDrops = false;
  }
  if (!c.closedNow && !c.state.friction.onStaticCone) recordBreakawayEvent(c, before.direction, t);
}

/// Records the slip rate of a stick before the velocity jumps (drift), so that it is not mistaken for an
/// effect of the jump. The reactions of a long step cause a drift above rounding. For an impact that ends
/// bounces, which is itself rounding and must not end a stick, the largest drift is recorded.
void ContactTransitions::recordStickDrift(ContactAutomaton& c, const State& s, bool endsBounces) noexcept {
  c.stickDrift = 0.0;
  if (!c.isStickingByConstraint()) return;
  c.updateContactPoint(s);
  const double most = kMostDrift * c.speedScaleOfSlipRate(s);
  c.stickDrift = endsBounces ? most : std::min(most, length(c.state.slipRate));
}

/// Updates friction after a jump of the velocity: a set-valued stick with a slip rate becomes a slip, a slip
/// whose slip rate has changed its sign is reversed.
void ContactTransitions::updateStickAfterVelocityJump(ContactAutomaton& c, State& s) {
  if (!c.isClosed() || !c.hasTraction() || !c.setValuedStick) return;
  c.updateContactPoint(s);
  const bool rests = c.isAtRest(s);
  const Tangential<double> direction = c.state.friction.direction;
  if (c.isStickingByConstraint()) {
    const bool started = c.isSlipWithZeroSpeed();
    if (rests && !started) c.projectOutSlipRate(s);
    if (!rests) restartFriction(c, s);
    if (!rests && !c.closedNow && !started) recordBreakawayEvent(c, direction, s.time);
  } else if (!rests && !c.canSlipInPlane() && dot(c.state.slipRate, direction) > 0.0) {
    restartFriction(c, s);
    if (!c.closedNow) recordEvent(c, EventKind::slipReversal, s.time);
  }
  c.stickDrift = 0.0;
}

/// Turns a regularised slip into a stick if N jumps up: its spring still has the old traction, which is below
/// the new limit, and sticks until it is stretched to the new limit.
void ContactTransitions::turnSlipIntoStickAfterForceJump(ContactAutomaton& c, double t) {
  if (!c.isClosed() || !c.isSlipping() || c.setValuedStick || c.hasRelaxingSlipSpring()) return;
  c.enterFrictionState(FrictionState::stick, c.frictionKinematics(), c.state.friction);
  recordEvent(c, EventKind::slipToStick, t);
  changed_ = true;
}

// Friction of a contact whose dashpot may pull: friction ends where N becomes negative and begins again where
// N becomes positive.

void ContactTransitions::addFrictionEnergy(const ContactAutomaton& c, ContactRun& run, EnergyLedger& ledger,
                                           double energy) noexcept {
  ledger.friction += energy;
  run.totalsOfContact(static_cast<std::size_t>(c.index)).frictionEnergy += energy;
}

/// Ends friction where N becomes negative: the contact then slips freely. The spring of a damped stick
/// relaxes by its dashpot, T_e' = -kappa T_e. The ledger receives the whole energy of the spring here;
/// `restartFrictionAfterTension` subtracts the remaining energy again.
void ContactTransitions::endFrictionAtTension(ContactAutomaton& c, double t, ContactRun& run,
                                              EnergyLedger& ledger) {
  if (!c.state.friction.slipping) recordEvent(c, EventKind::stickToSlip, t);
  const FrictionMemory<double> memory = c.state.friction;
  if (c.relaxation > 0.0) c.enterFrictionState(FrictionState::slip, c.frictionKinematics(), memory);
  c.springAtPull = c.relaxation > 0.0 ? c.state.friction.anchorForce : Tangential<double>{};
  c.state.friction = memory;
  const double compression = c.state.compression;
  resetContactToOpen(c, run, ledger);
  c.state.compression = compression;
  c.state.friction.slipping = c.pulls = true;
  c.pulledAt = t;
  clearKnownRootsOfFrictionGuards(c.known);
  c.knownRootCount(GuardSlot::pull) = 1;
}

/// Starts friction where N becomes positive again, as for a contact that closes.
void ContactTransitions::restartFrictionAfterTension(ContactAutomaton& c, bool jumped, const State& s,
                                                     ContactRun& run, EnergyLedger& ledger) {
  c.pulls = false;
  attachFrictionSpring(c, s, !jumped);
  if (length(c.springAtPull) > 0.0) {
    FrictionMemory<double> memory = c.state.friction;
    memory.anchorForce = scaled(std::exp(-c.relaxation * (s.time - c.pulledAt)), c.springAtPull);
    c.enterFrictionState(FrictionState::slip, c.frictionKinematics(), memory);
    c.state.storedTangential = c.stickEnergy();
    addFrictionEnergy(c, run, ledger, -c.state.storedTangential);
  }
  if (!c.state.friction.slipping) recordEvent(c, EventKind::slipToStick, s.time);
  if (jumped) return;
  c.knownRootCount(GuardSlot::pull) = 1;
  if (c.isSpringUnloaded()) c.knownRootCount(GuardSlot::ahead) = c.knownRootCount(GuardSlot::back) = 1;
}

}  // namespace ricochet
