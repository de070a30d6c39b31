// Energies, totals and events (closing, opening, stick to slip, slip to stick) of a contact after an accepted
// step.

#include "engine/contact/contact_set.hpp"
#include "engine/contact/crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// Root of a friction guard in the step as a fraction, by linear interpolation between its ends. A guard is a
/// function that is positive while its state (stick, slip) holds.
double stepFractionOfFrictionGuardRoot(const AnyFrictionLaw& any, FrictionState state,
                                       const ContactState& from, const ContactState& to, double h) noexcept {
  const double first = normalForceForFriction(from.compression),
               last = normalForceForFriction(to.compression);
  const double compressionRate = (last - first) / h;
  return std::visit(
      [&]<class Law>(const Law& law) {
        const FrictionKinematics<double> before{from.position, from.slipRate, first, compressionRate};
        const FrictionKinematics<double> after{to.position, to.slipRate, last, compressionRate};
        if constexpr (requires { law.tractionAboveDynamicFriction(before, from.friction); })
          if (state == FrictionState::slip && law.contactDamping() > 0.0)
            return stepFractionOfZeroCrossing(law.tractionAboveDynamicFriction(before, from.friction),
                                              law.tractionAboveDynamicFriction(after, from.friction));
        return stepFractionOfZeroCrossing(law.template guard<double>(state, before, from.friction),
                                          law.template guard<double>(state, after, from.friction));
      },
      any);
}

/// Fraction of the step at which a closed contact opened: the root of its force or of its gap.
double stepFractionAtOpening(const AnyNormalLaw& any, const ContactState& from,
                             const ContactState& to) noexcept {
  return std::visit(
      [&]<class Law>(const Law& law) {
        const double theta = std::max(0.0, stepFractionOfZeroCrossing(-from.gap, -to.gap));
        const NormalKinematics<double> after{.gap = to.gap, .gapRate = to.gapRate, .approach = from.approach};
        const bool letsGo = law.template guards<double>(NormalState::closed, after)[0] < 0.0;
        if (!law.doesForceDependOnGapRate() || !letsGo ||
            (to.gap >= 0.0 && Law::traits.form != ForceForm::linear))
          return theta;
        const double wanted = law.template force<double>(NormalState::closed, after);
        return std::clamp(stepFractionOfZeroCrossing(from.compression, wanted), 0.0, theta);
      },
      any);
}

bool doesSlipReverse(const ContactState& from, const ContactState& to) noexcept {
  return from.friction.slipping && to.friction.slipping &&
         dot(from.friction.direction, to.friction.direction) < 0.0;
}

/// Closing speed of a contact that closed in a step of h [s], for a motion with constant acceleration a:
///     g_0 = g - g' h + a h^2/2,   v^2 = g'^2 - 2 a g
double closingSpeed(const ContactState& from, const ContactState& to, double h) noexcept {
  const double a = 2.0 * (from.gap - to.gap + to.gapRate * h) / (h * h);
  return std::sqrt(std::max(0.0, to.gapRate * to.gapRate - 2.0 * a * to.gap));
}

/// True if a contact without an area has an event in the step: closing, opening, stick to slip, slip to stick
/// or slip reversal.
bool hasContactEvent(const ContactState& from, const ContactState& to) noexcept {
  if (from.isClosed() != to.isClosed()) return true;
  return to.isClosed() && (from.friction.slipping != to.friction.slipping || doesSlipReverse(from, to));
}

/// True if a step closes a contact whose stick breaks at once: traction and normal force grow from zero at
/// the closing, so that their ratio alone decides about slip.
bool doesSlipStartAtClosing(const Contact& contact, const ContactState& from,
                            const ContactState& to) noexcept {
  return !from.isClosed() && to.isClosed() && to.friction.slipping && contact.patch == nullptr &&
         !traitsOf(contact.friction).opensSlipping;
}

/// Friction work [J] of a contact without an area that closed in a step of h [s] and has slipped since, minus
/// the energy stored in its tangential spring.
double energyLostBySlipSinceClosing(const ContactState& to, double h) noexcept {
  const double touched = detail::timeSinceClosing(to.gap, to.gapRate, h);
  return -0.5 * touched * dot(to.traction, to.slipRate) - to.storedTangential;
}

/// Friction energy of a step that begins with an open contact [J]. Not inline: few steps close a contact.
[[gnu::noinline]] double frictionWorkAtClosing(const Contact& contact, const ContactState& from,
                                               const ContactState& to, double h) noexcept {
  if (doesSlipStartAtClosing(contact, from, to)) return energyLostBySlipSinceClosing(to, h);
  // A law that starts in slip at closing loads its spring at once, without any work of the motion.
  return to.isClosed() && traitsOf(contact.friction).opensSlipping ? -to.storedTangential : 0.0;
}

bool doesStickBreak(const ContactState& from, const ContactState& to) noexcept {
  return from.phase(true) == ContactPhase::stick && to.phase(true) == ContactPhase::slip;
}

/// Sets the spring force of a damped stick that broke inside a step of h [s], at the fraction theta: its
/// force at this instant, relaxed over the rest of the step:
///     T_e = T + (T_b - T) exp(-kappa (1 - theta) h)
/// In the trial, the spring followed the node to the end of the step. This is too far for a node without
/// inertia, which jumps when the traction drops.
void relaxSpringAfterStickBreaks(const AnyFrictionLaw& any, const ContactState& from, ContactState& to,
                                 double theta, double h) noexcept {
  std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.relaxationRate(); }) {
          FrictionKinematics<double> k{.position = from.position + scaled(theta * h, from.slipRate),
                                       .compression = normalForceForFriction(to.compression)};
          const FrictionMemory<double> broken =
              law.frictionMemoryAtStateStart(FrictionState::slip, k, from.friction);
          const double left = std::exp(-law.relaxationRate() * (1.0 - theta) * h);
          to.friction.anchorForce = to.traction + scaled(left, broken.anchorForce - to.traction);
          k.position = to.position;
          to.storedTangential = law.storedEnergy(k, to.friction);
        }
      },
      any);
}

/// Force of a spring beside a dashpot that slips from a touch on, `touched` [s] ago, for a traction that
/// grows from T_0 to T_1 at a constant rate, from T_e = 0 by T_e' = -kappa (T_e - T) [N].
Tangential<double> relaxedSpringForceSinceClosing(const Tangential<double>& first,
                                                  const Tangential<double>& last, double kappa,
                                                  double touched) noexcept {
  const double left = std::exp(-kappa * touched);
  const Tangential<double> rate = scaled(1.0 / touched, last - first);
  return last - scaled(left, first) - scaled((1.0 - left) / kappa, rate);
}

/// Replaces the spring force of a stick with a dashpot that closed within a step of h [s] and has slipped
/// since: the trial assumed that its slider did not move.
void relaxStickSpringSinceClosing(const Contact& contact, ContactState& to, double h) noexcept {
  const double touched = detail::timeSinceClosing(to.gap, to.gapRate, h);
  if (!to.friction.slipping || !(touched > 0.0) || !(to.compression > 0.0)) return;
  const double atTouch = std::visit(
      [&](const auto& law) {
        return law.doesForceDependOnGapRate()
                   ? law.template force<double>(NormalState::closed, {.gapRate = to.gapRate})
                   : 0.0;
      },
      contact.normal);
  std::visit(
      [&]<class Law>(const Law& law) {
        if constexpr (requires { law.relaxationRate(); }) {
          const double kappa = law.relaxationRate();
          if (!(kappa > 0.0)) return;
          const double share = std::clamp(atTouch / to.compression, 0.0, 1.0);
          to.friction.anchorForce =
              relaxedSpringForceSinceClosing(scaled(share, to.traction), to.traction, kappa, touched);
          to.friction.anchorPosition = to.position;
          const FrictionKinematics<double> k{.position = to.position, .compression = to.compression};
          to.storedTangential = law.storedEnergy(k, to.friction);
        }
      },
      contact.friction);
}

}  // namespace

const ContactState& ContactRun::trialState(std::size_t i) const noexcept {
  const auto all = evaluatedContacts();
  if (held_.isInStickBatch(i)) updateContactStateFromStickBatch(i);
  return states_[2 * i +
                 (std::find(all.begin(), all.end(), i) == all.end() ? current_[i] : 1U - current_[i])];
}

void ContactRun::appendContactEvent(std::size_t i, EventKind kind, double t) noexcept {
  // The start of a step, computed from its end and its length, may lie before the end of the last step.
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  const bool isStart = t < time_ && time_ - t <= kRounding * std::abs(time_);
  events_.push_back({isStart ? time_ : t, static_cast<int>(i), kind});
}

ContactJump ContactRun::recordContactStep(std::size_t i, const ContactState& from, const ContactState& to,
                                          double t, double h, double* velocity) noexcept {
  removeContactFromStickBatch(i);
  acceptedState(i) = from;
  writableTrialState(i) = to;
  touched_[0] = i;
  touchedCount_ = 1;
  return recordEvents(i, t, h, velocity);
}

ContactJump ContactRun::recordEvents(std::size_t i, double t, double h, double* velocity) noexcept {
  const ContactState& from = acceptedState(i);
  const ContactState& to = writableTrialState(i);
  if (from.isClosed() == to.isClosed()) {
    ContactJump jump;
    if (to.isClosed() && set_->hasTraction(static_cast<int>(i)))
      jump.kicked = recordFrictionEvents(i, t, h, velocity);
    return jump;
  }
  const AnyNormalLaw& law = set_->contact(static_cast<int>(i)).normal;
  double theta =
      to.isClosed() ? stepFractionOfZeroCrossing(from.gap, to.gap) : stepFractionAtOpening(law, from, to);
  if (imposedIndex_[i] != kNone) {
    const FunctionCursor& force = imposed_[imposedIndex_[i]].cursor;
    const double sign = to.isClosed() ? -1.0 : 1.0;
    theta = stepFractionOfZeroCrossing(sign * force.at(t - h), sign * force.at(t));
  }
  theta = std::max(0.0, theta);
  appendContactEvent(i, to.isClosed() ? EventKind::closing : EventKind::opening, t - h * (1.0 - theta));
  if (to.isClosed()) ++totals_[i].impacts;
  if (!account_[i].normalDashpot || from.normal == NormalState::released || h == 0.0) return {};
  // The springs in series of a coupled contact absorb the jump of the force.
  if (set_->contact(static_cast<int>(i)).coupled) return {};
  return recordForceJump(i, theta, h, velocity);
}

/// Corrects the velocity for the force of a dashpot, which jumps to c |g'| when the contact closes; with
/// `tension` the force also jumps to zero when the contact opens.
ContactJump ContactRun::recordForceJump(std::size_t i, double theta, double h, double* velocity) noexcept {
  const ContactState& from = acceptedState(i);
  const ContactState& to = writableTrialState(i);
  const NormalKinematics<double> touching{.gap = 0.0, .gapRate = (to.gap - from.gap) / h};
  const double atTouch = std::visit(
      [&](const auto& law) {
        return law.template guards<double>(NormalState::closed, touching)[0] < 0.0
                   ? 0.0
                   : law.template force<double>(NormalState::closed, touching);
      },
      set_->contact(static_cast<int>(i)).normal);
  if (atTouch == 0.0) return {};
  const double jump = to.isClosed() ? atTouch : -atTouch;
  addImpulse(i, jump * h * (1.0 - theta - shareOfJump_(theta)), {}, velocity);
  const double crush = std::max(0.0, -to.gap) - std::max(0.0, -from.gap);
  return {true, jump * h * (0.5 - theta), atTouch, 0.5 * atTouch * crush};
}

/// Fraction of the step at which the stick broke away, for a trial that slips.
double ContactRun::stepFractionAtBreakaway(std::size_t i, double h) const noexcept {
  const ContactState& from = state(i);
  const ContactState& to = trialState(i);
  const AnyFrictionLaw& any = set_->contact(static_cast<int>(i)).friction;
  if (!forecast_) return stepFractionOfFrictionGuardRoot(any, FrictionState::stick, from, to, h);
  // A spring that is anchored at the present position with the force T has the trial force T.
  const auto guardAt = [](const auto& law, const ContactState& s, const Tangential<double>& traction) {
    const FrictionKinematics<double> k{s.position, {}, normalForceForFriction(s.compression), 0.0};
    return law.template guard<double>(
        FrictionState::stick, k,
        {.anchorForce = traction, .anchorPosition = s.position, .direction = {}, .slipping = false});
  };
  return std::visit(
      [&](const auto& law) {
        return stepFractionOfZeroCrossing(guardAt(law, from, from.traction),
                                          guardAt(law, to, from.traction + scaled(h, from.tractionRate)));
      },
      any);
}

/// Adds an impulse along normal and tangents of the trial [N s] to the velocity. For a followed contact the
/// frame of the trial gives the directions.
void ContactRun::addImpulse(std::size_t i, double normal, const Tangential<double>& impulse,
                            double* velocity) noexcept {
  const int index = static_cast<int>(i);
  std::array<double, ContactSet::kAxes> along{writableTrialState(i).side * normal, impulse.first,
                                              impulse.second, 0.0};
  if (set_->isFollowed(index)) {
    const ContactFrame<double>& frame = followed_.state(i, 1U - current_[i]).frame;
    const Tangential<double>& scale = set_->contact(index).tangentScale;
    const Tangential<double> pull{scale.first * impulse.first, scale.second * impulse.second};
    for (std::size_t a = 0; a < 3; ++a)
      along[a] = normal * frame.normal[a] + pull.first * frame.first[a] + pull.second * frame.second[a];
    along[3] = set_->isRolling(index) ? -rollingSlipFactor(frame) * pull.first : 0.0;
  }
  for (int axis = 0; axis < ContactSet::kAxes; ++axis) {
    const double size = along[static_cast<std::size_t>(axis)];
    const double* row = set_->row(index, axis);
    if (size != 0.0 && row != nullptr) kernels::addScaled(size, row, velocity, set_->rowSize());
  }
}

bool ContactRun::recordFrictionEvents(std::size_t i, double t, double h, double* velocity) noexcept {
  const ContactState& from = acceptedState(i);
  const ContactState& to = writableTrialState(i);
  const int index = static_cast<int>(i);
  if (set_->isArea(index)) {
    recordAreaEvents(i, t, h);
    return false;
  }
  if (!hasContactEvent(from, to)) return false;
  const AnyFrictionLaw& law = set_->contact(index).friction;
  if (!from.friction.slipping) {
    const double theta = stepFractionAtBreakaway(i, h);
    appendContactEvent(i, EventKind::stickToSlip, t - h * (1.0 - theta));
    // The traction drops from mu_s N to mu_d N at breakaway.
    const double drop = std::visit(
        [&](const auto& l) { return l.tractionDropAtBreakaway(normalForceForFriction(to.compression)); },
        law);
    const double impulse = -drop * h * (1.0 - theta - shareOfJump_(theta));
    addImpulse(i, 0.0, scaled(impulse, to.friction.direction), velocity);
    return drop != 0.0;
  }
  appendContactEvent(i, doesSlipReverse(from, to) ? EventKind::slipReversal : EventKind::slipToStick,
                     t - h * (1.0 - stepFractionOfFrictionGuardRoot(law, FrictionState::slip, from, to, h)));
  return false;
}

inline void ContactRun::addEnergies(std::size_t i, double h, EnergyLedger& ledger) noexcept {
  const ContactState& from = acceptedState(i);
  const ContactState& to = writableTrialState(i);
  ContactTotals& totals = totals_[i];
  totals.impulse += 0.5 * h * (from.compression + to.compression);
  totals.peakForce = std::max(totals.peakForce, to.compression);

  const ContactAccount& kind = account_[i];
  // The trapezoidal rule over the positions gives the work on the contact. Work minus stored energy is
  // dissipated; springs without dashpot dissipate nothing.
  if (kind.carried) addWorkOfFollowedContact(i, h, ledger);
  const double meanForce = 0.5 * (from.compression + to.compression);
  if (kind.imposed) {
    ledger.external += meanForce * (to.gap - from.gap);
  } else if (kind.normalDashpot) {
    const double crush = std::max(0.0, -to.gap) - std::max(0.0, -from.gap);
    ledger.damping += meanForce * crush - (to.storedNormal - from.storedNormal);
  }
  if (!kind.traction) return;
  if (!from.isClosed()) {
    const double lost = frictionWorkAtClosing(set_->contact(static_cast<int>(i)), from, to, h);
    ledger.friction += lost;
    totals.frictionEnergy += lost;
    return;
  }
  const bool slid = from.friction.slipping || to.friction.slipping || !to.isClosed();
  if (!slid && !kind.stickDashpot && !kind.chord) return;
  const Tangential<double> way =
      kind.chord ? scaled(0.5 * h, from.slipRate + to.slipRate) : to.position - from.position;
  double slipWork = -0.5 * dot(from.traction + to.traction, way);
  bool yields = false;  // the area sticks while part of its points slip
  if (kind.area) {
    const AreaState& after = areas_.state(i, 1U - current_[i]);
    slipWork += workOfSpinMoment(areas_.state(i, current_[i]), after);
    yields = after.memory.yielding;
  }
  const double lost = slipWork - (to.storedTangential - from.storedTangential);
  if (slid || yields || kind.chord) {
    ledger.friction += lost;
    totals.frictionEnergy += lost;
  } else {
    ledger.damping += lost;  // energy dissipated by the dashpot of the stick
  }
}

bool ContactRun::acceptStep(std::size_t i, double t, double h, EnergyLedger& ledger,
                            double* velocity) noexcept {
  removeContactFromStickBatch(i);
  const bool wasOpen = acceptedState(i).normal == NormalState::open;
  if (wasOpen) {
    if (set_->hasContactFreeInterval(i))
      acceptedState(i).gap = gapAt(i, gaps_.acceptedCoordinateAlongGapRow(i));
    else if (gaps_.canSkipCurvedContact(i))
      acceptedState(i).gap = gaps_.acceptedGap(i);
  }
  if (account_[i].approach && wasOpen && writableTrialState(i).normal != NormalState::open && h > 0.0)
    writableTrialState(i).approach = closingSpeed(acceptedState(i), writableTrialState(i), h);
  if (account_[i].keepsSpring && doesStickBreak(acceptedState(i), writableTrialState(i)))
    relaxSpringAfterStickBreaks(set_->contact(static_cast<int>(i)).friction, acceptedState(i),
                                writableTrialState(i), stepFractionAtBreakaway(i, h), h);
  if (followsRates_ && wasOpen && writableTrialState(i).isClosed() && !account_[i].area)
    relaxStickSpringSinceClosing(set_->contact(static_cast<int>(i)), writableTrialState(i), h);
  addEnergies(i, h, ledger);
  bool kicked = false;
  if (account_[i].area || hasContactEvent(acceptedState(i), writableTrialState(i))) [[unlikely]] {
    const ContactJump jump = recordEvents(i, t, h, velocity);
    totals_[i].impulse += jump.impulse;
    totals_[i].peakForce = std::max(totals_[i].peakForce, jump.peak);
    jumpLoss_ += jump.loss;
    kicked = jump.kicked;
  }
  if (forecast_)
    writableTrialState(i).tractionRate =
        scaled(1.0 / h, writableTrialState(i).traction - acceptedState(i).traction);
  current_[i] ^= 1U;
  if (wasOpen != (acceptedState(i).normal == NormalState::open)) updateContactFreeInterval(i);
  return kicked;
}

}  // namespace ricochet
