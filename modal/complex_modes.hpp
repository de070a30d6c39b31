#pragma once

#include "modal/modal_basis.hpp"

#include <vector>

namespace ricochet {

/// A mode of the damped or gyroscopic structure, exp(lambda t) with lambda a root or a pair of roots.
struct ComplexMode {
  double frequency{0.0};     ///< |Im lambda| / 2 pi [Hz]; negative: a backward whirl; 0: no oscillation
  double dampingRatio{0.0};  ///< -Re lambda / |lambda| [-]; of two real roots a, b: -(a + b) / (2 sqrt(a b))
};

/// The complex modes that a basis can hold: roots of lambda^2 q + lambda C q + Omega^2 q = 0, C being the
/// generalized damping with its gyroscopic part. Conjugate roots are one mode; real roots are taken two by
/// two in increasing size. In increasing |lambda|.
///
/// A whirl is backward when the gyroscopic moments lower its frequency: with A the antisymmetric part of C
/// and q the shape of Im lambda > 0, Im(q^H A q) > 0. Without gyroscopic part no frequency is negative.
///
/// The first-order form in (Omega q, q') is a normal matrix for a gyroscopic structure without damping, so
/// that frequencies are good to rounding of the largest one.
std::vector<ComplexMode> complexModes(const ModalBasis& basis);

}  // namespace ricochet
