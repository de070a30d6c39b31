#pragma once

#include "engine/numerics/real.hpp"
#include "engine/numerics/trait.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

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

/// What a curved obstacle says of itself. No answer has a default.
struct CurvedTraits {
  Trait<bool> inPlane;                  ///< the third coordinate does not count, tangent 2 is e3
  Trait<bool> byFields;                 ///< a deck gives its fields, `center` and `axis`, and perhaps `side`
  Trait<std::string_view> onlyBySteps;  ///< as what event and moreau refuse it; empty: it has a RoundGuard
};

/// The distance of a place to a round obstacle as +-(r^2 - R^2)/(2 R), a polynomial that vanishes with the
/// gap and grows like it there; r^2 of the first two or three coordinates.
struct RoundGuard {
  double radius{0.0};  ///< R [m]
  std::size_t axes{2};
  bool inside{false};  ///< the node is free inside
};

/// Whether an obstacle is a circle about e3 (Circle, Disc): it has a RoundGuard of two coordinates.
template <class O>
inline constexpr bool kIsCircular = O::traits.inPlane&& O::traits.onlyBySteps.value.empty();

/// A curved obstacle, in the contact's own frame: gap and normal depend on two or three local coordinates.
/// The gap changes by no more than the place moves, which open contacts that sleep rely on.
template <class O>
concept CurvedObstacle = requires(const O o, const Local<double> x) {
  { o.touch(x) }
  noexcept->std::same_as<Touch<double>>;
  { o.surfaceRadius() }
  noexcept->std::same_as<double>;  // [m], see SurfaceSpin; 0: its surface cannot spin
  requires std::same_as<std::remove_cvref_t<decltype(O::traits)>, CurvedTraits>;
  O::keyword;
  O::fields();
};

}  // namespace ricochet
