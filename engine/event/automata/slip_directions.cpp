// Directions of slips in two dimensions between steps.

#include "engine/event/automata/event_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Speed up to which a slip that starts near balance is so slow that friction turns its direction towards its
/// acceleration at a rate T |b|^2 / |s'| that no step resolves; 0 if its present `rate` is faster. The limit
/// is 1e-8 of the fastest slip so far, or of the speed that the traction could have given in the time of the
/// run.
template <class C>
double slipSpeedLimitOfFixedDirection(const C& c, double rate, double elapsed, double step) noexcept {
  constexpr double kSlow = 1e-8;
  constexpr double kStiff = 1e3;
  const double row = c.largestTangentRowNorm();
  const double pull = length(c.state.traction);
  const double slow = kSlow * std::max(c.fastestSlip, pull * row * row * elapsed);
  return rate <= slow && pull * row * row * step > kStiff * rate ? slow : 0.0;
}

/// Restarts a set-valued slip in a plane whose speed is rounding only: the accelerations decide its
/// direction, since no step resolves how friction turns it.
void restartSlipFromAccelerations(ContactAutomaton& c) noexcept {
  c.slipPhase = Phase::slipWithoutSpeed;
  c.tractionDrops = true;
  c.slidesOnLine = false;
  c.knownRootCount(GuardSlot::slip) = 1;
}

/// Restarts slips whose speed is below a multiple of its rounding error; returns true if there are such
/// slips.
bool restartSlipsWithSpeedBelowRounding(double roundings,
                                        std::span<ContactAutomaton* const> automata) noexcept {
  bool any = false;
  for (ContactAutomaton* each : automata) {
    ContactAutomaton& c = *each;
    if (!c.isClosed() || !c.isTurningSlip() || !c.setValuedStick || c.isSlipWithZeroSpeed()) continue;
    if (length(c.state.slipRate) > roundings * c.slipRateRoundingError()) continue;
    restartSlipFromAccelerations(c);
    any = true;
  }
  return any;
}

/// Starts the series of the direction of a set-valued slip in a plane that gained speed, and ends the series
/// of a slip that lost its speed; returns true if the expansion must be built again. `followsReaction`: the
/// friction channel follows a reaction along the direction.
template <class C>
bool updateSlipDirection(C& c, const State& s, double surfaceSpeed, double elapsed, double step,
                         bool followsReaction) noexcept {
  const double rate = length(c.state.slipRate);
  const bool started = c.isSlipWithZeroSpeed();
  c.fixedDirectionSpeedLimit = 0.0;
  if (c.isAtRest(s)) {
    if (!started) restartSlipFromAccelerations(c);
    return !started;
  }
  // Friction that balances a slow slip keeps its speed, but turns the slip faster than any long step
  // resolves.
  constexpr int kMostSlow = 50;  // steps; a slip that gains speed exceeds the drift by then
  c.slowSteps = !started && rate <= c.largestDriftRate(s) ? c.slowSteps + 1 : 0;
  if (c.slowSteps > kMostSlow) {
    c.slowSteps = 0;
    restartSlipFromAccelerations(c);
    return true;
  }
  // The slip rate of a point that other contacts hold is only rounding.
  const double row = c.largestTangentRowNorm();
  const double pull = length(c.state.traction);
  const double scale = std::max({row * row * pull * step, row * s.v.norm(), c.fastestSlip, surfaceSpeed});
  if (!(rate > std::max(kNoise * scale, c.slipRateRoundingError()))) return false;
  if (started) c.fixedDirectionSpeedLimit = slipSpeedLimitOfFixedDirection(c, rate, elapsed, step);
  if (c.fixedDirectionSpeedLimit > 0.0) return false;
  c.slipPhase = Phase::slip;
  c.state.friction.direction = scaled(-1.0 / rate, c.state.slipRate);
  return started || followsReaction;
}

}  // namespace

/// Fixes the direction of a regularised slip shortly before the contact opens. As N falls to zero the
/// traction turns at the growing rate k_t |s'| / (mu_d N) until it opposes the slip rate. Once the remaining
/// impulse mu_d N^2 / |N'| is below the rounding of the velocity, the traction is set opposite to the slip
/// rate at once.
void EventContacts::keepSlipDirectionFixedBeforeOpening(LinearContact& c, double speed) noexcept {
  constexpr double kUnseen = 1e-14;
  const double rate = length(c.state.slipRate);
  const double pull = length(c.state.traction);
  const double row = c.largestTangentRowNorm();
  // Without a force, another contact opened at the same instant and this one opens next.
  const bool pulls = pull > 0.0 || c.slipPhase == Phase::slipUntilOpening;
  const bool opensFirst = c.compressionRate < 0.0 && rate > 0.0 && pulls &&
                          row * pull * c.state.compression <= kUnseen * speed * -c.compressionRate;
  if (opensFirst) c.state.friction.direction = scaled(-1.0 / rate, c.state.slipRate);
  transitions_.markContactStateChange(opensFirst || c.slipPhase == Phase::slipUntilOpening);
  c.slipPhase = opensFirst ? Phase::slipUntilOpening : Phase::slip;
}

void EventContacts::restartSlowSlips() {
  transitions_.markContactStateChange(restartSlipsWithSpeedBelowRounding(1.0, transitions_.automata()));
}

void EventContacts::updateSlipDirections(const State& s, double elapsed, double step) noexcept {
  constexpr double kTogether = 16.0;
  const auto starts = [](const ContactAutomaton* c) { return c->isClosed() && c->isSlipWithZeroSpeed(); };
  const auto before = std::ranges::count_if(transitions_.automata(), starts);
  for (LinearContact& c : contacts_) {
    if (!c.isClosed() || !c.hasTraction() || !c.canSlipInPlane() || !c.state.friction.slipping) continue;
    const double rate = length(c.state.slipRate);
    c.fastestSlip = std::max(c.fastestSlip, rate);
    if (!c.setValuedStick) {
      if (!c.hasRelaxingSlipSpring()) keepSlipDirectionFixedBeforeOpening(c, s.v.norm());
      transitions_.markContactStateChange(c.normalConstraint >=
                                          0);  // the friction of the reaction changes its direction
      continue;
    }
    const double surface = std::hypot(c.surfaceSpeed(0, s.time), c.surfaceSpeed(1, s.time));
    transitions_.markContactStateChange(
        updateSlipDirection(c, s, surface, elapsed, step, c.normalConstraint >= 0));
  }
  series_.forEachContact([&](SeriesContact& c) {
    if (!c.isClosed() || !c.hasTraction() || !c.canSlipInPlane() || !c.state.friction.slipping) return;
    c.fastestSlip = std::max(c.fastestSlip, length(c.state.slipRate));
    transitions_.markContactStateChange(
        updateSlipDirection(c, s, length(c.followed.surfaceRate), elapsed, step, false));
  });
  // Slips of one body that stop together lose their speeds together.
  const bool stopped = std::ranges::count_if(transitions_.automata(), starts) > before;
  transitions_.recordStoppedSlips(stopped);
  if (stopped)
    transitions_.markContactStateChange(
        restartSlipsWithSpeedBelowRounding(kTogether, transitions_.automata()));
}

}  // namespace ricochet
