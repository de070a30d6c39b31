#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

#include <vector>

namespace ricochet {

/// One row of Phi, 1 x modes: displacement of a dof per unit of each generalized coordinate [kg^-1/2]. Zero
/// if the dof does not exist or is fixed.
Eigen::RowVectorXd modeShapeRow(const ModalBasis& basis, const DofMap& dofs, Dof dof);

/// Rows of Phi of some dofs, dofs x modes: their displacements are u = rows q.
Matrix modeShapeRows(const ModalBasis& basis, const DofMap& dofs, const std::vector<Dof>& wanted);

/// Generalized coordinates of a physical field u (full numbering): q = Phi^t M u. `remainder`: part of u that
/// the basis cannot represent, |u - Phi q|_M / |u|_M.
struct ProjectedField {
  Vector coordinates;
  double remainder{0.0};
};
ProjectedField projectField(const ModalBasis& basis, const PhysicalModel& model, const Vector& field);

}  // namespace ricochet
