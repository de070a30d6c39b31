#pragma once

#include "modal/factorization.hpp"
#include "modal/modal_basis.hpp"
#include "physical/assembler.hpp"

#include <optional>

namespace ricochet {

/// What the modes of a basis leave out of static responses (its residual vectors do not count as modes):
///
///     x = (K^-1 - Phi diag(1/omega^2) Phi^t) b = K^-1 (b - M Phi Phi^t b)
///
/// the second form for exact modes; it subtracts nothing large and stays finite when the rigid-body modes are
/// all kept. K is solved for by conjugate gradients on one factorization at a regular shift.
class StaticRemainder {
 public:
  /// Keeps references to both.
  StaticRemainder(const ModalBasis& basis, const PhysicalModel& model);

  /// x [m/N] of a reduced load b; nothing when it is infinite: a rigid-body mode is left out.
  std::optional<Vector> response(const Vector& reducedLoad) const;

  /// b^t x [m/N]; may be infinite.
  double flexibility(const Vector& reducedDirection) const;

 private:
  struct Solution {
    Vector load, response;
    bool finite{true};
  };
  Solution solve(const Vector& reducedLoad) const;

  const ModalBasis* basis_;
  const PhysicalModel* model_;
  Matrix momenta_;  ///< M Phi of the modes
  std::optional<ShiftedFactorization> shifted_;
};

/// Flexibility b^t R diag(1/omega^2) R^t b [m/N] of the residual vectors R of a basis.
double flexibilityOfResidualVectors(const ModalBasis& basis, const Vector& reducedDirection);

}  // namespace ricochet
