#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"

namespace ricochet {

/// Minimises 1/2 x.D x + c.x over |x| <= limit, D = {d11, d12, d22} positive semidefinite, by its secular
/// equation. `slides`: |x| is at the limit. Source: J.J. More, D.C. Sorensen, SIAM J. Sci. Stat. Comput. 4
/// (1983) 553-572.
struct DiscSolution {
  Tangential<double> x;
  bool slides;
};
DiscSolution minimizeQuadraticOnFrictionDisc(const std::array<double, 3>& d, const Tangential<double>& c,
                                             double limit) noexcept;

/// A unilateral contact with Coulomb friction, without the impulses of other contacts. The rates are those
/// without its own impulses: the normal rate minus its target, and the slip rates along the axes of `own`.
struct LocalContact {
  const BlockCompliance& own;
  double normal;
  Tangential<double> slip;
  double coefficient;
  double pressed;
};
struct LocalImpulse {
  double normal{0.0};
  Tangential<double> friction{};  ///< friction impulse along the tangential axes [N s]
  bool slides{true};
};

/// Normal and tangential impulse of one contact, solved together. There is always a solution; of several
/// solutions (mu |G_nt| > G_nn), an open contact is preferred to a stick and a stick to a slip.
///
///     slip:  y_t = -alpha x_t, alpha > 0:  x_t(alpha) = -(D_tt + alpha)^-1 (c_t + D_tn x_n),  y_n = target
///
/// leaves one equation for alpha, |x_t| = mu x_n, that changes its sign between stick (alpha = 0) and the
/// frictionless contact (alpha = infinity).
LocalImpulse solveImpulseOfContact(const LocalContact& contact) noexcept;

}  // namespace ricochet
