// What follows when a guard vanishes.

#include "engine/event/automata/event_contacts.hpp"
#include "engine/event/automata/friction_starts.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

int& known(EventContact& c, GuardSlot slot) { return c.known[static_cast<std::size_t>(slot)]; }

/// Motion of a contact point in the tangent plane against the surface, from the state itself.
void refreshKinematics(EventContact& c, const State& s) {
  const Eigen::Index size = s.q.size();
  Tangential<double> position = c.origin - c.travel;
  Tangential<double> rate{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.tangents); ++a) {
    if (c.tangentRow[a] == nullptr) continue;
    position = position + scaled(kernels::dot(c.tangentRow[a], s.q.data(), size), c.axis[a]);
    rate = rate + scaled(kernels::dot(c.tangentRow[a], s.v.data(), size), c.axis[a]);
  }
  for (std::size_t i = 0; i < c.surface.size(); ++i)
    rate = rate - scaled(c.surface[i].at(s.time), c.contact->surface[i].direction);
  c.state.position = position;
  c.state.slipRate = rate;
}

FrictionKinematics<double> kinematicsOf(const EventContact& c) {
  FrictionKinematics<double> k;
  k.position = c.state.position;
  k.slipRate = c.state.slipRate;
  k.compression = c.state.compression;
  k.reaction = c.state.traction;
  return k;
}

double storedTangential(const EventContact& c) {
  if (!c.closed() || !c.hasTraction()) return 0.0;
  return c.storedInStick(kinematicsOf(c));
}

/// The speeds that a slip rate is made of [m/s].
double speedsOf(const EventContact& c, const State& s) {
  double scale = 0.0;
  for (std::size_t a = 0; a < 2; ++a) scale = std::max(scale, c.rowSize[a + 1] * s.v.norm());
  for (std::size_t i = 0; i < c.surface.size(); ++i)
    scale = std::max(scale, std::abs(c.surface[i].at(s.time)) * length(c.contact->surface[i].direction));
  return scale;
}

/// A slip rate that is only what rounding leaves of those, or twice what a stick had before an impact.
bool isRest(const EventContact& c, const State& s) {
  constexpr double kRounding = 1e-13;
  return length(c.state.slipRate) <= std::max(kRounding * speedsOf(c, s), 2.0 * c.drift);
}

/// Projects the velocity so that a contact has no slip rate; returns the largest along its tangents.
double takeSlipRate(const EventContact& c, State& s) {
  double largest = 0.0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.tangents); ++a) {
    if (c.tangentRow[a] == nullptr) continue;
    const double rate = kernels::dot(c.tangentRow[a], s.v.data(), s.v.size()) - c.surfaceSpeed(a, s.time);
    const double compliance = c.rowSize[a + 1] * c.rowSize[a + 1];
    kernels::addScaled(-rate / compliance, c.tangentRow[a], s.v.data(), s.v.size());
    largest = std::max(largest, std::abs(rate));
  }
  return largest;
}

/// Guard of a stick that vanishes where the traction has this direction.
GuardSlot coneOf(const EventContact& c, const Tangential<double>& direction) {
  return !c.turns() && dot(direction, c.axis[0]) > 0.0 ? GuardSlot::ahead : GuardSlot::back;
}

/// Whether the spring of a stick along a line pulls with nothing, its end being where it is hooked to.
bool isSlack(const EventContact& c) {
  if (!c.hasTraction() || c.turns() || c.setValuedStick || c.state.friction.slipping) return false;
  return isSlack(c.contact->friction, kinematicsOf(c), c.state.friction);
}

/// Whether a stick that begins asks for more than N, as it closes, bears.
bool exceedsCone(const EventContact& c, const State& s) {
  NormalKinematics<double> normal;
  if (c.pushesFromGeometry && c.normalRow != nullptr) {
    const double place = kernels::dot(c.normalRow, s.q.data(), s.q.size());
    normal.gap = c.state.side > 0.0 ? place - c.low : c.high - place;
    normal.gapRate = c.state.side * kernels::dot(c.normalRow, s.v.data(), s.v.size());
  }
  normal.imposed = c.imposedNormal ? c.imposed.at(s.time) : 0.0;
  FrictionKinematics<double> k = kinematicsOf(c);
  k.compression =
      std::visit([&](const auto& law) { return law.template force<double>(NormalState::closed, normal); },
                 c.contact->normal);
  return exceedsCone(c.contact->friction, k, c.state.friction);
}

void book(EventContact& c, ContactRun& run, EnergyLedger& ledger, double energy) {
  ledger.friction += energy;
  run.totalsOf(static_cast<std::size_t>(c.index)).frictionEnergy += energy;
}

}  // namespace

void EventContacts::record(EventContact& c, EventKind kind, double t) noexcept {
  pending_.push_back({t, c.index, kind});
}

void EventContacts::handOver(ContactRun& run) noexcept {
  if (!pending_.empty()) {
    run.events().insert(run.events().end(), pending_.begin(), pending_.end());
    pending_.clear();
  }
  nonlinear_.handOver(run);
  for (EventContact& c : contacts_) {
    c.fresh = c.forceGrowsFromZero = c.openedAtThisInstant = false;
    c.tractionAtPullOff = {};
  }
}

void EventContacts::follow(const GuardRef& guard, State& s, ContactRun& run, EnergyLedger& ledger) {
  nonlinear_.forgetIntervals();
  if (!isLinear(guard.contact)) return nonlinear_.follow(guard, s, run, ledger);
  EventContact& c = of(guard.contact);
  switch (guard.slot) {
    case GuardSlot::low:
      c.state.side = 1.0;
      followNormal(c, 0, guard, s, run, ledger);
      break;
    case GuardSlot::high:
      c.state.side = -1.0;
      followNormal(c, 0, guard, s, run, ledger);
      break;
    case GuardSlot::normalFirst:
      followNormal(c, 0, guard, s, run, ledger);
      break;
    case GuardSlot::normalSecond:
      followNormal(c, 1, guard, s, run, ledger);
      break;
    default:
      followFriction(c, guard.slot, s, ledger, run);
  }
}

void EventContacts::followNormal(EventContact& c, std::size_t guard, const GuardRef& ref, State& s,
                                 ContactRun& run, EnergyLedger& ledger) {
  const bool jumped = ref.jumped;
  const NormalState from = c.state.normal;
  if (c.setValuedNormal && from == NormalState::open) {
    impact(c, s, run, ledger);
    return;
  }
  const NormalState to =
      std::visit([&](const auto& law) { return law.transition(from, guard); }, c.contact->normal);
  c.known = {};
  changed_ = true;
  if (from == NormalState::closed) letGo(c, run, ledger);
  c.state.normal = to;
  marginOf(c) = 0.0;
  if (to == NormalState::closed) {
    record(c, EventKind::closing, s.time);
    ++run.totalsOf(static_cast<std::size_t>(c.index)).impacts;
    c.fresh = true;
    const bool fromOpen = from == NormalState::open;
    const bool forceToo = std::visit([](const auto& law) { return !law.usesGapRate(); }, c.contact->normal);
    const bool fromZero = !jumped && (!fromOpen || forceToo || !c.pushesFromGeometry);
    close(c, s, fromZero);
    if (c.pushesFromGeometry) {
      c.forceGrowsFromZero = fromOpen && forceToo;
      if (c.forceGrowsFromZero) known(c, GuardSlot::normalFirst) = 1;
      if (fromOpen) known(c, GuardSlot::normalSecond) = 1;
      if (!fromOpen && !jumped) known(c, GuardSlot::normalFirst) = 1;
    } else if (!jumped) {
      known(c, GuardSlot::normalFirst) = 1;
    }
    // mu N - T vanishes with N
    if (fromZero && isSlack(c)) known(c, GuardSlot::ahead) = known(c, GuardSlot::back) = 1;
  } else {
    c.openedAtThisInstant = c.setValuedNormal && from == NormalState::closed;
    if (from == NormalState::closed) record(c, EventKind::opening, s.time);
    const GuardSlot side = c.state.side > 0.0 ? GuardSlot::low : GuardSlot::high;
    // gap, its rate where the contact is rigid, and its acceleration where N vanished
    if (to == NormalState::open && c.pushesFromGeometry)
      known(c, side) = !c.setValuedNormal ? 1 : ref.vanishes ? 3 : 2;
    if (!jumped && (to == NormalState::released || !c.pushesFromGeometry))
      known(c, GuardSlot::normalFirst) = 1;
  }
}

/// A contact that closes hooks its friction where the node is, without force. It slips at once if its stick
/// asks for a traction that nothing bears: a constraint's, which knows no slip rate, or a dashpot's that N
/// does not bear: a reaction, which is not known yet, as well as one that grows from zero.
void EventContacts::close(EventContact& c, const State& s, bool fromZero) {
  refreshKinematics(c, s);
  c.state.traction = {};
  c.state.friction = {};
  c.state.friction.anchorPosition = c.state.position;
  c.state.storedTangential = 0.0;
  c.starting = c.forceGrowsFromZero = c.opensBeforeSlipTurns = c.drops = false;
  c.fastestSlip = length(c.state.slipRate);
  if (!c.hasTraction()) return;
  if (isRest(c, s)) return slipAgainst(c);
  const bool damped = c.relaxation > 0.0;
  if (!c.setValuedStick && !(damped && (fromZero || c.setValuedNormal || exceedsCone(c, s)))) return;
  const double speed = length(c.state.slipRate);
  c.state.friction.slipping = true;
  c.state.friction.direction = scaled(-1.0 / speed, c.state.slipRate);
}

/// A true stick may hold by pulling at the obstacle: it opens, and where it closes again at that very instant
/// it is to slip. With N and T of the stick, G the accelerations per force and e.T < 0,
///
///     e.s'' = (G_tt - G_nt^2 / G_nn) (-mu N_slip - e.T) ,   N_slip > 0
///
/// so that it goes, if at all, against the traction of the stick, which keeps its direction.
void EventContacts::slipAgainst(EventContact& c) noexcept {
  const double traction = length(c.tractionAtPullOff);
  if (!c.setValuedStick || !(traction > 0.0)) return;
  c.state.friction.slipping = c.drops = true;
  c.starting = c.turns();
  c.state.friction.direction = scaled(1.0 / traction, c.tractionAtPullOff);
  c.tractionAtPullOff = {};
  known(c, GuardSlot::slip) = 1;
}

/// The travel of a surface counts from here: what the spring is hooked to goes along.
void EventContacts::keepClosed(EventContact& c, const State& s) noexcept {
  const Tangential<double> before = c.state.position;
  refreshKinematics(c, s);
  c.state.friction.anchorPosition = c.state.friction.anchorPosition + (c.state.position - before);
  c.fastestSlip = length(c.state.slipRate);
}

void EventContacts::letGo(EventContact& c, ContactRun& run, EnergyLedger& ledger) noexcept {
  book(c, run, ledger, storedTangential(c));
  c.state.traction = {};
  c.state.friction = {};
  c.state.compression = 0.0;
  c.state.storedTangential = 0.0;
  c.starting = c.forceGrowsFromZero = c.opensBeforeSlipTurns = c.drops = false;
}

void EventContacts::followFriction(EventContact& c, GuardSlot slot, State& s, EnergyLedger& ledger,
                                   ContactRun& run) {
  const double before = storedTangential(c);
  const FrictionMemory<double> old = c.state.friction;
  forgetFrictionRoots(c.known);
  const bool stops = slot == GuardSlot::slip;
  if (stops && slidesOn(c)) {
    changed_ = true;
    return;
  }
  if (stops && c.setValuedStick) halt(c, s);
  c.state.friction = std::visit(
      [&](const auto& law) {
        return law.template enter<double>(stops ? FrictionState::stick : FrictionState::slip, kinematicsOf(c),
                                          old);
      },
      c.contact->friction);
  c.opensBeforeSlipTurns = false;
  const double tolerance = 10.0 * slack_ * kNoise;
  if (c.relaxation > 0.0 && isOnBothCones(c.contact->friction, kinematicsOf(c), old, tolerance))
    known(c, stops ? coneOf(c, old.direction) : GuardSlot::slip) = 1;
  c.starting = !stops && c.turns() && c.setValuedStick;
  if (stops) {
    // The rate of the margin, mu N' - T', is k_t times what is left of the slip: nothing, to the tolerance,
    // where the slip came to its end, but not where N' jumped as another contact closed.
    const bool follows = !c.setValuedStick && c.relaxation == 0.0 && !c.turns();
    if (follows &&
        beginsOnCone(c.contact->friction, kinematicsOf(c), c.state.friction, old.direction, tolerance))
      known(c, coneOf(c, old.direction)) = 1;
    if (!c.fresh) record(c, EventKind::slipToStick, s.time);
  } else {
    if (!c.turns())  // exactly along the line
      c.state.friction.direction =
          slot == GuardSlot::ahead ? c.axis[0] : Tangential<double>{-c.axis[0].first, -c.axis[0].second};
    // N vanishes to rounding
    c.forceGrowsFromZero |= c.state.compression <= kNoise * std::abs(c.compression[1]) * std::abs(s.time);
    // the traction grows with the force, against the slip
    if (c.turns() && !c.setValuedStick && !c.relaxes() && c.forceGrowsFromZero &&
        length(c.state.slipRate) > 0.0)
      c.state.friction.direction = scaled(-1.0 / length(c.state.slipRate), c.state.slipRate);
    if (c.setValuedStick) known(c, GuardSlot::slip) = 1;
    c.drops =
        c.setValuedStick && tractionFalls(c.contact->friction, kinematicsOf(c), c.state.friction, tolerance);
    if (!c.fresh) recordBreakaway(c, old.direction, s.time);
  }
  if (c.state.friction.slipping && !c.relaxes()) slideAnchor(c, kinematicsOf(c));
  c.state.storedTangential = storedTangential(c);
  book(c, run, ledger, before - c.state.storedTangential);
  changed_ = true;
}

/// A slip that stopped at this very instant and goes on has not stopped; if it goes the other way it turned
/// back.
void EventContacts::recordBreakaway(EventContact& c, const Tangential<double>& before, double t) noexcept {
  for (std::size_t i = pending_.size(); i-- > 0;) {
    const Event& event = pending_[i];
    if (event.contact != c.index || event.kind != EventKind::slipToStick || event.time != t) continue;
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    if (dot(before, c.state.friction.direction) < 0.0) record(c, EventKind::slipReversal, t);
    return;
  }
  record(c, EventKind::stickToSlip, t);
}

/// Before velocities jump: what sticks drift by, to be told from what the jump does to them. The reactions of
/// a long step leave more than rounding; an impact that ends bounces is rounding itself, and leaves them
/// alone.
void EventContacts::recordStickDrift(EventContact& c, const State& s, bool endsBounces) noexcept {
  constexpr double kMostDrift = 1e-10;  // of the speeds; a stick that goes faster is none
  c.drift = 0.0;
  if (!c.holds()) return;
  refreshKinematics(c, s);
  const double most = kMostDrift * speedsOf(c, s);
  c.drift = endsBounces ? most : std::min(most, length(c.state.slipRate));
}

/// After it: a true stick that it tore loose slips, a slip that it turned back goes the other way.
void EventContacts::releaseOrKeepSticks(EventContact& c, State& s) {
  if (!c.closed() || !c.hasTraction() || !c.setValuedStick) return;
  refreshKinematics(c, s);
  const bool rests = isRest(c, s);
  if (c.holds()) {
    const bool started = c.starting;
    const Tangential<double> direction = c.state.friction.direction;
    if (rests && !started) takeSlipRate(c, s);
    if (!rests) slipOn(c, s);
    if (!rests && !c.fresh && !started) recordBreakaway(c, direction, s.time);
  } else if (!rests && !c.turns() && dot(c.state.slipRate, c.state.friction.direction) > 0.0) {
    slipOn(c, s);
    if (!c.fresh) record(c, EventKind::slipReversal, s.time);
  }
  c.drift = 0.0;
}

/// N jumps up. A spring that carries the traction of a slip is not stretched at once to bear the traction of
/// the new one: it sticks until it is.
void EventContacts::stickAgain(EventContact& c, double t) noexcept {
  if (!c.closed() || !c.hasTraction() || c.setValuedStick || !c.state.friction.slipping || c.relaxes())
    return;
  const auto stick = [&](const auto& law) {
    return law.template enter<double>(FrictionState::stick, kinematicsOf(c), c.state.friction);
  };
  c.state.friction = std::visit(stick, c.contact->friction);
  record(c, EventKind::slipToStick, t);
  changed_ = true;
}

/// To the functions of the next piece. A surface whose velocity jumps tears sticks loose as an impact does.
void EventContacts::advance(State& s) {
  const auto rubs = [](const EventContact& c) { return !c.surface.empty() && c.setValuedStick; };
  for (EventContact& c : contacts_)
    if (rubs(c)) recordStickDrift(c, s, false);
  nonlinear_.advance(s);
  for (EventContact& c : contacts_) {
    const double before = c.imposed.at(s.time);
    c.imposed.advance(s.time, 0.0);
    if (c.imposedNormal && c.imposed.at(s.time) > before) stickAgain(c, s.time);
    for (FunctionCursor& cursor : c.surface) cursor.advance(s.time, 0.0);
  }
  for (EventContact& c : contacts_)
    if (rubs(c)) releaseOrKeepSticks(c, s);
}

/// Friction of a contact that stays closed goes on with the motion that an impact left.
void EventContacts::slipOn(EventContact& c, const State& s) {
  const bool forceGrowsFromZero = c.forceGrowsFromZero;
  const Tangential<double> direction = c.state.friction.direction;
  close(c, s);
  c.forceGrowsFromZero = forceGrowsFromZero;
  if (!c.state.friction.slipping) c.state.friction.direction = direction;
  forgetFrictionRoots(c.known);
  changed_ = true;
}

/// Takes away what is left of the slip rate at the end of a slip, so that the stick starts without it. In a
/// plane several contacts may leave no motion at all together: those that stick keep no rate either, or the
/// structure would creep under them, with slips that never come to their end.
void EventContacts::halt(EventContact& c, State& s) noexcept {
  constexpr int kSweeps = 100;
  const double first = takeSlipRate(c, s);
  for (int i = 0; c.turns() && i < kSweeps; ++i) {
    double largest = 0.0;
    for (EventContact& other : contacts_)
      if (other.closed() && other.hasTraction() && other.setValuedStick &&
          (&other == &c || other.starting || !other.state.friction.slipping))
        largest = std::max(largest, takeSlipRate(other, s));
    if (!(largest > kNoise * first)) break;
  }
  for (EventContact& other : contacts_) {
    if (!other.turning || !other.setValuedStick || &other == &c) continue;
    refreshKinematics(other, s);  // it may stop with the same motion
    other.starting |= length(other.state.slipRate) <= kNoise * other.fastestSlip;
  }
  refreshKinematics(c, s);
}

}  // namespace ricochet
