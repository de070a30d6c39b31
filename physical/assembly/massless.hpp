#pragma once

#include "physical/assembly/assembler.hpp"
#include "physical/sparse.hpp"

namespace ricochet {

/// A structure on the independent dofs that have mass: y, with u = T y on all dofs (full x kept).
///
/// A dof without mass follows the others statically, K_mm u_m = -K_mk u_k, so that it is condensed exactly;
/// its own loads and contacts move it only through them (its local flexibility is left out, as from a modal
/// basis).
struct DynamicModel {
  SparseMatrix transformation;  ///< T, zero rows for fixed dofs
  SparseMatrix mass;            ///< T^t M T [kg]
  SparseMatrix damping;         ///< [N s/m]
  SparseMatrix stiffness;       ///< [N/m]
  std::vector<int> kept;        ///< reduced index of each y
};

/// Throws ModelError: no dof has mass; dofs without mass have no stiffness among themselves (all listed).
DynamicModel condenseMassless(const PhysicalModel& model);

}  // namespace ricochet
