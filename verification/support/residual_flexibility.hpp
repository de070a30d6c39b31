#pragma once

#include "modal/static_remainder.hpp"

namespace ricochet::test {

/// Flexibility that a truncated basis leaves out along a generalized direction: b^t (K^-1 - Phi
/// diag(1/omega^2) Phi^t) b [m/N], b reduced: the sum of phi^2 / omega^2 over the omitted modes, and the
/// springs of massless dofs, which even a complete basis leaves out. What residual vectors give back is taken
/// off: along the directions that they were made for, rounding is left, of either sign.
inline double residualFlexibility(const ModalBasis& basis, const PhysicalModel& model,
                                  const Vector& reducedDirection) {
  return StaticRemainder(basis, model).flexibility(reducedDirection) -
         flexibilityOfResidualVectors(basis, reducedDirection);
}

}  // namespace ricochet::test
