#pragma once

#include "engine/contact/contact.hpp"

#include <variant>

namespace ricochet {

/// Position [m] of a contact point along a local axis, and its rate [m/s].
struct AxisMotion {
  double position;
  double rate;
};

/// Kinematics of a contact point in its local frame, asked for only when a law needs them (a closed contact
/// is the exception). `Coordinates` gives x_i = offset_i + b_i q and x_i' = b_i v for i = 0, 1, 2; modal
/// coordinates do it by dense rows, physical ones by sparse rows.
template <class C>
concept LocalCoordinates = requires(const C c, int axis) {
  { c.position(axis) }
  noexcept->std::same_as<double>;  // [m]
  { c.rate(axis) }
  noexcept->std::same_as<double>;  // [m/s]
  { c.motion(axis) }
  noexcept->std::same_as<AxisMotion>;  // both at once
};

namespace detail {

template <LocalCoordinates C>
FrictionKinematics<double> frictionKinematics(const ContactState& s, const C& coordinates,
                                              bool withRate) noexcept {
  if (!withRate) return {{coordinates.position(1), coordinates.position(2)}, {}, s.compression, 0.0};
  const AxisMotion first = coordinates.motion(1);
  const AxisMotion second = coordinates.motion(2);
  return {{first.position, second.position}, {first.rate, second.rate}, s.compression, 0.0};
}

/// By component: a copy of the whole would wait until the stores of its components have left the processor's
/// store buffer.
inline void copyParts(const Tangential<double>& from, Tangential<double>& to) noexcept {
  to.first = from.first;
  to.second = from.second;
}

}  // namespace detail

/// Friction of a contact that is or was closed: return mapping from the accepted memory. A contact that has
/// just closed hooks its tangential spring where it is, without force.
template <LocalCoordinates C>
void evaluateFriction(const AnyFrictionLaw& any, const C& coordinates, const ContactState& accepted,
                      double elapsed, ContactState& trial) noexcept {
  std::visit(
      [&]<class Law>(const Law& law) {
        if constexpr (Law::kTraction && !Law::kSetValued && !kIsArea<Law>) {
          bool wanted = kAsksRate<Law> || accepted.friction.slipping;
          if constexpr (!kAsksRate<Law>) wanted = wanted || law.damping > 0.0;
          FrictionKinematics<double> k = detail::frictionKinematics(trial, coordinates, wanted);
          trial.position = k.position;
          trial.slipRate = k.slipRate;
          if (!trial.closed()) {  // just opened: the spring lets go
            trial.traction = {};
            trial.friction = {};
            trial.storedTangential = 0.0;
            return;
          }
          if (accepted.friction.slipping && elapsed > 0.0) {
            k.elapsed = elapsed;
            k.compressionRate = (trial.compression - accepted.compression) / elapsed;
          }
          FrictionMemory<double> hooked{.anchorPosition = k.position};
          if constexpr (requires { Law::kOpensSlipping; }) {  // where it was one step ago, not yet in contact
            hooked.anchorPosition = k.position - scaled(elapsed, k.slipRate);
            hooked.slipping = true;
          }
          const FrictionTrial<double> result =
              law.template trial<double>(k, accepted.closed() ? accepted.friction : hooked);
          if (result.next.slipping && !wanted) trial.slipRate = {coordinates.rate(1), coordinates.rate(2)};
          detail::copyParts(result.traction, trial.traction);
          detail::copyParts(result.next.anchorForce, trial.friction.anchorForce);
          detail::copyParts(result.next.anchorPosition, trial.friction.anchorPosition);
          detail::copyParts(result.next.direction, trial.friction.direction);
          trial.friction.slipping = result.next.slipping;
          trial.storedTangential = law.template stored<double>(k, result.next);
        }
      },
      any);
}

/// The normal law of a trial whose gap and imposed force are known; `gapRate` is asked for if it counts.
template <class Rate>
void pressNormal(const Contact& contact, NormalState accepted, ContactState& trial, Rate&& gapRate) noexcept {
  std::visit(
      [&](const auto& law) {
        const NormalKinematics<double> k{trial.gap, law.usesGapRate() ? gapRate() : 0.0, trial.imposed};
        trial.gapRate = k.gapRate;
        trial.normal = settle(law, accepted, k);
        trial.compression = law.template force<double>(trial.normal, k);
        trial.storedNormal = law.template stored<double>(trial.normal, k);
      },
      contact.normal);
}

/// Trial of a contact with a planar obstacle at new coordinates, `elapsed` [s] after its accepted state.
/// Leaves no trace in `accepted`.
template <LocalCoordinates C>
void evaluateContact(const Contact& contact, const C& coordinates, double imposed, double elapsed,
                     const ContactState& accepted, ContactState& trial) noexcept {
  std::visit(
      [&]<class O>(const O& shape) {
        if constexpr (!std::is_same_v<O, Curved>) {
          const double x = coordinates.position(0);
          trial.gap = shape.gap(x);
          trial.side = shape.side(x);
        }
      },
      contact.obstacle);
  trial.imposed = imposed;
  pressNormal(contact, accepted.normal, trial, [&] { return trial.side * coordinates.rate(0); });
  if (trial.closed() || accepted.closed()) {
    evaluateFriction(contact.friction, coordinates, accepted, elapsed, trial);
  } else {  // the state is written over another one's
    trial.traction = {};
    trial.friction = {};
    trial.storedTangential = 0.0;
  }
}

}  // namespace ricochet
