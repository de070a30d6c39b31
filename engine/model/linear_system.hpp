#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/numerics/state.hpp"

#include <optional>
#include <vector>

namespace ricochet {

/// Parts that spin about their axes at a speed W(t). The angular momentum W Ip of each turns with the
/// structure, and its rate is a force: with the antisymmetric G of the moments at unit speed
///
///     d/dt (W G q) = W G q' + W' G q
///
/// the gyroscopic moments and, while the speed changes, a circulatory one: the moment that drives a part
/// stays along the axis that it has at rest. C holds `included` G already.
struct SpinningPart {
  Matrix moments;        ///< G, modes x modes [1]
  TimeFunction speed;    ///< W [rad/s], without jumps
  double included{0.0};  ///< [rad/s]
};

/// The linear structure in generalized coordinates: q'' + C q' + Omega^2 q. Padded; padding is zero.
struct LinearSystem {
  Eigen::Index modes{0};
  Vector omegaSquared;                 ///< [rad^2/s^2]
  Vector dampingDiagonal;              ///< diagonal of C [1/s]
  std::optional<Matrix> damping;       ///< C (modes x modes) when it couples modes; else absent
  std::vector<SpinningPart> spinning;  ///< at a speed that varies; not without `damping`

  LinearSystem() = default;
  /// `eigenvalues` per mode, `generalizedDamping` modes x modes; kept as an array when it is diagonal.
  LinearSystem(const Vector& eigenvalues, const Matrix& generalizedDamping, bool diagonal);

  bool damped() const noexcept { return damping.has_value() || !dampingDiagonal.isZero(0.0); }
};

}  // namespace ricochet
