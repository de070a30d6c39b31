// Work, impulses and states over a step.

#include "engine/event/automata/event_contacts.hpp"
#include "engine/event/automata/friction_starts.hpp"
#include "engine/event/automata/noise_levels.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

double storedNormal(const EventContact& c, double gap) {
  return std::visit(
      [&](const auto& law) {
        NormalKinematics<double> k;
        k.gap = gap;
        return law.template stored<double>(c.state.normal, k);
      },
      c.contact->normal);
}

FrictionKinematics<double> kinematicsAt(const EventContact& c, double t, std::size_t orders) {
  FrictionKinematics<double> k;
  k.position = c.origin;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.tangents); ++a) {
    k.position = k.position + scaled(polynomialAt(c.slide[a].first(orders + 2), t), c.axis[a]);
    k.slipRate = k.slipRate + scaled(slopeAt(c.slide[a].first(orders + 2), t), c.axis[a]);
    k.reaction = k.reaction + scaled(polynomialAt(c.tractionSeries(a, orders), t), c.axis[a]);
  }
  k.compression = polynomialAt(c.compressionSeries(orders), t);
  return k;
}

/// What the normal force did over the step.
void bookNormal(const EventContact& c, double step, std::size_t orders, EnergyLedger& ledger) {
  if (c.normalRow == nullptr || c.setValuedNormal) return;
  const std::span<const double> gap = c.gapSeries(orders);
  const std::span<const double> force = c.compressionSeries(orders);
  if (c.imposedNormal) {
    ledger.external += work(force, gap, step);
    return;
  }
  const bool damped = c.normalForce.rate != 0.0 || c.state.normal == NormalState::released;
  if (!damped) return;  // what is done on a spring is in it
  const double change = storedNormal(c, polynomialAt(gap, step)) - storedNormal(c, gap[0]);
  ledger.damping -= change;
  if (c.closed()) ledger.damping -= work(force, gap, step);
}

}  // namespace

void EventContacts::bring(EventContact& c, double t, std::size_t orders) const noexcept {
  c.state.gap = polynomialAt(c.gapSeries(orders), t);
  c.state.compression = polynomialAt(c.compressionSeries(orders), t);
  c.state.imposed =
      c.imposedNormal ? polynomialAt(c.prescribed.first(std::min(c.prescribedCount, orders)), t) : 0.0;
  c.state.storedNormal = storedNormal(c, c.state.gap);
  if (!c.hasTraction()) return;
  const FrictionKinematics<double> k = kinematicsAt(c, t, orders);
  c.state.position = k.position;
  c.state.slipRate = k.slipRate;
  c.state.traction = k.reaction;
}

void EventContacts::bookFriction(EventContact& c, double step, std::size_t orders, double& dissipated,
                                 EnergyLedger& ledger) noexcept {
  const bool slips = c.state.friction.slipping;
  double done = 0.0;  // by the traction, against the surface
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.tangents); ++a) {
    const std::span<const double> force = c.tractionSeries(a, orders);
    if (slips || c.dashpot) done += work(force, c.slide[a].first(orders + 2), step);
    if (!c.surface.empty()) ledger.external += work(force, c.moved[a].first(orders + 2), step);
  }
  if (c.setValuedStick && !c.turning) {  // nothing is stored, and the direction stays
    if (slips) {
      ledger.friction -= done;
      dissipated -= done;
    }
    return;
  }
  const FrictionKinematics<double> k = kinematicsAt(c, step, orders);
  if (c.turning) c.state.friction.direction = unit(k.reaction, dot(k.reaction, k.reaction));
  if (slips) carrySpring(c, k, step, orders);
  const double stored = c.storedInStick(k);
  const double lost = -done - (stored - c.state.storedTangential);
  c.state.storedTangential = stored;
  if (slips) {
    ledger.friction += lost;
    dissipated += lost;
  } else if (c.dashpot) {
    ledger.damping += lost;
  }
}

/// The spring of a regularised stick without dashpot goes along with a slip, stretched by the traction.
void EventContacts::slideAnchor(EventContact& c, const FrictionKinematics<double>& k) noexcept {
  std::visit(
      [&](const auto& law) {
        const Tangential<double> direction = c.state.friction.direction;
        c.state.friction = law.template enter<double>(FrictionState::stick, k, c.state.friction);
        c.state.friction.direction = direction;
        c.state.friction.slipping = true;
      },
      c.contact->friction);
}

void EventContacts::accept(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
                           EnergyLedger& ledger) noexcept {
  nonlinear_.accept(step, time, expansion, run, ledger);
  const std::size_t orders = orders_;
  for (EventContact& c : contacts_) {
    c.known = {};
    if (c.state.normal == NormalState::open) continue;
    bookNormal(c, step, orders, ledger);
    if (c.closed()) {
      ContactTotals& totals = run.totalsOf(static_cast<std::size_t>(c.index));
      const std::span<const double> force = c.compressionSeries(orders);
      totals.impulse += integral(force, step);
      totals.peakForce = std::max(totals.peakForce, peakOf(force, step, totals.peakForce));
      if (c.hasTraction()) bookFriction(c, step, orders, totals.frictionEnergy, ledger);
    }
    bring(c, step, orders);
    if (c.turns() && c.closed()) c.compressionRate = slopeAt(c.compression.first(orders), step);
    if (c.surface.empty() || !c.closed() || !c.hasTraction()) continue;
    c.travel = {};
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.tangents); ++a)
      c.travel = c.travel + scaled(polynomialAt(c.moved[a].first(orders + 2), step), c.axis[a]);
  }
}

void EventContacts::bringToStart(const GuardRef& guard, const TaylorExpansion& expansion,
                                 double time) noexcept {
  if (!isLinear(guard.contact)) return nonlinear_.bringToStart(guard, expansion, time);
  EventContact& c = of(guard.contact);
  if (c.state.normal != NormalState::open) bring(c, 0.0, orders_);
  if (guard.slot >= GuardSlot::ahead || !c.holds() || c.starting) return;
  const NoiseLevels noise(expansion, c);
  c.tractionAtPullOff = startOfPull(c.traction, c.axis, c.tangents, orders_, [&](std::size_t k) {
    return std::max(noise.reaction(1, k), noise.reaction(2, k));
  });
}

/// The accounts at t in the step, for output: the states stay.
void EventContacts::bookUntil(double t, double time, const TaylorExpansion& expansion,
                              EnergyLedger& ledger) noexcept {
  nonlinear_.bookUntil(t, time, expansion, ledger);
  const std::size_t orders = orders_;
  for (EventContact& c : contacts_) {
    if (c.state.normal == NormalState::open) continue;
    bookNormal(c, t, orders, ledger);
    if (!c.closed() || !c.hasTraction()) continue;
    const ContactState kept = c.state;
    double dissipated = 0.0;
    bookFriction(c, t, orders, dissipated, ledger);
    c.state = kept;
  }
}

void EventContacts::openAccounts(ContactRun& run) const noexcept {
  nonlinear_.openAccounts(run);
  for (const EventContact& c : contacts_)
    run.totalsOf(static_cast<std::size_t>(c.index)) = {.impacts = c.closed() ? 1 : 0,
                                                       .impulse = 0.0,
                                                       .frictionEnergy = 0.0,
                                                       .peakForce = c.closed() ? c.state.compression : 0.0};
}

void EventContacts::show(double t, double time, const TaylorExpansion& expansion, ContactRun& run) noexcept {
  nonlinear_.show(t, time, expansion, run);
  const std::size_t orders = orders_;
  for (EventContact& c : contacts_) {
    const ContactState kept = c.state;
    if (c.state.normal != NormalState::open) bring(c, t, orders);
    if (c.closed() && c.hasTraction() && !c.setValuedStick) {
      const FrictionKinematics<double> k = kinematicsAt(c, t, orders);
      if (c.state.friction.slipping) carrySpring(c, k, t, orders);
      c.state.storedTangential = c.storedInStick(k);
    }
    run.put(static_cast<std::size_t>(c.index), c.state);
    c.state = kept;
  }
}

void EventContacts::put(ContactRun& run) const noexcept {
  nonlinear_.put(run);
  for (const EventContact& c : contacts_) run.put(static_cast<std::size_t>(c.index), c.state);
}

namespace {

/// Whether a slip that starts near balance is still so slow that friction turns it at once to where its
/// acceleration points, at a rate T |b|^2 / |s'| beyond the reach of any step.
bool creeps(const EventContact& c, double rate, double step) noexcept {
  constexpr double kSlow = 1e-8;  // of the fastest slip
  constexpr double kStiff = 1e3;
  const double row = c.largestTangentRow();
  const double pull = length(c.state.traction);
  return rate <= kSlow * c.fastestSlip && pull * row * row * step > kStiff * rate;
}

}  // namespace

/// As N falls to zero the traction of a regularised slip turns faster and faster, at a rate k_t |s'| / (mu_d
/// N), which is against the slip in the end. Where the impulse left until then, mu_d N^2 / |N'|, is lost in
/// the rounding of the velocity, it may as well be against it at once.
void EventContacts::watchOpening(EventContact& c, double speed) noexcept {
  constexpr double kUnseen = 1e-14;
  const double rate = length(c.state.slipRate);
  const double pull = length(c.state.traction);
  const double row = c.largestTangentRow();
  const bool opensBeforeSlipTurns = c.compressionRate < 0.0 && rate > 0.0 && pull > 0.0 &&
                                    row * pull * c.state.compression <= kUnseen * speed * -c.compressionRate;
  if (opensBeforeSlipTurns) c.state.friction.direction = scaled(-1.0 / rate, c.state.slipRate);
  changed_ |= opensBeforeSlipTurns || c.opensBeforeSlipTurns;
  c.opensBeforeSlipTurns = opensBeforeSlipTurns;
}

void EventContacts::watchTurning(double speed, double t, double step) noexcept {
  for (EventContact& c : contacts_) {
    if (!c.closed() || !c.hasTraction() || !c.turns() || !c.state.friction.slipping) continue;
    const double rate = length(c.state.slipRate);
    c.fastestSlip = std::max(c.fastestSlip, rate);
    if (!c.setValuedStick) {
      if (!c.relaxes()) watchOpening(c, speed);
      continue;
    }
    // a contact that others hold has no speed but rounding
    const double row = c.largestTangentRow();
    const double pull = length(c.state.traction);
    const double scale = std::max({row * row * pull * step, row * speed, c.fastestSlip,
                                   std::hypot(c.surfaceSpeed(0, t), c.surfaceSpeed(1, t))});
    if (!(rate > kNoise * scale) || (c.starting && creeps(c, rate, step))) continue;
    changed_ |= c.starting;
    c.starting = false;
    c.state.friction.direction = scaled(-1.0 / rate, c.state.slipRate);
    changed_ |= c.normalConstraint >= 0;  // whose reaction the friction follows along that direction
  }
}

}  // namespace ricochet
