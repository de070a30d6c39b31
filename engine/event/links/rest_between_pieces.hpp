#pragma once

#include "engine/links/link_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace ricochet {

/// Two adjacent pieces of a piecewise linear law count as one piece if the force is a linear function of the
/// displacement and of the rate up to this distance to both sides of their common point [m, m/s].
inline constexpr double kEqualPieces = 1e-9;

/// True if speed, acceleration and jerk of a link move the link by less than 1e-12 m in 1e-6 s, about the
/// period of the fastest modes of a structure. An exact zero is not required, because the rounding error of
/// the acceleration grows with the square of the frequency of these modes.
inline bool isLinkAtRest(const std::array<std::span<double>, kLinkAxes>& x) noexcept {
  constexpr double kWhile = 1e-6;         // time that the fastest modes of a structure need [s]
  constexpr double kAlmostStill = 1e-12;  // displacement below which a link counts as at rest [m]
  return std::ranges::all_of(x, [](std::span<const double> along) {
    const double moved =
        kWhile * (std::abs(along[1]) + kWhile * (std::abs(along[2]) + kWhile * std::abs(along[3])));
    return moved <= kAlmostStill;
  });
}

/// Force of a law at a motion that differs from `at` by `way` [m] along one axis and by `rate` [m/s] in the
/// rate along this axis.
inline Eigen::Vector2d forceAtNeighbouringMotion(const AnyLinkLaw& any, const LinkState& from,
                                                 const LinkMotion<double>& at, std::size_t axis, double way,
                                                 double rate) noexcept {
  LinkMotion<double> beside = at;
  beside.x[axis] += way;
  beside.v[axis] += rate;
  return std::visit(
      [&](const auto& law) {
        const LinkResponse<double> response = law.template computeResponse<double>(from, beside);
        return Eigen::Vector2d(response.force[0], response.force[1]);
      },
      any);
}

/// True if the force of a law close to the motion `at` depends on the rate along an axis.
inline bool doesForceDependOnRate(const AnyLinkLaw& law, const LinkState& from, const LinkMotion<double>& at,
                                  std::size_t axis) noexcept {
  constexpr double kAnyRate = 1.0;  // change of the rate that shows the dependence [m/s]
  constexpr std::array kWays{-kEqualPieces, 0.0, kEqualPieces};
  return std::ranges::any_of(kWays, [&](double each) {
    const Eigen::Vector2d still = forceAtNeighbouringMotion(law, from, at, axis, each, 0.0);
    return forceAtNeighbouringMotion(law, from, at, axis, each, kAnyRate) != still ||
           forceAtNeighbouringMotion(law, from, at, axis, each, -kAnyRate) != still;
  });
}

/// True if a link rests at a point where two pieces of its law meet with the same force and slope, so that
/// either piece is valid: the force is then a linear function over a short distance to both sides of the
/// point.
inline bool doesLinkRestBetweenEqualLawPieces(const AnyLinkLaw& law, const LinkState& from,
                                              const LinkMotion<double>& at,
                                              const std::array<std::span<double>, kLinkAxes>& x) noexcept {
  constexpr double kBent = 1e-3;  // largest deviation from a straight line, relative to the change of force
  constexpr double kRounding = 1e-12;  // relative rounding error of the force
  if (!isLinkAtRest(x) || traitsOf(law).hidesRates) return false;
  const auto isStraight = [&](std::size_t axis, double way, double rate) {
    const auto forceAt = [&](double part) {
      return forceAtNeighbouringMotion(law, from, at, axis, part * way, part * rate);
    };
    const Eigen::Vector2d low = forceAt(-1.0), middle = forceAt(0.0), high = forceAt(1.0);
    const double most = kBent * (high - low).norm() + kRounding * (low.norm() + high.norm());
    // The middle force alone does not show a jump at `at`: a straight line may pass through the middle of the
    // jump.
    return (low + high - 2.0 * middle).norm() <= most &&
           (low + middle - 2.0 * forceAt(-0.5)).norm() <= most &&
           (middle + high - 2.0 * forceAt(0.5)).norm() <= most;
  };
  const std::size_t axes = std::visit([](const auto& each) { return each.axisCount(); }, law);
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (!isStraight(axis, kEqualPieces, 0.0) || !isStraight(axis, 0.0, kEqualPieces)) return false;
  return true;
}

/// True if the force of a law is continuous at a motion, in the displacement and in the rate along each axis:
/// the change of the force over a short distance decreases with the distance, whereas a jump keeps its
/// height.
inline bool isForceContinuousNearMotion(const AnyLinkLaw& law, const LinkState& from,
                                        const LinkMotion<double>& at) noexcept {
  constexpr double kPart = 1.0 / 16.0;
  constexpr double kSmaller = 0.5;     // largest change over the part, relative to the change over the whole
  constexpr double kRounding = 1e-12;  // relative rounding of the force
  const auto isContinuous = [&](std::size_t axis, double way, double rate) {
    const auto forceAt = [&](double part) {
      return forceAtNeighbouringMotion(law, from, at, axis, part * way, part * rate);
    };
    const Eigen::Vector2d low = forceAt(-1.0), high = forceAt(1.0);
    return (forceAt(kPart) - forceAt(-kPart)).norm() <=
           kSmaller * (high - low).norm() + kRounding * (low.norm() + high.norm());
  };
  const std::size_t axes = std::visit([](const auto& each) { return each.axisCount(); }, law);
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (!isContinuous(axis, kEqualPieces, 0.0) || !isContinuous(axis, 0.0, kEqualPieces)) return false;
  return true;
}

/// True if the law gives `force` at the motion `at` or at a motion that differs by 1e-9 m (m/s), within twice
/// the change of the force over this distance.
inline bool isForceReachedNearMotion(const AnyLinkLaw& law, const LinkState& from,
                                     const LinkMotion<double>& at, const Eigen::Vector2d& force) noexcept {
  constexpr double kRounding = 1e-9;  // relative rounding of the force
  const std::size_t axes = std::visit([](const auto& each) { return each.axisCount(); }, law);
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (const bool rate : {false, true})
      for (const double sign : {-1.0, 0.0, 1.0}) {
        const auto forceAt = [&](double part) {
          const double way = sign * part * kEqualPieces;
          return forceAtNeighbouringMotion(law, from, at, axis, rate ? 0.0 : way, rate ? way : 0.0);
        };
        const Eigen::Vector2d near = forceAt(1.0);
        if ((force - near).norm() <=
            2.0 * (near - forceAt(2.0)).norm() + kRounding * (near.norm() + force.norm()))
          return true;
      }
  return false;
}

}  // namespace ricochet
