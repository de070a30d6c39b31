#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

#include <memory>
#include <optional>

namespace ricochet {

/// Part of static responses that the modes of a basis cannot represent (residual vectors do not count as
/// modes):
///
///     x = (K^-1 - Phi diag(1/omega^2) Phi^t) b = K^-1 (b - M Phi Phi^t b)
///
/// The second form is valid for exact modes; it has no cancellation and is finite if the basis has all
/// rigid-body modes. K^-1 is the elastic inverse used for the basis (elastic_inverse.hpp).
class StaticRemainder {
 public:
  /// The object keeps a reference to the basis.
  StaticRemainder(const ModalBasis& basis, const PhysicalModel& model);

  /// Static response x [m/N] to a reduced load b; empty if x is infinite because the basis lacks a rigid-body
  /// mode.
  std::optional<Vector> staticResponse(const Vector& reducedLoad) const;

  /// Flexibility b^t x along a direction b [m/N]; infinite if the basis lacks a rigid-body mode that b
  /// excites.
  double flexibility(const Vector& reducedDirection) const;

 private:
  struct Solution {
    Vector load, response;
    bool finite{true};
  };
  Solution solveStaticRemainder(const Vector& reducedLoad) const;

  const ModalBasis* basis_;
  Matrix momenta_;                                   ///< momenta M Phi of the modes
  std::shared_ptr<const StructureInverse> inverse_;  ///< null if the modes represent all responses
};

/// Static response R diag(1/omega^2) R^t b [m/N] of the residual vectors R of a basis to a reduced load b.
Vector residualVectorResponse(const ModalBasis& basis, const Vector& reducedLoad);

/// Flexibility b^t R diag(1/omega^2) R^t b [m/N] of the residual vectors R of a basis.
double flexibilityOfResidualVectors(const ModalBasis& basis, const Vector& reducedDirection);

}  // namespace ricochet
