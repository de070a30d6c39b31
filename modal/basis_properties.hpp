#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

namespace ricochet {

/// |K phi - omega^2 M phi| and |K phi|, relative to the largest terms of K phi.
struct ShapeCheck {
  double residual;
  double stiffnessShare;
};
ShapeCheck checkShape(const PhysicalModel& model, double eigenvalue, const Vector& shape);

/// The first component among the largest is made positive, so that a basis does not depend on the solver's
/// mood.
void fixSigns(Matrix& shapes);

/// Mass that moves when the whole structure moves along x, y or z, r^t M r, what supports hold included [kg]:
/// the effective masses of all modes come to it but for the share of the supports.
Vec3 movingMass(const PhysicalModel& model);

/// Fills in what follows from `eigenvalue`, `reducedShapes` and `residualVectors`: full shapes, effective
/// masses, residuals, orthogonality, and the damping Phi^t C Phi of the dampers alone. Throws BasisError when
/// the modes are no modes or the shapes are not orthogonal.
void setProperties(const PhysicalModel& model, ModalBasis& basis);

}  // namespace ricochet
