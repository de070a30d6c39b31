#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

#include <memory>
#include <optional>

namespace ricochet {

/// What the modes of a basis leave out of static responses (its residual vectors do not count as modes):
///
///     x = (K^-1 - Phi diag(1/omega^2) Phi^t) b = K^-1 (b - M Phi Phi^t b)
///
/// the second form for exact modes; it subtracts nothing large and stays finite when the rigid-body modes are
/// all kept. K^-1 is the elastic inverse that the basis was found with (elastic_inverse.hpp).
class StaticRemainder {
 public:
  /// Keeps a reference to the basis.
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
  Matrix momenta_;                                   ///< M Phi of the modes
  std::shared_ptr<const StructureInverse> inverse_;  ///< none where nothing is left out
};

/// Flexibility b^t R diag(1/omega^2) R^t b [m/N] of the residual vectors R of a basis.
double flexibilityOfResidualVectors(const ModalBasis& basis, const Vector& reducedDirection);

}  // namespace ricochet
