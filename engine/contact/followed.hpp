#pragma once

#include "engine/contact/contact.hpp"
#include "engine/contact/obstacles/touch.hpp"

#include <cmath>
#include <variant>

namespace ricochet {

/// Normal and tangents at the contact point, components along e1, e2, e3: the traction has components along
/// `first` and `second`.
template <class Real>
struct ContactFrame {
  Local<Real> normal{Real(1.0), Real(0.0), Real(0.0)};
  Local<Real> first{Real(0.0), Real(1.0), Real(0.0)};
  Local<Real> second{Real(0.0), Real(0.0), Real(1.0)};
};

/// State of a followed contact in addition to its ContactState, whose `position` is the path along the
/// surface.
struct FollowedState {
  Local<double> place{};             ///< position x of the contact point [m]
  Local<double> drift{};             ///< part of x that is imposed by supports [m]
  ContactFrame<double> frame{};      ///< unit vectors of normal and tangents at the contact point
  Tangential<double> surfaceRate{};  ///< velocity of the obstacle's surface along the tangents [m/s]
  Tangential<double> travel{};       ///< displacement of the surface since the previous state [m]
  Local<double> anchor{};            ///< position at the last slip (Automaton) [m]
  double roll{0.0};                  ///< rolling radius times the rotation of the body about e3 [m]
  Local<double> push{};              ///< force on the first node along e1, e2, e3 [N]
  double rollForce{0.0};             ///< force along the row of the rotation [N]
  double slopeRate{0.0};  ///< rate of x1 by the slope of the beam along which the contact travels [m/s]
};

/// Gap and normal of any obstacle at the position x.
template <class Real>
Touch<Real> gapAndNormalOf(const AnyObstacle& any, const Local<Real>& x) noexcept {
  return visitObstacleShape(any, [&]<class O>(const O& shape) -> Touch<Real> {
    if constexpr (Obstacle<O>)
      return {shape.gap(x[0]), {shape.normalSign(x[0]), Real(0.0), Real(0.0)}};
    else
      return shape.template gapAndNormal<Real>(x);
  });
}

/// Normal and tangents on a sphere for results: the first tangent is the projection of e1, or of e2 where the
/// normal is along e1.
template <class Real>
ContactFrame<Real> contactFrameByAxisProjection(const Local<Real>& n) noexcept {
  constexpr double kAlong = 1e-6;
  const bool along = std::hypot(valueOf(n[1]), valueOf(n[2])) < kAlong;
  const std::size_t axis = along ? 1 : 0;
  ContactFrame<Real> frame;
  frame.normal = n;
  for (std::size_t i = 0; i < 3; ++i) frame.first[i] = (i == axis ? Real(1.0) : Real(0.0)) - n[axis] * n[i];
  const Real size = sqrt(innerProduct(frame.first, frame.first));
  for (Real& each : frame.first) each = each / size;
  frame.second = {n[1] * frame.first[2] - n[2] * frame.first[1],
                  n[2] * frame.first[0] - n[0] * frame.first[2],
                  n[0] * frame.first[1] - n[1] * frame.first[0]};
  return frame;
}

enum class TangentKind : std::uint8_t { fixed, inPlane, turning };
inline TangentKind tangentKind(const AnyObstacle& any) noexcept {
  const AnyCurvedObstacle* curved = curvedObstacleOrNull(any);
  if (curved == nullptr) return TangentKind::fixed;
  return traitsOf(*curved).inPlane ? TangentKind::inPlane : TangentKind::turning;
}

/// Normal and tangents of results, see ContactView: for obstacles about an axis the second tangent is e3.
inline ContactFrame<double> contactFrameInResults(TangentKind kind, const Local<double>& normal) noexcept {
  if (kind == TangentKind::turning) return contactFrameByAxisProjection(normal);
  return {normal, {-normal[1], normal[0], 0.0}, {0.0, 0.0, 1.0}};
}

/// Number of local coordinates on which the gap depends.
inline int gapAxisCount(const AnyObstacle& any) noexcept {
  switch (tangentKind(any)) {
    case TangentKind::fixed:
      return 1;
    case TangentKind::inPlane:
      return 2;
    case TangentKind::turning:
      return 3;
  }
  return 3;
}

/// Normal and tangents for a normal n. Tangents of planar obstacles are e2 and e3. For obstacles about an
/// axis e3 the second tangent is e3 and the first one e3 x normal (parallel transport). On a sphere the
/// tangents of the earlier frame turn with the normal by the least rotation, R v = v - (v.n')/(1 + n.n') (n +
/// n') for a tangent v.
template <class Real>
ContactFrame<Real> contactFrameAtNormal(TangentKind kind, const Local<Real>& n,
                                        const ContactFrame<double>* earlier) noexcept {
  if (kind == TangentKind::fixed) {
    ContactFrame<Real> frame;
    frame.normal = n;
    return frame;
  }
  if (kind == TangentKind::inPlane) return {n, {-n[1], n[0], Real(0.0)}, {Real(0.0), Real(0.0), Real(1.0)}};
  if (earlier == nullptr) return contactFrameByAxisProjection(n);
  ContactFrame<Real> frame;
  frame.normal = n;
  constexpr double kOpposite = 1e-12;
  const Real turns = 1.0 + innerProduct(earlier->normal, n);
  // a body that passed through a centre: half a turn about the first tangent
  if (!(valueOf(turns) > kOpposite)) {
    for (std::size_t i = 0; i < 3; ++i) {
      frame.first[i] = Real(earlier->first[i]);
      frame.second[i] = Real(-earlier->second[i]);
    }
    return frame;
  }
  const Real scale = 1.0 / turns;
  const auto turned = [&](const Local<double>& v) {
    const Real factor = innerProduct(v, n) * scale;
    Local<Real> result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = v[i] - factor * (earlier->normal[i] + n[i]);
    return result;
  };
  frame.first = turned(earlier->first);
  frame.second = turned(earlier->second);
  return frame;
}

/// Path along the tangents [m] between two positions with their frames: the chord along the mean tangents;
/// the component of the chord in the direction in which the normal turns is replaced by its arc. With phi the
/// angle between the normals, |n' - n| = 2 sin(phi/2) = 2 u, the arc is asin(u)/u times the chord. The path
/// is the chord for tangents that do not turn, and for a tangent of reversed direction, whose body has passed
/// through a centre.
template <class Real>
Tangential<Real> slipPathAlongSurface(TangentKind kind, const ContactFrame<double>& from,
                                      const Local<double>& place, const ContactFrame<Real>& to,
                                      const Local<Real>& x) noexcept {
  constexpr double kTurnedOver = 1e-12;
  Local<Real> chord, turn;
  for (std::size_t i = 0; i < 3; ++i) chord[i] = x[i] - place[i];
  if (kind == TangentKind::fixed) return {chord[1], chord[2]};
  for (std::size_t i = 0; i < 3; ++i) turn[i] = to.normal[i] - from.normal[i];
  const Real u2 = 0.25 * innerProduct(turn, turn);
  const Real excess =
      0.25 * (1.0 / 6.0 + u2 * (3.0 / 40.0 + u2 * (15.0 / 336.0)));  // (asin(u)/u - 1)/(2 u)^2
  const Real turned = excess * innerProduct(chord, turn);
  const auto along = [&](const Local<double>& before, const Local<Real>& after) {
    Local<Real> mean;
    for (std::size_t i = 0; i < 3; ++i) mean[i] = before[i] + after[i];
    const Real square = innerProduct(mean, mean);
    if (!(valueOf(square) > kTurnedOver)) return innerProduct(before, chord);
    return (innerProduct(mean, chord) + turned * innerProduct(mean, turn)) / sqrt(square);
  };
  const Real first = along(from.first, to.first);
  return {first, kind == TangentKind::inPlane ? chord[2] : along(from.second, to.second)};
}

/// True for a circle or disc at rest whose body moves only across the axis; see
/// ContactSet::isCircleContactInPlane.
bool isContactWithCircleInPlane(const Contact& contact) noexcept;

/// Velocity of an obstacle's surface at a contact, along e1, e2, e3 [m/s]; `speedOf(i)` gives the speed of
/// term i of Contact::surface [m/s], `rateOf(i)` the rate of term i of Contact::surfaceSpin [rad/s].
template <class Speed, class Rate>
Local<double> surfaceVelocityFromSpeeds(const Contact& contact, const Local<double>& x,
                                        const Local<double>& normal, Speed&& speedOf,
                                        Rate&& rateOf) noexcept {
  Local<double> velocity{};
  for (std::size_t i = 0; i < contact.surface.size(); ++i) {
    const double speed = speedOf(i);
    velocity[1] += speed * contact.surface[i].direction.first;
    velocity[2] += speed * contact.surface[i].direction.second;
  }
  for (std::size_t i = 0; i < contact.surfaceSpin.size(); ++i) {
    const double rate = rateOf(i);
    if (!isCurved(contact.obstacle)) {  // a plane that rotates about its normal: e1 x position
      velocity[1] -= rate * x[2];
      velocity[2] += rate * x[1];
    } else {  // velocity of a surface that spins: e3 x (radius normal)
      const double radius = surfaceRadius(contact.obstacle);
      velocity[0] -= rate * radius * normal[1];
      velocity[1] += rate * radius * normal[0];
    }
  }
  return velocity;
}

/// Velocity of an obstacle's surface at a contact at the instant t, `elapsed` [s] after the start of a step
/// (TimeFunction::valueAtTimeInStep), along e1, e2, e3 [m/s].
Local<double> surfaceVelocity(const Contact& contact, double t, const Local<double>& x,
                              const Local<double>& normal, double elapsed = 0.0) noexcept;

/// Component of e3 x normal along the first tangent. The slip of a rolling body is this factor times rolling
/// radius times rotation.
double rollingSlipFactor(const ContactFrame<double>& frame) noexcept;

/// Writes the force of a closed contact along e1, e2, e3 and the force along the rotation row to `followed`,
/// which contains the frame of the state.
void writeForceOfFollowedContact(const Contact& contact, const ContactState& state,
                                 FollowedState& followed) noexcept;

/// Displacement and velocity of a contact point that supports impose.
struct Drift {
  Local<double> displacement{};
  Local<double> velocity{};
};
/// Drift at the instant t, `elapsed` [s] after the start of a step.
Drift supportDriftAtTime(const Contact& contact, double t, double elapsed = 0.0) noexcept;

}  // namespace ricochet
