#pragma once

#include "physical/assembly/assembler.hpp"
#include "physical/sparse.hpp"

#include <memory>
#include <vector>

namespace ricochet {

/// Static response of the dofs without inertia (rows of M that are zero), in reduced numbering.
///
/// With M_mm = 0, M_km = 0 and dashpots at these dofs counted among the forces, the second row of the
/// equation of motion holds at every instant with every force f_m that acts there:
///
///     u_m = T u_k + F f_m,   T = -K_mm^-1 K_mk,   F = K_mm^-1
///
/// T belongs to the coordinates (DynamicModel, modes). This class gives F and the force T^t f_m that the dofs
/// with mass receive. K_mm is factorised when a force on a massless dof is asked for, not before.
class MasslessPart {
 public:
  /// Keeps a reference to the model.
  explicit MasslessPart(const PhysicalModel& model);

  bool empty() const noexcept { return dofs_.empty(); }
  /// Reduced indices of the massless dofs, increasing.
  const std::vector<int>& dofs() const noexcept { return dofs_; }

  /// True if a reduced force acts on massless dofs by more than rounding (1e-12 of its largest entry).
  bool doesForceLoadMasslessDofs(const Vector& force) const;

  /// F f of a reduced force [m]: zero on the dofs with mass, and everywhere if
  /// !doesForceLoadMasslessDofs(force). Throws ModelError if K_mm is singular (all massless dofs listed).
  Vector staticResponse(const Vector& force) const;

  /// Force with the same effect on the dofs with mass and none on the others: f - K F f = (f_k + T^t f_m, 0).
  Vector forceCondensedToMass(const Vector& force) const;

  /// Matrix reduced x kept: the identity on the dofs with mass, and T on the massless dofs. Throws ModelError
  /// as `response`.
  static SparseMatrix staticCondensationMatrix(const PhysicalModel& model, const std::vector<int>& kept,
                                               const std::vector<int>& massless);

 private:
  class Factor;
  const PhysicalModel* model_;
  std::vector<int> dofs_;
  mutable std::shared_ptr<const Factor> factor_{};
};

/// Moves the dashpots on dofs m without inertia from `damping` to `masslessDashpots`,
///
///     C = C' + D D^t,   D = (C_km U s^-1/2, U s^1/2),   C_mm = U s U^t
///
/// with C' zero on m. Such a dof does not follow statically: each column of D is a dashpot in series with the
/// springs K_mm. Nothing is moved where C is not symmetric and positive on m, or acts on more than
/// `kMostDamped` dofs without inertia.
void separateMasslessDashpots(PhysicalModel& model);
inline constexpr std::size_t kMostDamped = 500;

/// A structure on the independent dofs y with mass, u = T y on all dofs (full x kept).
///
/// A massless dof follows the others statically, K_mm u_m = -K_mk u_k, and is condensed exactly. Forces on a
/// massless dof move it further, by F f_m (MasslessPart).
struct DynamicModel {
  SparseMatrix transformation;  ///< T, zero rows for fixed dofs
  SparseMatrix mass;            ///< T^t M T [kg]
  SparseMatrix damping;         ///< [N s/m]
  SparseMatrix stiffness;       ///< [N/m]
  std::vector<int> kept;        ///< reduced index of each y
};

/// Throws ModelError if no dof has mass, or if massless dofs have a singular stiffness K_mm (all listed).
DynamicModel condenseToDynamicModel(const PhysicalModel& model);

}  // namespace ricochet
