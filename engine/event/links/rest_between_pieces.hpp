#pragma once

#include "engine/links/link_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace ricochet {

/// Way over which pieces of a law that meet may continue each other [m, m/s].
inline constexpr double kEqualPieces = 1e-9;

/// Whether speed, acceleration and its rate hardly move a link in the time that the fastest modes of a
/// structure need. Rounding of an acceleration grows with the square of their frequencies.
inline bool isLinkAtRest(const std::array<std::span<double>, kLinkAxes>& x) noexcept {
  constexpr double kWhile = 1e-6;         // [s]
  constexpr double kAlmostStill = 1e-12;  // [m]
  return std::ranges::all_of(x, [](std::span<const double> along) {
    const double moved =
        kWhile * (std::abs(along[1]) + kWhile * (std::abs(along[2]) + kWhile * std::abs(along[3])));
    return moved <= kAlmostStill;
  });
}

/// Force of a law at a motion that differs from `at` by `way` along one axis [m], or in its rate [m/s].
inline Eigen::Vector2d forceBeside(const AnyLinkLaw& any, const LinkState& from, const LinkMotion<double>& at,
                                   std::size_t axis, double way, double rate) noexcept {
  LinkMotion<double> beside = at;
  beside.x[axis] += way;
  beside.v[axis] += rate;
  return std::visit(
      [&](const auto& law) {
        const LinkResponse<double> response = law.template respond<double>(from, beside);
        return Eigen::Vector2d(response.force[0], response.force[1]);
      },
      any);
}

/// Whether the force of a law close to `at` depends on the rate along an axis.
inline bool dependsOnRate(const AnyLinkLaw& law, const LinkState& from, const LinkMotion<double>& at,
                          std::size_t axis) noexcept {
  constexpr double kAnyRate = 1.0;  // [m/s]
  constexpr std::array kWays{-kEqualPieces, 0.0, kEqualPieces};
  return std::ranges::any_of(kWays, [&](double each) {
    const Eigen::Vector2d still = forceBeside(law, from, at, axis, each, 0.0);
    return forceBeside(law, from, at, axis, each, kAnyRate) != still ||
           forceBeside(law, from, at, axis, each, -kAnyRate) != still;
  });
}

/// Whether a link rests where pieces of its law meet that continue each other, so that either will do: the
/// force is straight over a short way to both sides.
inline bool staysBetweenEqualPieces(const AnyLinkLaw& law, const LinkState& from,
                                    const LinkMotion<double>& at,
                                    const std::array<std::span<double>, kLinkAxes>& x) noexcept {
  constexpr double kBent = 1e-3;       // of the change of force over the way
  constexpr double kRounding = 1e-12;  // of the force
  if (!isLinkAtRest(x)) return false;
  const auto isStraight = [&](std::size_t axis, double way, double rate) {
    const auto forceAt = [&](double part) {
      return forceBeside(law, from, at, axis, part * way, part * rate);
    };
    const Eigen::Vector2d low = forceAt(-1.0), middle = forceAt(0.0), high = forceAt(1.0);
    const double most = kBent * (high - low).norm() + kRounding * (low.norm() + high.norm());
    // half the way tells a jump, through whose middle a straight line goes too
    return (low + high - 2.0 * middle).norm() <= most &&
           (low + middle - 2.0 * forceAt(-0.5)).norm() <= most &&
           (middle + high - 2.0 * forceAt(0.5)).norm() <= most;
  };
  const std::size_t axes = std::visit([](const auto& each) { return each.axes(); }, law);
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (!isStraight(axis, kEqualPieces, 0.0) || !isStraight(axis, 0.0, kEqualPieces)) return false;
  return true;
}

/// Whether the force of a law is continuous at a motion, in the displacement and in the rate along each axis:
/// its change over a short way falls with the way.
inline bool isContinuousNearby(const AnyLinkLaw& law, const LinkState& from,
                               const LinkMotion<double>& at) noexcept {
  constexpr double kPart = 1.0 / 16.0;
  constexpr double kSmaller = 0.5;     // of the change over the way
  constexpr double kRounding = 1e-12;  // of the force
  const auto isContinuous = [&](std::size_t axis, double way, double rate) {
    const auto forceAt = [&](double part) {
      return forceBeside(law, from, at, axis, part * way, part * rate);
    };
    const Eigen::Vector2d low = forceAt(-1.0), high = forceAt(1.0);
    return (forceAt(kPart) - forceAt(-kPart)).norm() <=
           kSmaller * (high - low).norm() + kRounding * (low.norm() + high.norm());
  };
  const std::size_t axes = std::visit([](const auto& each) { return each.axes(); }, law);
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (!isContinuous(axis, kEqualPieces, 0.0) || !isContinuous(axis, 0.0, kEqualPieces)) return false;
  return true;
}

/// Whether a law has a force at a motion or within a short way of the motion, to the change of its force over
/// this way.
inline bool isForceNearby(const AnyLinkLaw& law, const LinkState& from, const LinkMotion<double>& at,
                          const Eigen::Vector2d& force) noexcept {
  constexpr double kRounding = 1e-9;  // of the force
  const std::size_t axes = std::visit([](const auto& each) { return each.axes(); }, law);
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (const bool rate : {false, true})
      for (const double sign : {-1.0, 0.0, 1.0}) {
        const auto forceAt = [&](double part) {
          const double way = sign * part * kEqualPieces;
          return forceBeside(law, from, at, axis, rate ? 0.0 : way, rate ? way : 0.0);
        };
        const Eigen::Vector2d near = forceAt(1.0);
        if ((force - near).norm() <=
            2.0 * (near - forceAt(2.0)).norm() + kRounding * (near.norm() + force.norm()))
          return true;
      }
  return false;
}

}  // namespace ricochet
