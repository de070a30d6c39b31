#pragma once

#include "physical/assembly/linear_relation.hpp"
#include "physical/dof.hpp"
#include "physical/sparse.hpp"

#include <array>
#include <vector>

namespace ricochet {

/// Numbering of the degrees of freedom and the exact elimination of supports and relations.
///
/// Full numbering: every dof that an element gives to a node, fixed or not, and the dofs that relations give
/// to a node without elements (a point on a rigid body). Reduced numbering: the independent dofs y. The full
/// displacement is u = T y, with T = [I; -A_d^-1 A_i] from the relations A_d u_d + A_i u_i = 0 and zero rows
/// for fixed dofs.
class DofMap {
 public:
  DofMap() = default;

  /// `present[node][component]`: true for existing dofs; `fixed`: dofs that do not move. Throws ModelError if
  /// a relation names a dof that its node does not have, or if the relations do not determine a dof of a node
  /// without elements.
  DofMap(const std::vector<std::array<bool, kComponents>>& present, const std::vector<Dof>& fixed,
         const std::vector<LinearRelation>& relations);

  int totalDofCount() const noexcept { return static_cast<int>(dofs_.size()); }
  int independentDofCount() const noexcept { return static_cast<int>(independent_.size()); }
  int nodeCount() const noexcept { return static_cast<int>(index_.size()); }

  /// Full index of a dof; !exists() if neither an element nor a relation (for a node without elements) gives
  /// the dof.
  DofIndex find(Dof dof) const noexcept;
  Dof dof(DofIndex full) const { return dofs_[static_cast<std::size_t>(full.value)]; }
  bool isFixed(DofIndex full) const { return fixed_[static_cast<std::size_t>(full.value)]; }

  /// True if only relations give this dof to its node; such a dof is never independent.
  bool isGivenByRelation(DofIndex full) const { return tied_[static_cast<std::size_t>(full.value)]; }

  /// Full index of each independent dof (reduced row -> full row).
  const std::vector<DofIndex>& independentDofs() const noexcept { return independent_; }

  /// T (full x reduced).
  const SparseMatrix& transformation() const noexcept { return transformation_; }

 private:
  std::vector<std::array<DofIndex, kComponents>> index_;
  std::vector<Dof> dofs_;
  std::vector<bool> fixed_;
  std::vector<bool> tied_;
  std::vector<DofIndex> independent_;
  SparseMatrix transformation_;
};

}  // namespace ricochet
