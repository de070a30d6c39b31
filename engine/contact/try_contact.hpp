#pragma once

#include "engine/contact/contact.hpp"

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

namespace ricochet {

/// Path of a contact along the tangents [m], and its rate [m/s].
template <class Real>
struct SlipMotion {
  Tangential<Real> path{};
  Tangential<Real> rate{};
};

/// Motion of a contact point; a law requests only the quantities that it needs.
template <class K, class Real>
concept ContactKinematics = requires(K& at, bool withRate) {
  { at.gap() } -> std::same_as<Real>;           // gap [m], negative in penetration
  { at.normalSign() } -> std::same_as<double>;  // +1 or -1: the normal of a planar obstacle is side e1
  { at.gapRate() } -> std::same_as<Real>;       // gap rate [m/s]
  {
    at.slip(withRate)
    } -> std::same_as<SlipMotion<Real>>;                // path along the surface, and its rate if withRate
  { at.slipRate() } -> std::same_as<Tangential<Real>>;  // slip rate relative to the surface [m/s]
};

/// Position [m] of a contact point along a local axis, and its rate [m/s].
template <class Real>
struct AxisMotionOf {
  Real position;
  Real rate;
};
using AxisMotion = AxisMotionOf<double>;

/// Local coordinates of a contact point, x_i = offset_i + b_i q and x_i' = b_i v for i = 0, 1, 2.
template <class C, class Real>
concept LocalCoordinates = requires(const C c, int axis) {
  { c.position(axis) }
  noexcept->std::same_as<Real>;  // position along a local axis [m]
  { c.rate(axis) }
  noexcept->std::same_as<Real>;  // rate along a local axis [m/s]
  { c.motion(axis) }
  noexcept->std::same_as<AxisMotionOf<Real>>;  // position and rate
};

/// Motion relative to a planar obstacle at rest; the tangents are e2 and e3.
template <class Real, LocalCoordinates<Real> C>
class FlatKinematics {
 public:
  FlatKinematics(const Contact& contact, const C& coordinates) noexcept : coordinates_(coordinates) {
    std::visit(
        [&]<class O>(const O& shape) {
          if constexpr (Obstacle<O>) {
            const Real x = coordinates.position(0);
            gap_ = shape.gap(x);
            side_ = shape.normalSign(valueOf(x));
          }
        },
        contact.obstacle);
  }

  Real gap() const noexcept { return gap_; }
  double normalSign() const noexcept { return side_; }
  Real gapRate() const noexcept { return side_ * coordinates_.rate(0); }
  SlipMotion<Real> slip(bool withRate) const noexcept {
    if (!withRate) return {{coordinates_.position(1), coordinates_.position(2)}, {}};
    const AxisMotionOf<Real> first = coordinates_.motion(1), second = coordinates_.motion(2);
    return {{first.position, second.position}, {first.rate, second.rate}};
  }
  Tangential<Real> slipRate() const noexcept { return {coordinates_.rate(1), coordinates_.rate(2)}; }

 private:
  const C& coordinates_;
  Real gap_{};
  double side_{1.0};
};

/// Result of a trial in the arithmetic `Real` (for example dual numbers): the members of a ContactState that
/// determine the forces.
template <class Real>
struct ContactTrial {
  Real gap{};
  Real gapRate{};
  double side{1.0};
  Real compression{};
  double imposed{0.0};
  Tangential<Real> position{};
  Tangential<Real> slipRate{};
  Tangential<Real> traction{};
  NormalState normal{NormalState::open};
  FrictionMemory<Real> friction{};

  bool isClosed() const noexcept { return normal == NormalState::closed; }
};

namespace detail {

template <class Real>
decltype(auto) frictionMemoryAsType(const FrictionMemory<double>& memory) noexcept {
  if constexpr (std::is_same_v<Real, double>)
    return (memory);
  else
    return convertToConstants<Real>(memory);
}

/// Copies component by component: a load of both components at once would wait until their stores have left
/// the store buffer of the processor.
template <class Real>
void copyTangentialComponents(const Tangential<Real>& from, Tangential<Real>& to) noexcept {
  to.first = from.first;
  to.second = from.second;
}

/// Time for which a contact that closes in a step has touched [s]: g/g' for a constant speed, at most the
/// `elapsed` time of the step; 0 for a contact without a gap.
template <class Real>
Real timeSinceClosing(const Real& gap, const Real& gapRate, double elapsed) noexcept {
  if (!(valueOf(gap) < 0.0 && valueOf(gapRate) < 0.0)) return Real(0.0);
  const Real touched = gap / gapRate;
  return valueOf(touched) < elapsed ? touched : Real(elapsed);
}

/// Friction memory of a contact that closes: the tangential spring started without force where the contact
/// touched, `touched` [s] ago. A law with the trait opensSlipping starts in slip, at the position one step
/// earlier.
template <class Law, class Real>
FrictionMemory<Real> frictionMemoryAtClosing(const FrictionKinematics<Real>& k, const Real& touched,
                                             double elapsed) noexcept {
  const bool opensSlipping = Law::traits.opensSlipping;
  FrictionMemory<Real> memory{.anchorPosition =
                                  k.position - scaled(opensSlipping ? Real(elapsed) : touched, k.slipRate)};
  memory.slipping = opensSlipping;
  return memory;
}

/// Evaluates the normal law of a trial whose gap and imposed force are set. If the contact closes in this
/// trial, the closing speed is -g' at the end of the step; `acceptStep` replaces this value by the speed at
/// the instant of closing.
template <class Real, class K, class Trial>
void computeNormalTrial(const Contact& contact, K& at, const ContactState& accepted, Trial& trial) noexcept {
  std::visit(
      [&]<class Law>(const Law& law) {
        NormalKinematics<Real> k{trial.gap, law.doesForceDependOnGapRate() ? at.gapRate() : Real(0.0),
                                 Real(trial.imposed)};
        trial.gapRate = k.gapRate;
        if constexpr (Law::traits.remembersApproach) {
          k.approach = Real(accepted.approach);
          if (accepted.normal == NormalState::open)
            k.approach = valueOf(k.gapRate) < 0.0 ? -k.gapRate : Real(0.0);
        }
        trial.normal = nextStateOfNormalLaw(
            law, accepted.normal,
            {valueOf(k.gap), valueOf(k.gapRate), trial.imposed, 0.0, valueOf(k.approach)});
        trial.compression = law.template force<Real>(trial.normal, k);
        if constexpr (requires { trial.approach; })
          if constexpr (Law::traits.remembersApproach)
            trial.approach = trial.normal == NormalState::open ? 0.0 : valueOf(k.approach);
        if constexpr (requires { trial.storedNormal; })
          trial.storedNormal = law.template storedEnergy<Real>(trial.normal, k);
      },
      contact.normal);
}

/// Evaluates the friction of a contact that is or was closed, by a return mapping from the accepted memory.
template <class Real, class K, class Trial>
void computeFrictionTrial(const AnyFrictionLaw& any, K& at, const ContactState& accepted, double elapsed,
                          Trial& trial) noexcept {
  std::visit(
      [&]<class Law>(const Law& law) {
        if constexpr (Law::traits.traction && !Law::traits.setValued && !Law::traits.ofArea) {
          // A zero force has no direction, hence no derivative of its direction.
          if constexpr (!std::is_same_v<Real, double>)
            if (!law.bearsTraction()) return;
          const bool closes = !accepted.isClosed() && trial.isClosed();
          const bool wanted =
              Law::traits.asksRate || accepted.friction.slipping || law.contactDamping() > 0.0 || closes;
          const SlipMotion<Real> slip = at.slip(wanted);
          FrictionKinematics<Real> k{slip.path, slip.rate, normalForceForFriction(trial.compression),
                                     Real(0.0)};
          trial.position = k.position;
          trial.slipRate = k.slipRate;
          if (!trial.isClosed()) {  // the contact has just opened: the tangential spring is released
            trial.traction = {};
            trial.friction = {};
            if constexpr (requires { trial.storedTangential; }) trial.storedTangential = 0.0;
            return;
          }
          if (accepted.friction.slipping && elapsed > 0.0) {
            k.elapsed = elapsed;
            k.compressionRate = (k.compression - normalForceForFriction(accepted.compression)) / elapsed;
          }
          const auto tryFromTouch = [&]() noexcept {
            trial.gapRate = at.gapRate();
            const Real touched = timeSinceClosing(trial.gap, trial.gapRate, elapsed);
            return law.template computeTrial<Real>(k, frictionMemoryAtClosing<Law>(k, touched, elapsed));
          };
          const FrictionTrial<Real> result =
              closes
                  ? tryFromTouch()
                  : law.template computeTrial<Real>(k, detail::frictionMemoryAsType<Real>(accepted.friction));
          if (result.next.slipping && !wanted) trial.slipRate = at.slipRate();
          copyTangentialComponents(result.traction, trial.traction);
          copyTangentialComponents(result.next.anchorForce, trial.friction.anchorForce);
          copyTangentialComponents(result.next.anchorPosition, trial.friction.anchorPosition);
          copyTangentialComponents(result.next.direction, trial.friction.direction);
          trial.friction.slipping = result.next.slipping;
          if constexpr (requires { trial.storedTangential; })
            trial.storedTangential = law.template storedEnergy<Real>(k, result.next);
        }
      },
      any);
}

}  // namespace detail

/// Evaluates a contact at a motion, `elapsed` [s] after its accepted state: finds the state of the normal
/// law, updates the friction memory, and writes forces, next memory and stored energies to `trial` (a
/// ContactState, or a ContactTrial of dual numbers). The accepted state does not change. All schemes that
/// step the laws in time call this function.
template <class Real, ContactKinematics<Real> K, class Trial>
void computeContactTrial(const Contact& contact, K& at, double imposed, double elapsed,
                         const ContactState& accepted, Trial& trial) noexcept {
  trial.gap = at.gap();
  trial.side = at.normalSign();
  trial.imposed = imposed;
  detail::computeNormalTrial<Real>(contact, at, accepted, trial);
  if (trial.isClosed() || accepted.isClosed())
    return detail::computeFrictionTrial<Real>(contact.friction, at, accepted, elapsed, trial);
  trial.traction = {};  // `trial` may contain values of an earlier trial
  trial.friction = {};
  if constexpr (requires { trial.storedTangential; }) trial.storedTangential = 0.0;
}

}  // namespace ricochet
