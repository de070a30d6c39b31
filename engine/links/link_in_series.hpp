#pragma once

#include "engine/links/link_set.hpp"
#include "engine/numerics/state.hpp"

namespace ricochet {

// A link on dofs without inertia is in series with the springs that hold them: with the compliance S of these
// springs along the axes of the link (Link::compliance), and x_free the motion that the coordinates give,
//
//     x = x_free - S f(x)          displacement of the link itself, found by Newton's method
//     x' = (1 + S K)^-1 (x_free' - S df/dt),     K = df/dx
//
// A state of a link (LinkState::motion) holds x and x'.

/// Derivatives of the force of a law, from an accepted state.
struct LinkSlopes {
  Eigen::Vector2d force;       ///< f [N]
  Eigen::Matrix2d byPosition;  ///< df/dx [N/m]
  Eigen::Matrix2d byRate;      ///< df/dv [N s/m]
  Eigen::Vector2d byTime;      ///< df/dt [N/s]
};
LinkSlopes lawSlopes(const AnyLinkLaw& law, const LinkState& from, const LinkMotion<double>& motion) noexcept;

/// Motion of the link itself where the coordinates give `free`; `free` for a link that is not in series.
/// Where its force falls by more than 1/S along one axis, it jumps the way that the coordinates go; not a
/// number where it finds no balance there.
LinkMotion<double> ownMotion(const Link& link, const LinkState& from,
                             const LinkMotion<double>& free) noexcept;

/// The same an instant later, as the motion goes on: where a force falls at once just ahead, it has fallen.
LinkMotion<double> ownMotionLater(const Link& link, const LinkState& from,
                                  const LinkMotion<double>& free) noexcept;

/// Bounds of the law of a link at a motion, in series with S.
LinkBounds slopeBoundsAt(const Link& link, const LinkMotion<double>& motion) noexcept;

/// Energy of the springs that are in series with a link under a force f: f.S f/2 [J]. Zero where the law
/// itself contains them.
double energyInSeries(const Link& link, const std::array<double, kLinkAxes>& force) noexcept;

/// State of a link in series after its force has jumped to `force` at an instant, before which it was `own`;
/// both without the energy of the springs. The node without mass jumps along while the coordinates stay, so
/// that what springs and law store less after it is dissipated. `own` where the force did not jump.
LinkState stateAfterJump(const Link& link, const LinkState& own, const LinkMotion<double>& motion,
                         const std::array<double, kLinkAxes>& force) noexcept;

/// Energy [J] that is lost in a step in which a link in series jumped, `told` of whose work the law has
/// accounted for; 0 if it did not jump. A force that falls from f to f' at once loses S (f - f')^2/2. Where
/// the law does not tell the jump, this is, as the step becomes shorter,
///
///     (f + f')/2 (x' - x) - told       x  displacement of the link itself
///
/// without a jump not more than |f' - f| |x_free' - x_free|/2, x_free of the coordinates.
double energyLostInJump(const Link& link, const LinkState& from, const LinkState& to, double told) noexcept;

/// Adds to the view of a link on dofs without inertia, whose state is accepted, the first two derivatives of
/// its force, and the displacement of its point where the law contains the springs. `s` is the motion at that
/// instant. Nothing changes for other links.
void addForceRates(const LinkSet& set, int link, const State& s, LinkState& view);

}  // namespace ricochet
