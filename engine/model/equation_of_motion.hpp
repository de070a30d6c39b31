#pragma once

#include "engine/numerics/state.hpp"

#include <concepts>

namespace ricochet {

/// What an integrator needs of an equation of motion  q'' = f(t, q, q') - C q' - K q  (M = I):
///
///   acceleration            a at (t, q, v): a trial of every contact, kept by `accept`
///   implicitAcceleration    a such that q'' = a at the displacement q + dq a and velocity v + dv a; the
///   linear part is
///                           solved exactly, contacts are evaluated at the guess that `a` holds on entry
///   force                   f alone, contacts evaluated at the velocity v + dv a: for schemes that move the
///   linear part
///                           themselves
///
/// Modal (diagonal) and direct (sparse) modes are two models of the same concept, so that a comparison of the
/// modes runs the same integrator.
template <class E>
concept EquationOfMotion = requires(E e, double t, double dq, double dv, const Vector& q, const Vector& v,
                                    Vector& a) {
  e.acceleration(t, q, v, a);
  e.implicitAcceleration(t, dq, dv, q, v, a);
  e.force(t, q, v, dv, a, a);
  { e.size() } -> std::convertible_to<Eigen::Index>;
};

}  // namespace ricochet
