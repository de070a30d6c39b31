#include "engine/event/automata/frictional_impulse.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>

namespace ricochet {
namespace {

using Pair = std::array<double, 2>;

constexpr double kSingular = 1e-11;  // smallest pivot, relative to the terms that cancel in it

std::size_t lines(const StruckContact& c) noexcept { return static_cast<std::size_t>(c.tangents); }

/// Impulse p_n, p_t after which the slip velocity is zero: G_tt p_t = -slip - G_tn p_n, inserted into the
/// equation of the normal velocity. Empty if |p_t| > mu p_n.
std::optional<FrictionalImpulse> stickImpulse(const StruckContact& c, double change,
                                              const Pair& slip) noexcept {
  Pair slipPart{}, normalPart{};  // p_t = -slipPart - normalPart p_n
  const auto& g = c.tangential;
  if (c.tangents == 1) {
    if (!(g[0][0] > 0.0)) return std::nullopt;
    slipPart[0] = slip[0] / g[0][0];
    normalPart[0] = c.across[0] / g[0][0];
  } else {
    const double determinant = g[0][0] * g[1][1] - g[0][1] * g[1][0];
    if (!(determinant > kSingular * g[0][0] * g[1][1])) return std::nullopt;
    const auto divided = [&](const Pair& right) {
      return Pair{(g[1][1] * right[0] - g[0][1] * right[1]) / determinant,
                  (g[0][0] * right[1] - g[1][0] * right[0]) / determinant};
    };
    slipPart = divided(slip);
    normalPart = divided(c.across);
  }
  const double own = c.normal - c.across[0] * normalPart[0] - c.across[1] * normalPart[1];
  if (!(own > kSingular * c.normal)) return std::nullopt;
  FrictionalImpulse p;
  p.normal = (change + c.across[0] * slipPart[0] + c.across[1] * slipPart[1]) / own;
  for (std::size_t a = 0; a < lines(c); ++a) p.tangential[a] = -slipPart[a] - normalPart[a] * p.normal;
  const bool holds = std::hypot(p.tangential[0], p.tangential[1]) <= c.friction * p.normal;
  return holds ? std::optional(p) : std::nullopt;
}

/// Impulse p for a slip in direction e, and the slip velocity after the impulse.
struct Sliding {
  FrictionalImpulse p;
  Pair slip;
};
std::optional<Sliding> slidingImpulse(const StruckContact& c, double change, const Pair& before,
                                      const Pair& e) noexcept {
  const double own = c.normal - c.friction * (c.across[0] * e[0] + c.across[1] * e[1]);
  if (!(own > kSingular * c.normal)) return std::nullopt;
  Sliding s{{change / own, {}}, before};
  for (std::size_t a = 0; a < lines(c); ++a) s.p.tangential[a] = -c.friction * s.p.normal * e[a];
  for (std::size_t a = 0; a < lines(c); ++a) {
    s.slip[a] += c.across[a] * s.p.normal;
    for (std::size_t b = 0; b < lines(c); ++b) s.slip[a] += c.tangential[a][b] * s.p.tangential[b];
  }
  return s;
}

std::optional<FrictionalImpulse> slipImpulseOnLine(const StruckContact& c, double change,
                                                   const Pair& slip) noexcept {
  for (const double e : {std::copysign(1.0, slip[0]), -std::copysign(1.0, slip[0])})
    if (const auto s = slidingImpulse(c, change, slip, {e, 0.0}); s && s->slip[0] * e >= 0.0) return s->p;
  return std::nullopt;
}

/// Impulse whose friction opposes the slip velocity after the impulse; the direction is found by bisection.
std::optional<FrictionalImpulse> slipImpulseInPlane(const StruckContact& c, double change,
                                                    const Pair& slip) noexcept {
  constexpr int kDirections = 64;
  constexpr int kHalvings = 60;
  const auto directionAt = [](double angle) { return Pair{std::cos(angle), std::sin(angle)}; };
  const auto turn = [&](double angle) -> std::optional<double> {
    const Pair e = directionAt(angle);
    const auto s = slidingImpulse(c, change, slip, e);
    return s ? std::optional(s->slip[1] * e[0] - s->slip[0] * e[1]) : std::nullopt;
  };
  const double first = std::atan2(slip[1], slip[0]);
  constexpr double kApart = 2.0 * std::numbers::pi / kDirections;
  for (int i = 0; i < kDirections; ++i) {  // nearest to the slip before first
    const int away = i % 2 == 0 ? -(i / 2) - 1 : i / 2;
    double low = first + away * kApart;
    double high = low + kApart;
    const auto atLow = turn(low), atHigh = turn(high);
    if (!atLow || !atHigh || (*atLow > 0.0) == (*atHigh > 0.0)) continue;
    for (int n = 0; n < kHalvings; ++n) {
      const double middle = 0.5 * (low + high);
      const auto at = turn(middle);
      if (!at) break;
      ((*at > 0.0) == (*atLow > 0.0) ? low : high) = middle;
    }
    const Pair e = directionAt(0.5 * (low + high));
    if (const auto s = slidingImpulse(c, change, slip, e); s && s->slip[0] * e[0] + s->slip[1] * e[1] >= 0.0)
      return s->p;
  }
  return std::nullopt;
}

}  // namespace

bool StruckContact::needsCoupledSolution() const noexcept {
  return friction * std::hypot(across[0], across[1]) > 0.5 * normal;
}

std::optional<FrictionalImpulse> solveImpulse(const StruckContact& contact, double change,
                                              const std::array<double, 2>& slip) noexcept {
  if (!(change > 0.0)) return FrictionalImpulse{};
  if (const auto p = stickImpulse(contact, change, slip)) return p;
  return contact.tangents == 1 ? slipImpulseOnLine(contact, change, slip)
                               : slipImpulseInPlane(contact, change, slip);
}

}  // namespace ricochet
