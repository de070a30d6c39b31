#pragma once

#include "engine/state.hpp"

#include <optional>

namespace ricochet {

/// The linear structure in generalized coordinates: q'' + C q' + Omega^2 q. Padded; padding is zero.
struct LinearSystem {
  Eigen::Index modes{0};
  Vector omegaSquared;            ///< [rad^2/s^2]
  Vector dampingDiagonal;         ///< diagonal of C [1/s]
  std::optional<Matrix> damping;  ///< C (modes x modes) when it couples modes; else absent

  LinearSystem() = default;
  /// `eigenvalues` per mode, `generalizedDamping` modes x modes; kept as an array when it is diagonal.
  LinearSystem(const Vector& eigenvalues, const Matrix& generalizedDamping, bool diagonal);

  bool damped() const noexcept { return damping.has_value() || !dampingDiagonal.isZero(0.0); }
};

}  // namespace ricochet
