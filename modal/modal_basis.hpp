#pragma once

#include "physical/types.hpp"

#include <numbers>
#include <vector>

namespace ricochet {

/// Mass-normalised real modes of a structure: u = Phi q, Phi^t M Phi = I, Phi^t K Phi = diag(omega^2).
struct ModalBasis {
  Vector eigenvalue;     ///< omega^2 [rad^2/s^2], increasing; exactly 0 for a rigid-body mode
  Matrix shapes;         ///< Phi: full dofs (fixed ones included, as zero rows) x modes [kg^-1/2]
  Matrix reducedShapes;  ///< the same on the independent dofs
  Matrix damping;        ///< generalized damping Phi^t C Phi + 2 zeta omega + Rayleigh, modes x modes [1/s]
  Matrix effectiveMass;  ///< modes x 3, (phi^t M r_x)^2 along x, y, z [kg]
  Vector residual;       ///< |K phi - omega^2 M phi| / (|K| |phi|), per mode [-]
  double orthogonalityError{0.0};  ///< largest |Phi^t M Phi - I| [-]
  int missedModes{0};    ///< modes below or at the last frequency that the basis leaves out (inertia count)
  int rigidModes{0};     ///< how many eigenvalues are zero
  bool complete{false};  ///< as many modes as the structure has

  int size() const noexcept { return static_cast<int>(eigenvalue.size()); }
  Vector omega() const { return eigenvalue.cwiseSqrt(); }
  Vector frequency() const { return omega() / (2.0 * std::numbers::pi); }  ///< [Hz]

  /// Diagonal of the generalized damping over 2 omega; 0 for a rigid-body mode [-].
  Vector dampingRatio() const;

  /// True when the generalized damping couples no two modes (to rounding).
  bool dampingIsDiagonal() const;
};

}  // namespace ricochet
