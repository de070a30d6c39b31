#pragma once

#include "engine/links/link_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace ricochet {

/// Way over which pieces of a law that meet may continue each other [m, m/s].
inline constexpr double kEqualPieces = 1e-9;

/// Whether speed, acceleration and its rate would not move a link in a second.
inline bool isAtRest(const std::array<std::span<double>, kLinkAxes>& x) noexcept {
  constexpr double kAlmostStill = 1e-8;  // of the displacement
  return std::ranges::all_of(x, [](std::span<const double> along) {
    return std::ranges::all_of(along.subspan(1, 3), [&](double each) {
      return std::abs(each) <= kAlmostStill * std::abs(along[0]);
    });
  });
}

/// Whether a link rests where pieces of its law meet that continue each other, so that either will do: the
/// force is straight over a short way to both sides.
inline bool staysBetweenEqualPieces(const AnyLinkLaw& any, const LinkState& from,
                                    const LinkMotion<double>& at,
                                    const std::array<std::span<double>, kLinkAxes>& x) noexcept {
  constexpr double kBent = 1e-3;       // of the change of force over the way
  constexpr double kRounding = 1e-12;  // of the force
  if (!isAtRest(x)) return false;
  return std::visit(
      [&](const auto& law) {
        const auto forceAt = [&](std::size_t axis, bool rate, double way) {
          LinkMotion<double> beside = at;
          (rate ? beside.v : beside.x)[axis] += way;
          const LinkResponse<double> response = law.template respond<double>(from, beside);
          return Eigen::Vector2d(response.force[0], response.force[1]);
        };
        for (std::size_t axis = 0; axis < law.axes(); ++axis)
          for (const bool rate : {false, true}) {
            const Eigen::Vector2d low = forceAt(axis, rate, -kEqualPieces),
                                  high = forceAt(axis, rate, kEqualPieces);
            const Eigen::Vector2d bend = low + high - 2.0 * forceAt(axis, rate, 0.0);
            if (bend.norm() > kBent * (high - low).norm() + kRounding * (low.norm() + high.norm()))
              return false;
          }
        return true;
      },
      any);
}

}  // namespace ricochet
