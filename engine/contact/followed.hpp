#pragma once

#include "engine/contact/contact.hpp"
#include "engine/contact/obstacles/touch.hpp"

#include <cmath>
#include <variant>

namespace ricochet {

/// Unit vectors of a contact where it touches, along e1, e2, e3: tractions are along `first` and `second`.
template <class Real>
struct ContactFrame {
  Local<Real> normal{Real(1.0), Real(0.0), Real(0.0)};
  Local<Real> first{Real(0.0), Real(1.0), Real(0.0)};
  Local<Real> second{Real(0.0), Real(0.0), Real(1.0)};
};

/// What a followed contact knows beside its ContactState, whose `position` is what it has covered along the
/// surface.
struct FollowedState {
  Local<double> place{};             ///< x [m]
  Local<double> drift{};             ///< the part of it that does not come from the structure [m]
  ContactFrame<double> frame{};      ///
  Tangential<double> surfaceRate{};  ///< of the obstacle's surface, along the tangents [m/s]
  Tangential<double> travel{};       ///< of that surface since the state before [m]
  Local<double> anchor{};            ///< place where it last slipped (Automaton) [m]
  double roll{0.0};                  ///< rolling radius times rotation about e3 [m]
  Local<double> push{};              ///< force on the first node along e1, e2, e3 [N]
  double rollForce{0.0};             ///< along the row of the rotation [N]
};

/// Gap and normal at a place, whatever the obstacle.
template <class Real>
Touch<Real> touchOf(const AnyObstacle& any, const Local<Real>& x) noexcept {
  return visitShape(any, [&]<class O>(const O& shape) -> Touch<Real> {
    if constexpr (Obstacle<O>)
      return {shape.gap(x[0]), {shape.side(x[0]), Real(0.0), Real(0.0)}};
    else
      return shape.template touch<Real>(x);
  });
}

/// Tangents of a sphere's reports: the first one is the projection of e1, of e2 where the normal is along e1.
template <class Real>
ContactFrame<Real> projectedFrame(const Local<Real>& n) noexcept {
  constexpr double kAlong = 1e-6;
  const bool along = std::hypot(valueOf(n[1]), valueOf(n[2])) < kAlong;
  const std::size_t axis = along ? 1 : 0;
  ContactFrame<Real> frame;
  frame.normal = n;
  for (std::size_t i = 0; i < 3; ++i) frame.first[i] = (i == axis ? Real(1.0) : Real(0.0)) - n[axis] * n[i];
  const Real size = sqrt(inner(frame.first, frame.first));
  for (Real& each : frame.first) each = each / size;
  frame.second = {n[1] * frame.first[2] - n[2] * frame.first[1],
                  n[2] * frame.first[0] - n[0] * frame.first[2],
                  n[0] * frame.first[1] - n[1] * frame.first[0]};
  return frame;
}

enum class TangentKind : std::uint8_t { fixed, inPlane, turning };
inline TangentKind tangentKind(const AnyObstacle& any) noexcept {
  const AnyCurvedObstacle* curved = curvedOf(any);
  if (curved == nullptr) return TangentKind::fixed;
  return traitsOf(*curved).inPlane ? TangentKind::inPlane : TangentKind::turning;
}

/// Local coordinates that decide on the gap.
inline int gapAxes(const AnyObstacle& any) noexcept {
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

/// Tangents at a normal. Those of planar obstacles are e2 and e3. About an axis the second one is e3 and the
/// first e3 x normal, which is parallel transport. On a sphere they turn with the normal by the least
/// rotation from an earlier frame, R v = v - (v.n')/(1 + n.n') (n + n') for a tangent v.
template <class Real>
ContactFrame<Real> frameAt(TangentKind kind, const Local<Real>& n,
                           const ContactFrame<double>* earlier) noexcept {
  if (kind == TangentKind::fixed) {
    ContactFrame<Real> frame;
    frame.normal = n;
    return frame;
  }
  if (kind == TangentKind::inPlane) return {n, {-n[1], n[0], Real(0.0)}, {Real(0.0), Real(0.0), Real(1.0)}};
  if (earlier == nullptr) return projectedFrame(n);
  ContactFrame<Real> frame;
  frame.normal = n;
  const Real scale = 1.0 / (1.0 + inner(earlier->normal, n));
  const auto turned = [&](const Local<double>& v) {
    const Real factor = inner(v, n) * scale;
    Local<Real> result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = v[i] - factor * (earlier->normal[i] + n[i]);
    return result;
  };
  frame.first = turned(earlier->first);
  frame.second = turned(earlier->second);
  return frame;
}

/// What is covered along the tangents between two places with their frames: the chord along the mean
/// tangents, its part in the direction in which the normal turns as an arc. With phi the angle between the
/// normals, |n' - n| = 2 sin(phi/2) = 2 u, an arc is asin(u)/u times its chord. Tangents that do not turn go
/// along their chords.
template <class Real>
Tangential<Real> covered(TangentKind kind, const ContactFrame<double>& from, const Local<double>& place,
                         const ContactFrame<Real>& to, const Local<Real>& x) noexcept {
  Local<Real> chord, turn;
  for (std::size_t i = 0; i < 3; ++i) chord[i] = x[i] - place[i];
  if (kind == TangentKind::fixed) return {chord[1], chord[2]};
  for (std::size_t i = 0; i < 3; ++i) turn[i] = to.normal[i] - from.normal[i];
  const Real u2 = 0.25 * inner(turn, turn);
  const Real excess =
      0.25 * (1.0 / 6.0 + u2 * (3.0 / 40.0 + u2 * (15.0 / 336.0)));  // (asin(u)/u - 1)/(2 u)^2
  const Real turned = excess * inner(chord, turn);
  const auto along = [&](const Local<double>& before, const Local<Real>& after) {
    Local<Real> mean;
    for (std::size_t i = 0; i < 3; ++i) mean[i] = before[i] + after[i];
    const Real square = inner(mean, mean);
    return (inner(mean, chord) + turned * inner(mean, turn)) / sqrt(square);
  };
  const Real first = along(from.first, to.first);
  return {first, kind == TangentKind::inPlane ? chord[2] : along(from.second, to.second)};
}

/// See ContactSet::isRound.
bool isRoundInPlane(const Contact& contact) noexcept;

/// Velocity of an obstacle's surface at a contact, along e1, e2, e3 [m/s].
Local<double> surfaceVelocity(const Contact& contact, double t, const Local<double>& x,
                              const Local<double>& normal) noexcept;

/// Slip along the first tangent per rotation of a body that rolls, e3 x normal along it.
double rollShare(const ContactFrame<double>& frame) noexcept;

/// Displacement and velocity of a contact's place that are not the structure's.
struct Drift {
  Local<double> displacement{};
  Local<double> velocity{};
};
Drift driftAt(const Contact& contact, double t) noexcept;

}  // namespace ricochet
