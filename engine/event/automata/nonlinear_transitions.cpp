// What follows when a guard of a contact that is not linear vanishes, and its state at the start of a run.

#include "engine/event/automata/friction_starts.hpp"
#include "engine/event/automata/nonlinear_contacts.hpp"
#include "engine/numerics/certified_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

int& known(NonlinearContact& c, GuardSlot slot) { return c.known[static_cast<std::size_t>(slot)]; }

/// The speeds that a slip rate is made of [m/s].
double speedsOf(const NonlinearContact& c, const State& s) {
  const Drift drift = driftAt(*c.contact, s.time);
  return c.reach * s.v.norm() + std::sqrt(inner(drift.velocity, drift.velocity)) +
         length(c.followed.surfaceRate);
}

/// A slip rate that is only what rounding leaves of those, or twice what a stick had before an impact.
bool isRest(const NonlinearContact& c, const State& s) {
  constexpr double kRounding = 1e-13;
  return length(c.state.slipRate) <= std::max(kRounding * speedsOf(c, s), 2.0 * c.drifts);
}

/// Projects the velocity so that a contact has no slip rate along its line.
void takeSlipRate(const NonlinearContact& c, State& s) {
  const ContactFrame<double>& frame = c.followed.frame;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    const double rate = dot(c.state.slipRate, c.axis[a]);
    const auto along = [&](std::size_t i) {
      return c.axis[a].first * frame.first[i] + c.axis[a].second * frame.second[i];
    };
    double compliance = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        if (c.row[i] != nullptr && c.row[j] != nullptr)
          compliance += along(i) * along(j) * kernels::dot(c.row[i], c.row[j], s.v.size());
    for (std::size_t i = 0; i < 3 && compliance > 0.0; ++i)
      if (c.row[i] != nullptr)
        kernels::addScaled(-rate / compliance * along(i), c.row[i], s.v.data(), s.v.size());
  }
}

/// Guard of a stick that vanishes where the traction has this direction.
GuardSlot coneOf(const NonlinearContact& c, const Tangential<double>& direction) {
  return dot(direction, c.axis[0]) > 0.0 ? GuardSlot::ahead : GuardSlot::back;
}

/// Whether a stick that begins asks for more than N, as it closes, bears.
bool exceedsCone(const NonlinearContact& c) {
  FrictionKinematics<double> k = c.kinematics();
  k.compression = c.pressed(c.state.gap, c.state.gapRate);
  return exceedsCone(c.contact->friction, k, c.state.friction);
}

/// Whether a stick's spring pulls with nothing, its end being where it is hooked to.
bool isSlack(const NonlinearContact& c) {
  if (!c.hasTraction || c.setValuedStick || c.state.friction.slipping) return false;
  return isSlack(c.contact->friction, c.kinematics(), c.state.friction);
}

void bookFriction(NonlinearContact& c, ContactRun& run, EnergyLedger& ledger, double energy) {
  ledger.friction += energy;
  run.totalsOf(static_cast<std::size_t>(c.index)).frictionEnergy += energy;
}

}  // namespace

bool NonlinearContacts::isOne(const Contact& contact) noexcept {
  return std::holds_alternative<Curved>(contact.obstacle) || !contact.surfaceSpin.empty() ||
         !contact.drift.empty() || !std::visit([](const auto& law) { return law.kLinear; }, contact.normal);
}

void NonlinearContacts::start(ContactRun& run, const State& s, bool remembers) {
  for (NonlinearContact& c : contacts_) {
    c.readNumbers();
    c.state = run.state(static_cast<std::size_t>(c.index));
    for (auto* cursors : {&c.drift, &c.surface, &c.spin})
      for (FunctionCursor& cursor : *cursors) {
        cursor.rewind();
        cursor.advance(s.time, 0.0);
      }
    c.known = {};
    c.fresh = c.drops = c.graded = c.endsAtKink = false;
    c.forgetInterval();
    c.tractionAtPullOff = {};
    c.offsetPastKink = 0.0;
    c.turns = 0;
    if (!c.closed()) continue;
    const ContactState before = c.state;
    close(c, s, !(c.state.gap < 0.0));
    if (remembers && c.hasTraction) {
      c.state.friction = before.friction;
      c.state.friction.anchorPosition = before.friction.anchorPosition + (c.state.position - before.position);
    }
    c.fresh = !remembers && !(c.state.gap < 0.0);
  }
  pending_.clear();
  changed_ = true;
}

/// To the functions of the next piece. A surface whose velocity jumps tears sticks loose as an impact does.
void NonlinearContacts::advance(const State& s) {
  const auto isDriven = [](const NonlinearContact& c) { return c.moves() || !c.drift.empty(); };
  for (NonlinearContact& c : contacts_)
    if (isDriven(c)) recordStickDrift(c, s, false);
  for (NonlinearContact& c : contacts_)
    for (auto* cursors : {&c.drift, &c.surface, &c.spin})
      for (FunctionCursor& cursor : *cursors) cursor.advance(s.time, 0.0);
  for (NonlinearContact& c : contacts_)
    if (isDriven(c)) releaseOrKeepSticks(c, s);
}

double NonlinearContacts::nextBreakpoint() const noexcept {
  double next = std::numeric_limits<double>::infinity();
  for (const NonlinearContact& c : contacts_)
    for (const auto* cursors : {&c.drift, &c.surface, &c.spin})
      for (const FunctionCursor& cursor : *cursors) next = std::min(next, cursor.piece().end);
  return next;
}

void NonlinearContacts::handOver(ContactRun& run) noexcept {
  if (!pending_.empty()) {
    run.events().insert(run.events().end(), pending_.begin(), pending_.end());
    pending_.clear();
  }
  for (NonlinearContact& c : contacts_) {
    c.fresh = false;
    c.tractionAtPullOff = {};
  }
}

void NonlinearContacts::forgetIntervals() noexcept {
  for (NonlinearContact& c : contacts_) c.forgetInterval();
}

void NonlinearContacts::follow(const GuardRef& guard, State& s, ContactRun& run, EnergyLedger& ledger) {
  NonlinearContact& c = of(guard.contact);
  changed_ = true;
  switch (guard.slot) {
    case GuardSlot::low:
    case GuardSlot::high:
    case GuardSlot::normalFirst:
      followNormal(c, 0, guard.jumped, s, run, ledger);
      break;
    case GuardSlot::normalSecond:
      followNormal(c, 1, guard.jumped, s, run, ledger);
      break;
    default:
      followFriction(c, guard.slot, s, run, ledger);
  }
}

void NonlinearContacts::followNormal(NonlinearContact& c, std::size_t guard, bool jumped, const State& s,
                                     ContactRun& run, EnergyLedger& ledger) {
  const NormalState from = c.state.normal;
  const NormalState to =
      std::visit([&](const auto& law) { return law.transition(from, guard); }, c.contact->normal);
  c.known = {};
  if (from == NormalState::closed) letGo(c, run, ledger);
  c.state.normal = to;
  if (to == NormalState::closed) {
    record(c, EventKind::closing, s.time);
    ++run.totalsOf(static_cast<std::size_t>(c.index)).impacts;
    const bool fromZero = !jumped && (from != NormalState::open || !c.usesGapRate || c.isPower);
    close(c, s, fromZero);
    c.offsetPastKink = c.hasKinks ? -(std::abs(c.state.gap) + c.rounding()) : 0.0;
    c.fresh = from == NormalState::open;
    // N, or the gap, vanishes
    if (!jumped && (from != NormalState::open || !c.usesGapRate)) known(c, GuardSlot::normalFirst) = 1;
    if (from == NormalState::open) known(c, GuardSlot::normalSecond) = 1;
    // mu N - T vanishes with N
    if (fromZero && isSlack(c)) known(c, GuardSlot::ahead) = known(c, GuardSlot::back) = 1;
    return;
  }
  if (from == NormalState::closed) record(c, EventKind::opening, s.time);
  if (to == NormalState::released) {
    if (!jumped) known(c, GuardSlot::normalFirst) = 1;
  } else {
    c.state.storedNormal = 0.0;
    const bool high = std::holds_alternative<Slot>(c.contact->obstacle) && c.state.side < 0.0;
    known(c, high ? GuardSlot::high : GuardSlot::low) = 1;
  }
}

/// A contact that closes hooks its friction where the node is, without force. It slips at once if its stick
/// asks for a traction that nothing bears (see EventContacts::close), or for one that grows faster than N.
void NonlinearContacts::close(NonlinearContact& c, const State& s, bool fromZero) {
  c.locate(s);
  const Local<double>& x = c.followed.place;
  c.state.position = {inner(c.followed.frame.first, x), inner(c.followed.frame.second, x)};
  c.state.traction = {};
  c.state.friction = {};
  c.state.friction.anchorPosition = c.state.position;
  c.state.storedTangential = 0.0;
  if (!c.hasTraction) return;
  if (isRest(c, s)) return slipAgainst(c);
  const bool begins = fromZero && c.isSteep && -c.state.gap <= c.rounding();
  const bool damped = c.relaxation > 0.0;
  if (!c.setValuedStick && !begins && !(damped && (fromZero || exceedsCone(c)))) return;
  c.state.friction.slipping = true;
  c.state.friction.direction = scaled(-1.0 / length(c.state.slipRate), c.state.slipRate);
}

/// A true stick that opened at this very instant because it pulled at the obstacle (see EventContacts).
void NonlinearContacts::slipAgainst(NonlinearContact& c) noexcept {
  const double traction = length(c.tractionAtPullOff);
  if (!c.setValuedStick || !(traction > 0.0)) return;
  c.state.friction.slipping = c.drops = true;
  c.state.friction.direction = scaled(1.0 / traction, c.tractionAtPullOff);
  c.tractionAtPullOff = {};
  known(c, GuardSlot::slip) = 1;
}

void NonlinearContacts::letGo(NonlinearContact& c, ContactRun& run, EnergyLedger& ledger) noexcept {
  bookFriction(c, run, ledger, c.storedInStick());
  c.state.traction = {};
  c.state.friction = {};
  c.state.compression = 0.0;
  c.state.storedTangential = 0.0;
}

void NonlinearContacts::followFriction(NonlinearContact& c, GuardSlot slot, State& s, ContactRun& run,
                                       EnergyLedger& ledger) {
  const double before = c.storedInStick();
  const FrictionMemory<double> old = c.state.friction;
  ++c.turns;
  forgetFrictionRoots(c.known);
  const bool stops = slot == GuardSlot::slip;
  if (stops && c.setValuedStick) {
    takeSlipRate(c, s);
    c.state.slipRate = {};
  }
  c.state.friction = std::visit(
      [&](const auto& law) {
        return law.template enter<double>(stops ? FrictionState::stick : FrictionState::slip, c.kinematics(),
                                          old);
      },
      c.contact->friction);
  const double tolerance = 10.0 * slack_ * kNoise;
  if (c.relaxation > 0.0 && isOnBothCones(c.contact->friction, c.kinematics(), old, tolerance))
    known(c, stops ? coneOf(c, old.direction) : GuardSlot::slip) = 1;
  if (stops) {
    // what is left of the slip is the rate of the margin over k_t (see EventContacts::followFriction)
    const bool follows = !c.setValuedStick && c.relaxation == 0.0;
    if (follows &&
        beginsOnCone(c.contact->friction, c.kinematics(), c.state.friction, old.direction, tolerance))
      known(c, coneOf(c, old.direction)) = 1;
    if (!c.fresh) record(c, EventKind::slipToStick, s.time);
  } else {
    c.state.friction.direction = scaled(slot == GuardSlot::ahead ? 1.0 : -1.0, c.axis[0]);
    if (c.setValuedStick) known(c, GuardSlot::slip) = 1;
    c.drops =
        c.setValuedStick && tractionFalls(c.contact->friction, c.kinematics(), c.state.friction, tolerance);
    if (!c.fresh) recordBreakaway(c, old.direction, s.time);
  }
  if (c.state.friction.slipping && !c.relaxes()) carrySpring(c, 0.0, 1);
  c.state.storedTangential = c.storedInStick();
  bookFriction(c, run, ledger, before - c.state.storedTangential);
}

/// What a stick drifts by before velocities jump.
void NonlinearContacts::recordStickDrift(NonlinearContact& c, const State& s, bool endsBounces) noexcept {
  constexpr double kMostDrift = 1e-10;  // of the speeds; a stick that goes faster is none
  c.drifts = 0.0;
  if (!c.closed() || !c.holds()) return;
  c.locate(s);
  const double most = kMostDrift * speedsOf(c, s);
  c.drifts = endsBounces ? most : std::min(most, length(c.state.slipRate));
}

/// After it: a true stick that it tore loose slips, a slip that it turned back goes the other way.
void NonlinearContacts::releaseOrKeepSticks(NonlinearContact& c, const State& s) {
  if (!c.closed() || !c.hasTraction || !c.setValuedStick) return;
  c.locate(s);
  const bool held = c.holds();
  const Tangential<double> before = c.state.friction.direction;
  if (!isRest(c, s) && (held || dot(c.state.slipRate, before) > 0.0)) {
    close(c, s);
    forgetFrictionRoots(c.known);
    changed_ = true;
    if (!c.fresh && held) recordBreakaway(c, before, s.time);
    if (!c.fresh && !held) record(c, EventKind::slipReversal, s.time);
  }
  c.drifts = 0.0;
}

void NonlinearContacts::recordStickDrift(const State& s, bool endsBounces) noexcept {
  for (NonlinearContact& c : contacts_) recordStickDrift(c, s, endsBounces);
}

void NonlinearContacts::releaseOrKeepSticks(const State& s) {
  for (NonlinearContact& c : contacts_) releaseOrKeepSticks(c, s);
}

/// A slip that stopped at this very instant and goes on has not stopped; if it goes the other way it turned
/// back.
void NonlinearContacts::recordBreakaway(NonlinearContact& c, const Tangential<double>& before,
                                        double t) noexcept {
  for (std::size_t i = pending_.size(); i-- > 0;) {
    const Event& event = pending_[i];
    if (event.contact != c.index || event.kind != EventKind::slipToStick || event.time != t) continue;
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    if (dot(before, c.state.friction.direction) < 0.0) record(c, EventKind::slipReversal, t);
    return;
  }
  record(c, EventKind::stickToSlip, t);
}

/// The spring at t in the step of a slip, where the contact has been brought: a damped one has its own force,
/// the other the traction.
void NonlinearContacts::carrySpring(NonlinearContact& c, double t, std::size_t orders) noexcept {
  FrictionMemory<double>& memory = c.state.friction;
  if (c.relaxes()) {
    memory.anchorForce = {};
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
      memory.anchorForce = memory.anchorForce + scaled(polynomialAt(c.spring[a].first(orders), t), c.axis[a]);
    memory.anchorPosition = c.state.position;
    return;
  }
  std::visit(
      [&](const auto& law) {
        const Tangential<double> direction = memory.direction;
        memory = law.template enter<double>(FrictionState::stick, c.kinematics(), memory);
        memory.direction = direction;
        memory.slipping = true;
      },
      c.contact->friction);
}

}  // namespace ricochet
