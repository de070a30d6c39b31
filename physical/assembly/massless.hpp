#pragma once

#include "physical/assembly/assembler.hpp"
#include "physical/sparse.hpp"

namespace ricochet {

/// A structure on the independent dofs y with mass, u = T y on all dofs (full x kept).
///
/// A massless dof follows the others statically, K_mm u_m = -K_mk u_k, and is condensed exactly; loads and
/// contacts on a massless dof act through the other dofs (its local flexibility is neglected, as in a modal
/// basis).
struct DynamicModel {
  SparseMatrix transformation;  ///< T, zero rows for fixed dofs
  SparseMatrix mass;            ///< T^t M T [kg]
  SparseMatrix damping;         ///< [N s/m]
  SparseMatrix stiffness;       ///< [N/m]
  std::vector<int> kept;        ///< reduced index of each y
};

/// Throws ModelError if no dof has mass, or if massless dofs have a singular stiffness K_mm (all listed).
DynamicModel condenseMassless(const PhysicalModel& model);

}  // namespace ricochet
