#pragma once

#include "modal/modal_basis.hpp"

#include <vector>

namespace ricochet {

/// A mode of the damped or gyroscopic structure, exp(lambda t) with lambda a root or a pair of roots.
struct ComplexMode {
  double frequency{0.0};     ///< |Im lambda| / 2 pi [Hz]; negative: backward whirl; 0: no oscillation
  double dampingRatio{0.0};  ///< -Re lambda / |lambda| [-]; for two real roots a, b: -(a + b) / (2 sqrt(a b))
};

/// Complex modes within the space of a basis: roots of lambda^2 q + lambda C q + Omega^2 q = 0, C being the
/// generalized damping with its gyroscopic part. Two conjugate roots are one mode; real roots are paired in
/// the order of increasing magnitude. Sorted by |lambda|.
///
/// A whirl is backward if the gyroscopic moments lower its frequency: with A the antisymmetric part of C and
/// q the shape for Im lambda > 0, Im(q^H A q) > 0. Without a gyroscopic part no frequency is negative.
///
/// The first-order form in (Omega q, q') is a normal matrix for a gyroscopic structure without damping: the
/// errors of the frequencies are then rounding errors of the largest frequency.
std::vector<ComplexMode> complexModes(const ModalBasis& basis);

}  // namespace ricochet
