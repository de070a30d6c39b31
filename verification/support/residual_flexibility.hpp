#pragma once

#include "modal/static_remainder.hpp"

namespace ricochet::test {

/// Flexibility that a truncated basis omits along a generalized direction: b^t (K^-1 - Phi diag(1/omega^2)
/// Phi^t) b [m/N], b reduced. It is the sum of phi^2 / omega^2 over the omitted modes, plus the springs of
/// massless dofs, which even a complete basis omits. The flexibility of residual vectors is subtracted: along
/// the directions of these vectors only rounding of either sign remains.
inline double residualFlexibility(const ModalBasis& basis, const PhysicalModel& model,
                                  const Vector& reducedDirection) {
  return StaticRemainder(basis, model).flexibility(reducedDirection) -
         flexibilityOfResidualVectors(basis, reducedDirection);
}

}  // namespace ricochet::test
