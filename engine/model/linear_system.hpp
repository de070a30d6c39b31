#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/numerics/state.hpp"

#include <optional>
#include <vector>

namespace ricochet {

/// Parts that spin about their axes at a speed W(t). The angular momentum W Ip of each part turns with the
/// structure, and the rate of the angular momentum is a force: with the antisymmetric matrix G of the
/// gyroscopic moments at unit speed
///
///     d/dt (W G q) = W G q' + W' G q
///
/// These are the gyroscopic moments and, while the speed varies, a circulatory moment: the driving moment of
/// a part keeps the direction of the axis at rest. C already contains `included` times G.
struct SpinningPart {
  Matrix moments;        ///< gyroscopic matrix G [-], modes x modes
  TimeFunction speed;    ///< spin speed W [rad/s], continuous
  double included{0.0};  ///< speed whose gyroscopic moments C contains [rad/s]
};

/// The linear structure in generalized coordinates: q'' + C q' + Omega^2 q. All vectors are padded with
/// zeros.
struct LinearSystem {
  Eigen::Index modes{0};
  Vector omegaSquared;                 ///< squared angular frequencies [rad^2/s^2]
  Vector dampingDiagonal;              ///< diagonal of C [1/s]
  std::optional<Matrix> damping;       ///< C (modes x modes) if C couples modes; else absent
  std::vector<SpinningPart> spinning;  ///< parts whose speed varies; only together with `damping`

  LinearSystem() = default;
  /// `eigenvalues`: one per mode. `generalizedDamping`: modes x modes, stored as a vector if diagonal.
  LinearSystem(const Vector& eigenvalues, const Matrix& generalizedDamping, bool diagonal);

  bool isDamped() const noexcept { return damping.has_value() || !dampingDiagonal.isZero(0.0); }
};

}  // namespace ricochet
