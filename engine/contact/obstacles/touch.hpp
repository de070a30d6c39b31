#pragma once

#include "engine/numerics/real.hpp"
#include "engine/numerics/trait.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ricochet {

/// Components of a vector along the axes e1, e2, e3 of a contact.
template <class Real>
using Local = std::array<Real, 3>;

template <class A, class B>
auto innerProduct(const Local<A>& a, const Local<B>& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Gap at a position [m], negative in penetration, and its gradient, the unit normal, which points away from
/// the obstacle.
template <class Real>
struct Touch {
  Real gap{};
  Local<Real> normal{};
};

/// Properties of a curved obstacle. No property has a default value.
struct CurvedTraits {
  Trait<bool> inPlane;   ///< the gap does not depend on the third coordinate, tangent 2 is e3
  Trait<bool> byFields;  ///< a deck gives the fields, `center`, `axis` and optionally `side`
  Trait<bool> isHole;    ///< a body that rolls has an axis and is inside the body of the obstacle
  /// Name in the message when the event scheme refuses the obstacle; empty: the obstacle has a RoundGuard.
  Trait<std::string_view> onlyBySteps;
};

/// Size of a circle, sphere or torus for event-driven schemes, whose guard function is a polynomial of the
/// coordinates (RoundPolynomials).
struct RoundGuard {
  double radius{0.0};  ///< R of a circle or sphere, r of the tube of a torus [m]
  std::size_t axes{2};
  bool inside{false};      ///< true: the node moves inside
  double ringRadius{0.0};  ///< R of the ring of a torus [m]; 0: no torus

  /// True if the guard has exactly the roots of the gap: the tube of a torus must not reach its axis.
  bool isValid() const noexcept { return radius > 0.0 && (ringRadius == 0.0 || ringRadius > radius); }
};

/// True for a circle about e3 (Circle, Disc): its RoundGuard depends on two coordinates.
template <class O>
inline constexpr bool kIsCircular = O::traits.inPlane&& O::traits.onlyBySteps.value.empty();

/// Curved obstacle, in the local frame of a contact: gap and normal depend on two or three local coordinates.
/// The gap changes by at most the displacement of the contact point (Lipschitz constant 1); the skipping of
/// distant open contacts (GapWatch) relies on this bound.
template <class O>
concept CurvedObstacle = requires(const O o, const Local<double> x) {
  { o.gapAndNormal(x) }
  noexcept->std::same_as<Touch<double>>;
  { o.surfaceRadius() }
  // Radius of a surface that spins, see SurfaceSpin [m]; 0: the surface cannot spin.
  noexcept->std::same_as<double>;
  requires std::same_as<std::remove_cvref_t<decltype(O::traits)>, CurvedTraits>;
  O::keyword;
  O::numericParameters();
};

}  // namespace ricochet
