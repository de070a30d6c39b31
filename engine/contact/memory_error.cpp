#include "engine/contact/memory_error.hpp"

#include "engine/contact/areas/patch_law.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Plastic slip rate of a slipping state [m/s]; negative if the state should have stuck.
template <class Law>
double plasticSlipRate(const Law& law, const ContactState& s, const ContactState& slipping,
                       double compressionRate) noexcept {
  const FrictionKinematics<double> k{s.position, s.slipRate, normalForceForFriction(s.compression),
                                     compressionRate};
  if constexpr (requires { law.tractionAboveDynamicFriction(k, slipping.friction); })
    if (law.contactDamping() > 0.0)
      return law.tractionAboveDynamicFriction(k, slipping.friction) / law.contactDamping();
  return law.template guard<double>(FrictionState::slip, k, slipping.friction);
}

/// Error of a stick that begins inside a step of h [s] by a law that anchors its spring at the start of the
/// step (Automaton): until the slip is slower than the threshold of the law, at a fraction theta, the
/// traction follows the normal force and the place moves on.
template <class Law>
double earlyAnchorError(const Law& law, const ContactState& from, const ContactState& to, double h) noexcept {
  const double speed = std::sqrt(dot(from.slipRate, from.slipRate)), stiffness = law.contactStiffness();
  if (to.friction.slipping || !(speed > 0.0) || !(stiffness > 0.0) || !(from.compression > 0.0)) return 0.0;
  const double after = dot(from.slipRate, to.slipRate) / speed;
  const double theta = after < speed ? std::clamp((speed - law.threshold) / (speed - after), 0.0, 1.0) : 1.0;
  const double traction = std::sqrt(dot(from.traction, from.traction)) / from.compression;
  const double missed = theta * traction * std::abs(to.compression - from.compression);
  return missed / std::sqrt(stiffness) + std::sqrt(stiffness) * 0.5 * h * theta * speed;
}

template <class Law>
double errorOfReversedSlip(const Law& law, const ContactState& from, const ContactState& to,
                           double h) noexcept {
  if (!from.friction.slipping) return 0.0;
  if constexpr (Law::traits.branchesBySteps) return earlyAnchorError(law, from, to, h);
  const double compressionRate =
      (normalForceForFriction(to.compression) - normalForceForFriction(from.compression)) / h;
  const double before = plasticSlipRate(law, from, from, compressionRate);
  const double after = plasticSlipRate(law, to, from, compressionRate);
  if (!(before > 0.0) || !(after < 0.0)) return 0.0;
  const double theta = before / (before - after);
  const double way = to.friction.slipping ? (1.0 - theta) * -after : theta * before;
  return std::sqrt(law.contactStiffness()) * 0.5 * h * way;
}

/// Difference of the spring forces of two memories at one position, in energy norm [J^1/2].
double tangentialSpringForceDifference(double stiffness, const FrictionMemory<double>& a,
                                       const FrictionMemory<double>& b) noexcept {
  const Tangential<double> change =
      a.anchorForce - b.anchorForce + scaled(stiffness, a.anchorPosition - b.anchorPosition);
  return std::sqrt(dot(change, change) / stiffness);
}

/// Motion at the end of one half of a step of h [s], for a trial from the memory at the start of this half.
FrictionKinematics<double> kinematicsAtHalfStepEnd(const Tangential<double>& position,
                                                   const Tangential<double>& rate, double compression,
                                                   bool slipping, const ContactState& from,
                                                   const ContactState& to, double h) noexcept {
  FrictionKinematics<double> k{position, rate, normalForceForFriction(compression), 0.0};
  if (!slipping) return k;
  k.elapsed = 0.5 * h;
  k.compressionRate = (normalForceForFriction(to.compression) - normalForceForFriction(from.compression)) / h;
  return k;
}

/// Error of the return mapping of a step, estimated by a second mapping in two half steps, along the cubic
/// through positions and rates of the ends of the step. `mobility()`: velocity per tangential impulse, in
/// energy norm [kg^-1/2].
template <class Law, class Mobility>
double frictionErrorOfWholeStep(const Law& law, const ContactState& from, const ContactState& to, double h,
                                const Mobility& mobility) noexcept {
  if constexpr (SteppedFrictionLaw<Law> && !Law::traits.setValued && !Law::traits.ofArea) {
    const bool ratesKnown = Law::traits.asksRate || from.friction.slipping || law.contactDamping() > 0.0;
    if (!ratesKnown || !(law.contactStiffness() > 0.0)) return 0.0;
    const Tangential<double> way = to.position - from.position;
    const Tangential<double> middle =
        from.position + scaled(0.5, way) + scaled(0.125 * h, from.slipRate - to.slipRate);
    const Tangential<double> rate = scaled(1.5 / h, way) - scaled(0.25, from.slipRate + to.slipRate);
    const FrictionTrial<double> first = law.template computeTrial<double>(
        kinematicsAtHalfStepEnd(middle, rate, 0.5 * (from.compression + to.compression),
                                from.friction.slipping, from, to, h),
        from.friction);
    const FrictionTrial<double> second = law.template computeTrial<double>(
        kinematicsAtHalfStepEnd(to.position, to.slipRate, to.compression, first.next.slipping, from, to, h),
        first.next);
    // If a branch jumps with the direction of the slip, the jump does not decrease with the step: the error
    // is then the velocity that the wrong force causes over the step.
    if constexpr (Law::traits.branchesBySteps)
      if (second.next.slipping != to.friction.slipping || dot(second.traction, to.traction) < 0.0) {
        const Tangential<double> jump = second.traction - to.traction;
        return h * mobility() * std::sqrt(dot(jump, jump));
      }
    return tangentialSpringForceDifference(law.contactStiffness(), second.next, to.friction);
  } else {
    return 0.0;
  }
}

/// True if a repetition of the trial in half steps sees errors of a contact that its ends do not show: of an
/// area, of a path that turns or moves, and of the spring beside a dashpot in a slip that begins at closing.
/// Along a tangent that turns, `position` does not grow with the slip rate: a middle of the step that is
/// computed from both (frictionErrorOfWholeStep) has a wrong rate, however short the step.
bool needsTrialRepeatedInHalfSteps(const ContactSet& set, int i) noexcept {
  const bool damped =
      std::visit([](const auto& law) { return law.contactDamping() > 0.0; }, set.contact(i).friction);
  return set.hasTraction(i) && !set.contact(i).coupled && (set.isArea(i) || set.isFollowed(i) || damped);
}

}  // namespace

double frictionMemoryError(const ContactRun& contacts, double h) noexcept {
  double sum = 0.0;
  for (const std::size_t i : contacts.evaluatedContacts()) {
    const ContactState& from = contacts.state(i);
    const ContactState& to = contacts.trialState(i);
    if (!from.isClosed() || !to.isClosed() || !contacts.contactSet().hasTraction(static_cast<int>(i)))
      continue;
    const Contact& contact = contacts.contactSet().contact(static_cast<int>(i));
    if (contact.coupled && doesForceDependOnRate(contact)) continue;
    const auto mobility = [&] {
      double squares = 0.0;
      for (const int axis : {0, 1, 2})  // tangents of a curved obstacle may depend on all three axes
        if (const double* row = contacts.contactSet().row(static_cast<int>(i), axis); row != nullptr)
          squares += kernels::dot(row, row, contacts.contactSet().rowSize());
      return std::sqrt(squares);
    };
    const bool repeated = needsTrialRepeatedInHalfSteps(contacts.contactSet(), static_cast<int>(i));
    const double error = std::visit(
        [&](const auto& law) {
          const double reversed = errorOfReversedSlip(law, from, to, h);
          return repeated ? reversed
                          : std::max(reversed, frictionErrorOfWholeStep(law, from, to, h, mobility));
        },
        contact.friction);
    sum += error * error;
  }
  return std::sqrt(sum);
}

namespace {

/// Force of the tangential spring along e1, e2, e3 in a state of a followed contact [N].
Local<double> tangentialSpringForceVector(double stiffness, const ContactState& s,
                                          const ContactFrame<double>& frame) noexcept {
  const Tangential<double> force =
      s.friction.anchorForce - scaled(stiffness, s.position - s.friction.anchorPosition);
  Local<double> along;
  for (std::size_t a = 0; a < 3; ++a)
    along[a] = force.first * frame.first[a] + force.second * frame.second[a];
  return along;
}

/// Velocity that a change of the forces along the axes of a contact causes over h [s], in energy norm.
double velocityChangeByForceDifference(const ContactSet& set, std::size_t i, const ContactRun& a,
                                       const ContactRun& b, double h) noexcept {
  const auto first = a.trialForce(i), second = b.trialForce(i);
  double square = 0.0;
  for (std::size_t m = 0; m < first.size(); ++m)
    for (std::size_t n = 0; n < first.size(); ++n) {
      const double* row = set.row(static_cast<int>(i), static_cast<int>(m));
      const double* other = set.row(static_cast<int>(i), static_cast<int>(n));
      if (row != nullptr && other != nullptr)
        square += (first[m] - second[m]) * (first[n] - second[n]) * kernels::dot(row, other, set.rowSize());
    }
  return h * std::sqrt(std::max(0.0, square));
}

/// Difference of two trials of an area in energy norm [J^1/2].
double differenceOfContactAreaStates(const Contact& contact, std::size_t i, const ContactRun& a,
                                     const ContactRun& b) noexcept {
  if (contact.patch->bristleCount() > 0)
    return std::sqrt(contact.patch->bristleForceDifference(a.trialBristles(i), b.trialBristles(i)));
  const Tangential<double> force = a.trialState(i).traction - b.trialState(i).traction;
  const double moment = a.trialAreaState(i).moment - b.trialAreaState(i).moment;
  const double stiffness =
      std::visit([](const auto& law) { return law.contactStiffness(); }, contact.friction);
  return std::sqrt(dot(force, force) / stiffness + moment * moment / contact.patch->spinStiffness());
}

/// Error by a slip of an area that reverses inside a step of h [s], as in `errorOfReversedSlip`: two half
/// steps miss it as the whole step does where it reverses early.
double errorOfReversedAreaSlip(const Contact& contact, std::size_t i, const ContactRun& run,
                               double h) noexcept {
  const ContactState &from = run.state(i), &to = run.trialState(i);
  const AreaState &before = run.acceptedAreaState(i), &after = run.trialAreaState(i);
  if (contact.patch->bristleCount() > 0) {
    const AreaMotion first{.spin = before.spin, .rate = from.slipRate, .spinRate = before.spinRate};
    const AreaMotion last{.spin = after.spin, .rate = to.slipRate, .spinRate = after.spinRate, .elapsed = h};
    return std::sqrt(
        contact.patch->reversedSlipEnergyOfBristles(first, last, run.bristles(i), run.trialBristles(i)));
  }
  if (!from.friction.slipping) return 0.0;
  const auto powerAt = [&](const ContactState& s, const AreaState& spin) {
    return -dot(from.traction, s.slipRate) - before.moment * spin.spinRate;
  };
  const double start = powerAt(from, before), end = powerAt(to, after);
  if (!(start > 0.0) || !(end < 0.0)) return 0.0;
  const double theta = start / (start - end);
  const bool slips = to.friction.slipping;
  const ContactState& moves = slips ? to : from;
  const double turn = slips ? after.spinRate : before.spinRate;
  const double stiffness =
      std::visit([](const auto& law) { return law.contactStiffness(); }, contact.friction);
  return 0.5 * h * (slips ? 1.0 - theta : theta) *
         std::sqrt(stiffness * dot(moves.slipRate, moves.slipRate) +
                   contact.patch->spinStiffness() * turn * turn);
}

}  // namespace

HalvedTrial::HalvedTrial(const ContactSet& set)
    : halved_(set), middle_(Vector::Zero(set.rowSize())), rate_(Vector::Zero(set.rowSize())) {}

bool HalvedTrial::needsTrialInHalfSteps(const ContactSet& set) noexcept {
  for (int i = 0; i < set.size(); ++i)
    if (needsTrialRepeatedInHalfSteps(set, i)) return true;
  return false;
}

double HalvedTrial::halvedStepErrorOfContact(std::size_t i, const ContactRun& contacts,
                                             double h) const noexcept {
  const ContactSet& set = contacts.contactSet();
  const Contact& contact = set.contact(static_cast<int>(i));
  if (set.isArea(static_cast<int>(i))) {
    const double spring = std::max(differenceOfContactAreaStates(contact, i, contacts, halved_),
                                   errorOfReversedAreaSlip(contact, i, contacts, h));
    return contact.patch->doesFrictionDropWithSpeed()
               ? std::min(spring, velocityChangeByForceDifference(set, i, contacts, halved_, h))
               : spring;
  }
  const double stiffness =
      std::visit([](const auto& law) { return law.contactStiffness(); }, contact.friction);
  if (!(stiffness > 0.0)) return 0.0;
  const ContactState &whole = contacts.trialState(i), &parts = halved_.trialState(i);
  if (traitsOf(contact.friction).branchesBySteps &&
      (whole.friction.slipping != parts.friction.slipping || dot(whole.traction, parts.traction) < 0.0))
    return velocityChangeByForceDifference(set, i, contacts, halved_, h);
  const bool turns = set.isFollowed(static_cast<int>(i));
  const ContactFrame<double> plane;
  const Local<double> a =
      tangentialSpringForceVector(stiffness, whole, turns ? contacts.trialFollowedState(i).frame : plane);
  const Local<double> b =
      tangentialSpringForceVector(stiffness, parts, turns ? halved_.trialFollowedState(i).frame : plane);
  const Local<double> change{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return std::sqrt(innerProduct(change, change) / stiffness);
}

double HalvedTrial::estimateError(const ContactRun& contacts, const StepEnds& step) noexcept {
  const ContactSet& set = contacts.contactSet();
  const auto isClosed = [&](std::size_t i) {
    return needsTrialRepeatedInHalfSteps(set, static_cast<int>(i)) && contacts.trialState(i).isClosed();
  };
  if (std::ranges::none_of(contacts.evaluatedContacts(), isClosed)) return 0.0;
  const double h = step.h, start = contacts.time();
  middle_ = 0.5 * (step.q0 + step.q1) + 0.125 * h * (step.v0 - step.v1);
  rate_ = 1.5 / h * (step.q1 - step.q0) - 0.25 * (step.v0 + step.v1);
  halved_.copyStates(contacts);
  halved_.evaluate(start + 0.5 * h, {middle_.data(), rate_.data(), 0.0, rate_.data()});
  halved_.acceptStep(start + 0.5 * h, 0.5 * h, ledger_, rate_.data());
  halved_.events().clear();
  halved_.evaluate(start + h, {step.q1.data(), step.v1.data(), 0.0, step.v1.data()});
  double sum = 0.0;
  for (const std::size_t i : contacts.evaluatedContacts())
    if (isClosed(i) && halved_.trialState(i).isClosed())
      sum += std::pow(halvedStepErrorOfContact(i, contacts, h), 2);
  return std::sqrt(sum);
}

double frictionMemoryDifference(const Contact& contact, const ContactState& a,
                                const ContactState& b) noexcept {
  return std::visit(
      [&](const auto& law) {
        const double stiffness = law.contactStiffness();
        return stiffness > 0.0 ? tangentialSpringForceDifference(stiffness, a.friction, b.friction) : 0.0;
      },
      contact.friction);
}

}  // namespace ricochet
