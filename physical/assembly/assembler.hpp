#pragma once

#include "physical/assembly/dof_map.hpp"
#include "physical/assembly/structure.hpp"
#include "physical/elements/elements.hpp"
#include "physical/sparse.hpp"
#include "physical/types.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Matrices that another code has assembled on some dofs: M [kg] and K [N/m] symmetric, C [N s/m] general.
struct MatrixBlock {
  std::vector<Dof> dofs;  ///< dofs of the rows
  SparseMatrix mass, damping, stiffness;
  double rounding{0.0};  ///< relative error of the entries: half a unit of the last printed digit
  std::string stiffnessFile{}, massFile{};  ///< files of the matrices, for messages
};

/// The assembled structure. Matrices are reduced (independent dofs y, u = T y): M [kg], C [N s/m], K [N/m].
struct PhysicalModel {
  std::vector<Vec3> positions;
  std::vector<bool> isUnplaced;  ///< per node: true if its dofs are not displacements of a position in space
  DofMap dofs;
  SparseMatrix mass;       ///< T^t M T, symmetric
  SparseMatrix damping;    ///< T^t C T, unsymmetric with gyroscopic matrices, without `masslessDashpots`
  SparseMatrix stiffness;  ///< T^t K T, symmetric
  SparseMatrix fullMass;   ///< M before reduction (full x full), for participation and inertia of fields
  /// T^t C, the columns of fixed dofs only (reduced x full): forces of dashpots by supports that move.
  SparseMatrix supportDamping;
  SparseMatrix supportStiffness;  ///< T^t K, columns of fixed dofs only
  /// T^t C^t, the columns of fixed dofs only (reduced x full): forces of dashpots on supports.
  SparseMatrix supportDampingRows;

  Matrix masslessDashpots;  ///< D, reduced x count: dashpots D D^t on dofs without inertia (massless.hpp)

  double rounding{0.0};  ///< relative error of the entries beyond double precision, from imported matrices

  int size() const noexcept { return dofs.independentDofCount(); }

  /// Reduced force vector of a unit force (or moment) on a dof: a row of T; zero for a fixed dof.
  Vector reducedForce(Dof dof) const;
};

/// T^t G T of these elements, with G their gyroscopic matrices at 1 rad/s; elements that cannot spin
/// contribute nothing.
SparseMatrix reducedGyroscopicMatrix(const Structure& structure, const DofMap& dofs,
                                     std::span<const std::size_t> elements);

/// T^t G^t of these elements, reduced x full: rows of G.
SparseMatrix reducedGyroscopicRows(const Structure& structure, const DofMap& dofs,
                                   std::span<const std::size_t> elements);

/// Gyroscopic force -G v [N, N m] on all dofs under the velocities v of all dofs; G at the constant spins of
/// the elements.
Vector gyroscopicForce(const Structure& structure, const DofMap& dofs, const Vector& velocity);

/// True if damping matrices that are not symmetric couple rotations which turn with `velocity`: by gyroscopic
/// moments, which absolute rotations make, or by those of a bearing, which relative rotations make.
bool hasUnsymmetricDamping(const Structure& structure, const DofMap& dofs, const Vector& velocity);

/// One flag per component of a node.
using DofFlags = std::array<bool, kComponents>;

/// The dofs that elements and imported matrices give to each node.
std::vector<DofFlags> dofsOfElements(const Structure& structure);

/// Assembles M, C and K and eliminates supports and relations exactly.
/// Throws ModelError: no free dof; a free dof with neither stiffness nor mass (all of them listed).
PhysicalModel assembleModel(const Structure& structure);

}  // namespace ricochet
