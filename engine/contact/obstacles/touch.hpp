#pragma once

#include "engine/numerics/real.hpp"

#include <array>
#include <concepts>

namespace ricochet {

/// Components along the axes e1, e2, e3 of a contact.
template <class Real>
using Local = std::array<Real, 3>;

template <class A, class B>
auto inner(const Local<A>& a, const Local<B>& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// What an obstacle says of a place: the gap there [m], negative in penetration, and its gradient, the unit
/// normal, which points out of the matter.
template <class Real>
struct Touch {
  Real gap{};
  Local<Real> normal{};
};

/// A curved obstacle, in the contact's own frame: gap and normal depend on two or three local coordinates.
/// The gap changes by no more than the place moves, which open contacts that sleep rely on.
template <class O>
concept CurvedObstacle = requires(const O o, const Local<double> x) {
  { o.touch(x) }
  noexcept->std::same_as<Touch<double>>;
  { o.surfaceRadius() }
  noexcept->std::same_as<double>;  // [m], see SurfaceSpin; 0: its surface cannot spin
  O::kInPlane;                     // the third coordinate does not count, tangent 2 is e3
  O::keyword;
  O::fields();
};

}  // namespace ricochet
