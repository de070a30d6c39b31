#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

namespace ricochet {

/// Check of a mode: |K phi - omega^2 M phi| and |K phi|, relative to the largest terms of K phi.
struct ShapeCheck {
  double residual;
  double stiffnessShare;
};
ShapeCheck residualsOfModeShape(const PhysicalModel& model, double eigenvalue, const Vector& shape);

/// Makes the first of the largest components of each shape positive, so that a basis does not depend on the
/// sign chosen by the solver.
void fixSignsOfModeShapes(Matrix& shapes);

/// Mass that moves when the whole structure moves along x, y or z, r^t M r, including the mass held by
/// supports [kg]: the sum of the effective masses of all modes plus the mass held by the supports.
Vec3 translationalMass(const PhysicalModel& model);

/// Computes all quantities that follow from `eigenvalue`, `reducedShapes` and `residualVectors`: full shapes,
/// effective masses, residuals, orthogonality, and Phi^t C Phi of the dampers alone. Throws BasisError if a
/// mode has a large residual or the shapes are not orthogonal.
void computeBasisProperties(const PhysicalModel& model, ModalBasis& basis);

}  // namespace ricochet
