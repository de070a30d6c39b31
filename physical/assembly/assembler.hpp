#pragma once

#include "physical/assembly/dof_map.hpp"
#include "physical/assembly/structure.hpp"
#include "physical/elements/elements.hpp"
#include "physical/sparse.hpp"
#include "physical/types.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Matrices that another code has assembled on some dofs: M [kg] and K [N/m] symmetric, C [N s/m] any.
struct MatrixBlock {
  std::vector<Dof> dofs;  ///< of the rows
  SparseMatrix mass, damping, stiffness;
  double rounding{0.0};  ///< of the entries, relative: half a unit of the last digit that was printed
  std::string stiffnessFile{}, massFile{};  ///< where the matrices come from, for messages
};

/// The assembled structure. Matrices are reduced (independent dofs y, u = T y): M [kg], C [N s/m], K [N/m].
struct PhysicalModel {
  std::vector<Vec3> positions;
  std::vector<bool> isUnplaced;  ///< per node: its dofs do not move with a place in space
  DofMap dofs;
  SparseMatrix mass;            ///< T^t M T, symmetric
  SparseMatrix damping;         ///< T^t C T, unsymmetric with gyroscopic matrices
  SparseMatrix stiffness;       ///< T^t K T, symmetric
  SparseMatrix fullMass;        ///< M before reduction (full x full), for participation and inertia of fields
  SparseMatrix supportDamping;  ///< T^t C, columns of fixed dofs only (reduced x full): supports that move
  SparseMatrix supportStiffness;    ///< T^t K, likewise
  SparseMatrix supportDampingRows;  ///< T^t C^t, likewise: rows of C, the forces that supports take up

  double rounding{0.0};  ///< relative error of entries beyond that of double precision: of imported ones

  int size() const noexcept { return dofs.reducedSize(); }

  /// Reduced force vector of a unit force (or moment) on a dof: a row of T; zero for a fixed dof.
  Vector reducedForce(Dof dof) const;
};

/// T^t G T of these elements, G their gyroscopic matrices at 1 rad/s; of those that cannot spin: nothing.
SparseMatrix gyroscopicAtUnitSpin(const Structure& structure, const DofMap& dofs,
                                  std::span<const std::size_t> elements);

/// T^t G^t of them, reduced x full: rows of G.
SparseMatrix gyroscopicRows(const Structure& structure, const DofMap& dofs,
                            std::span<const std::size_t> elements);

/// Assembles M, C and K and eliminates supports and relations exactly.
/// Throws ModelError: no free dof; a free dof with neither stiffness nor mass (all of them listed).
PhysicalModel assemble(const Structure& structure);

}  // namespace ricochet
