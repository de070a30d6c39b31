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
// A state of a link (LinkState::motion) contains x and x'.

/// Derivatives of the force of a law, from an accepted state.
struct LinkSlopes {
  Eigen::Vector2d force;       ///< force f [N]
  Eigen::Matrix2d byPosition;  ///< df/dx [N/m]
  Eigen::Matrix2d byRate;      ///< df/dv [N s/m]
  Eigen::Vector2d byTime;      ///< df/dt [N/s]
};
LinkSlopes forceAndDerivativesOfLinkLaw(const AnyLinkLaw& law, const LinkState& from,
                                        const LinkMotion<double>& motion) noexcept;

/// Motion of the link itself for the motion `free` of the coordinates; equal to `free` for a link without
/// springs in series. If its force decreases by more than 1/S along one axis, the link jumps in the direction
/// of the coordinates; the motion is NaN if there is no balance in this direction.
LinkMotion<double> linkMotionWithoutSeriesSprings(const Link& link, const LinkState& from,
                                                  const LinkMotion<double>& free) noexcept;

/// Motion of the link itself slightly later: if its force drops just ahead in the direction of the motion, it
/// has already dropped.
LinkMotion<double> linkMotionAfterForceDrop(const Link& link, const LinkState& from,
                                            const LinkMotion<double>& free) noexcept;

/// Bounds of stiffness and damping of a link at a motion, in series with S.
LinkBounds slopeBoundsOfLinkAt(const Link& link, const LinkMotion<double>& motion) noexcept;

/// Energy of the springs in series with a link under a force f: f.S f/2 [J]. Zero if the law itself contains
/// these springs.
double energyOfSpringsInSeries(const Link& link, const std::array<double, kLinkAxes>& force) noexcept;

/// State of a link after a jump of its imposed displacement, to the force `force`; `own`: state before. The
/// jump is the limit of ever faster changes, in which the supports or loads supply what law and springs store
/// and dissipate. Both states are without the energy of the springs.
LinkState linkStateAfterDisplacementJump(const Link& link, const LinkState& own,
                                         const LinkMotion<double>& motion,
                                         const std::array<double, kLinkAxes>& force) noexcept;

/// State of a link in series after a jump of its force to `force`; `own`: state before the jump; both without
/// the energy of the springs. The massless node jumps too, but the coordinates do not, so that the decrease
/// of the energy of springs and law is dissipated. Equal to `own` if the force did not jump.
LinkState linkStateAfterJump(const Link& link, const LinkState& own, const LinkMotion<double>& motion,
                             const std::array<double, kLinkAxes>& force) noexcept;

/// Energy lost in a step in which a link in series jumped [J]; 0 without a jump. `told`: work for which the
/// law has accounted. A force that drops from f to f' at once loses S (f - f')^2/2. If the law does not
/// report the jump, the loss is, for short steps,
///
///     (f + f')/2 (x' - x) - told       x  displacement of the link itself
///
/// Without a jump, this expression is at most |f' - f| |x_free' - x_free|/2, x_free being the displacement of
/// the coordinates.
double energyLostInJump(const Link& link, const LinkState& from, const LinkState& to, double told) noexcept;

/// First and second derivative of the force of a link just after a state, at a constant rate of its
/// displacement.
std::array<Eigen::Vector2d, 2> forceRatesAtConstantRate(const Link& link, const LinkState& at,
                                                        const Eigen::Vector2d& rate);

/// Adds the first two derivatives of its force to the view of an accepted link on dofs without inertia, and
/// the displacement of its point if the law contains the springs. `s`: motion at this instant. Views of other
/// links are unchanged.
void addForceRates(const LinkSet& set, int link, const State& s, LinkState& view);

}  // namespace ricochet
