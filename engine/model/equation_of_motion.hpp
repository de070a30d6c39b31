#pragma once

#include "engine/numerics/state.hpp"

#include <concepts>

namespace ricochet {

/// Functions of an equation of motion  q'' = f(t, q, q') - C q' - K q  (M = I) that an integrator needs:
///
///     acceleration           a at (t, q, v); a trial of all contacts, which `acceptStep` accepts
///     implicitAcceleration   a such that q'' = a at the displacement q + dq a and the velocity v + dv a;
///                            the linear part is solved exactly, contacts are evaluated at the guess that
///                            `a` has on entry
///     force                  f alone, contacts evaluated at the velocity v + dv a: for schemes that
///                            integrate the linear part themselves
///
/// The modal (diagonal) and direct (sparse) equations both satisfy this concept, so that both modes run the
/// same integrators.
template <class E>
concept EquationOfMotion = requires(E e, double t, double dq, double dv, const Vector& q, const Vector& v,
                                    Vector& a) {
  e.acceleration(t, q, v, a);
  e.implicitAcceleration(t, dq, dv, q, v, a);
  e.force(t, q, v, dv, a, a);
  { e.size() } -> std::convertible_to<Eigen::Index>;
};

}  // namespace ricochet
