#pragma once

#include "physical/types.hpp"

#include <memory>
#include <numbers>

namespace ricochet {

class StructureInverse;

/// Mass-normalised real modes of a structure: u = Phi q, Phi^t M Phi = I, Phi^t K Phi = diag(omega^2).
/// Residual vectors (residual_vectors.hpp), if any, are the last columns; their omega^2 is a Rayleigh
/// quotient.
struct ModalBasis {
  Vector eigenvalue;     ///< omega^2 [rad^2/s^2], increasing; exactly 0 for a rigid-body mode
  Matrix shapes;         ///< Phi: full dofs (fixed ones included, as zero rows) x modes [kg^-1/2]
  Matrix reducedShapes;  ///< Phi on the independent dofs
  Matrix damping;        ///< generalized damping Phi^t C Phi + 2 zeta omega + Rayleigh, modes x modes [1/s]
  Matrix effectiveMass;  ///< modes x 3, (phi^t M r_x)^2 along x, y, z [kg]
  Vector residual;       ///< |K phi - omega^2 M phi| / (|K| |phi|) [-]; large for a residual vector: no mode
  double orthogonalityError{0.0};  ///< largest |Phi^t M Phi - I| [-]
  int missedModes{0};        ///< number of modes up to the last frequency that are missing (inertia count)
  int rigidModes{0};         ///< number of eigenvalues that are zero
  int residualVectors{0};    ///< number of residual vectors, the last columns, which are not modes
  int masslessResponses{0};  ///< number of static responses that move no mass and have no column
  bool complete{false};      ///< true if there are as many columns as the structure has modes

  /// Elastic inverse K^+ used for the modes, for static responses of the same structure.
  std::shared_ptr<const StructureInverse> inverse{};

  int size() const noexcept { return static_cast<int>(eigenvalue.size()); }
  int modes() const noexcept { return size() - residualVectors; }
  bool isResidualVector(Eigen::Index column) const noexcept { return column >= modes(); }
  Vector omega() const { return eigenvalue.cwiseSqrt(); }
  Vector frequency() const { return omega() / (2.0 * std::numbers::pi); }  ///< natural frequencies [Hz]

  /// Diagonal of the generalized damping over 2 omega; 0 for a rigid-body mode [-].
  Vector dampingRatio() const;

  /// True when the generalized damping couples no two modes (to rounding).
  bool isDampingDiagonal() const;
};

}  // namespace ricochet
