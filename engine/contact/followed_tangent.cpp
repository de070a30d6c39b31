// The consistent tangent of contacts whose tangent plane turns, or that touch what moves.

#include "engine/contact/contact_tangent.hpp"
#include "engine/contact/followed.hpp"
#include "engine/numerics/dual_functions.hpp"

namespace ricochet {
namespace {

/// Along the four positions (the rotation of a body that rolls is the last one), then their rates.
using FollowedSlope = Dual<8>;

struct Inputs {
  Local<FollowedSlope> place, velocity;
  FollowedSlope roll, rollRate;
};

Inputs inputsOf(const LocalMotion& motion, const Drift& drift) {
  Inputs in;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    in.place[axis] = FollowedSlope(motion.position[axis] + drift.displacement[axis], axis);
    in.velocity[axis] = FollowedSlope(motion.rate[axis] + drift.velocity[axis], axis + 4);
  }
  in.roll = FollowedSlope(motion.position[3], 3);
  in.rollRate = FollowedSlope(motion.rate[3], 7);
  return in;
}

Local<double> valuesOf(const Local<FollowedSlope>& x) { return {x[0].value(), x[1].value(), x[2].value()}; }

/// As ContactRun::evaluateFollowed.
FrictionKinematics<FollowedSlope> slipOf(const Contact& contact, const ContactState& accepted,
                                         const FollowedState& known, const Inputs& in,
                                         const ContactFrame<FollowedSlope>& frame,
                                         const TrialInstant& instant) {
  const ContactFrame<double> here{valuesOf(frame.normal), valuesOf(frame.first), valuesOf(frame.second)};
  const Local<double> surface = surfaceVelocity(contact, instant.time, valuesOf(in.place), here.normal);
  const Tangential<double> surfaceRate{inner(here.first, surface), inner(here.second, surface)};
  const double roll = rollShare(here);
  FrictionKinematics<FollowedSlope> k;
  k.slipRate = {inner(frame.first, in.velocity), inner(frame.second, in.velocity)};
  k.slipRate = k.slipRate - constantIn<FollowedSlope>(surfaceRate);
  k.slipRate.first = k.slipRate.first - roll * in.rollRate;
  k.position = {inner(frame.first, in.place), inner(frame.second, in.place)};
  if (accepted.closed()) {
    const Tangential<double> travel = scaled(0.5 * instant.elapsed, known.surfaceRate + surfaceRate);
    k.position = constantIn<FollowedSlope>(accepted.position - travel) +
                 covered(tangentKind(contact.obstacle), known.frame, known.place, frame, in.place);
    k.position.first = k.position.first - 0.5 * (roll + rollShare(known.frame)) * (in.roll - known.roll);
  }
  const Tangential<double>& scale = contact.tangentScale;
  const Tangential<double> from = accepted.closed() ? accepted.position : Tangential<double>{};
  k.position = {from.first + scale.first * (k.position.first - from.first),
                from.second + scale.second * (k.position.second - from.second)};
  k.slipRate = {scale.first * k.slipRate.first, scale.second * k.slipRate.second};
  return k;
}

Tangential<FollowedSlope> tractionOf(const Contact& contact, const ContactState& accepted,
                                     const FrictionKinematics<FollowedSlope>& k) {
  return std::visit(
      [&]<class Law>(const Law& law) -> Tangential<FollowedSlope> {
        if constexpr (Law::kSetValued || kIsArea<Law>)
          return {};
        else {
          if (!law.bearsTraction()) return {};
          FrictionMemory<FollowedSlope> memory{
              .anchorForce = {}, .anchorPosition = k.position, .direction = {}, .slipping = false};
          if (accepted.closed()) memory = constantIn<FollowedSlope>(accepted.friction);
          return law.template trial<FollowedSlope>(k, memory).traction;
        }
      },
      contact.friction);
}

}  // namespace

double gapOf(const Contact& contact, const LocalMotion& motion, double t) noexcept {
  Local<double> x{motion.position[0], motion.position[1], motion.position[2]};
  if (!contact.drift.empty()) {
    const Drift drift = driftAt(contact, t);
    for (std::size_t i = 0; i < 3; ++i) x[i] += drift.displacement[i];
  }
  return touchOf(contact.obstacle, x).gap;
}

ContactTangent followedTangent(const Contact& contact, const ContactState& accepted,
                               const FollowedState& known, double imposed, const LocalMotion& motion,
                               const TrialInstant& instant) noexcept {
  const Inputs in = inputsOf(motion, driftAt(contact, instant.time));
  const Touch<FollowedSlope> touch = touchOf(contact.obstacle, in.place);
  ContactTangent tangent;
  FollowedSlope compression;
  bool closed = false;
  std::visit(
      [&](const auto& law) {
        const NormalKinematics<FollowedSlope> k{touch.gap, inner(touch.normal, in.velocity), imposed};
        const NormalState state =
            settle(law, accepted.normal, {k.gap.value(), k.gapRate.value(), k.imposed.value()});
        compression = law.template force<FollowedSlope>(state, k);
        closed = state == NormalState::closed;
      },
      contact.normal);
  if (!closed) return tangent;

  const ContactFrame<FollowedSlope> frame =
      frameAt(tangentKind(contact.obstacle), touch.normal, accepted.closed() ? &known.frame : nullptr);
  FrictionKinematics<FollowedSlope> k = slipOf(contact, accepted, known, in, frame, instant);
  k.compression = compression;
  if (accepted.closed() && accepted.friction.slipping && instant.elapsed > 0.0) {
    k.elapsed = instant.elapsed;
    k.compressionRate = (compression - accepted.compression) / instant.elapsed;
  }
  const Tangential<FollowedSlope> felt = tractionOf(contact, accepted, k);
  const Tangential<FollowedSlope> traction{contact.tangentScale.first * felt.first,
                                           contact.tangentScale.second * felt.second};
  const double roll = rollShare({valuesOf(frame.normal), valuesOf(frame.first), valuesOf(frame.second)});
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const FollowedSlope force = axis == 3
                                    ? -roll * traction.first
                                    : compression * frame.normal[axis] + traction.first * frame.first[axis] +
                                          traction.second * frame.second[axis];
    tangent.force[axis] = force.value();
    for (std::size_t i = 0; i < 4; ++i) {
      tangent.byPosition[axis][i] = force.slope(i);
      tangent.byRate[axis][i] = force.slope(i + 4);
    }
  }
  return tangent;
}

}  // namespace ricochet
