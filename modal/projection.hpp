#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

namespace ricochet {

/// Rows of Phi at a node: displacement of its three translations per unit of each generalized coordinate,
/// 3 x modes, global axes [kg^-1/2]. A component that the node does not have, or that is fixed, is a zero
/// row.
Matrix translationRows(const ModalBasis& basis, const DofMap& dofs, NodeIndex node);

/// The same of its three rotations [rad].
Matrix rotationRows(const ModalBasis& basis, const DofMap& dofs, NodeIndex node);

/// One row of Phi, 1 x modes; zero when the node has no such dof.
Eigen::RowVectorXd dofRow(const ModalBasis& basis, const DofMap& dofs, Dof dof);

/// Generalized coordinates of a physical field u (full numbering): q = Phi^t M u.
/// `remainder` is the part of u that the basis cannot hold, |u - Phi q|_M / |u|_M.
struct ProjectedField {
  Vector coordinates;
  double remainder{0.0};
};
ProjectedField projectField(const ModalBasis& basis, const PhysicalModel& model, const Vector& field);

/// Flexibility that a truncated basis leaves out along a generalized direction: b^t (K^-1 - Phi
/// diag(1/omega^2) Phi^t) b [m/N], b reduced: the sum of phi^2 / omega^2 over the omitted modes, and the
/// springs of massless dofs, which even a complete basis leaves out. Kept rigid-body modes are harmless; an
/// omitted one makes it infinite. What residual vectors give back is taken off: along the directions that
/// they were made for, rounding is left, of either sign.
double residualFlexibility(const ModalBasis& basis, const PhysicalModel& model,
                           const Vector& reducedDirection);

}  // namespace ricochet
