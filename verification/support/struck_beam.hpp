#pragma once

#include "engine/numerics/state.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace ricochet::test {

/// Displacement and velocity of modes whose energies decrease like those of a struck beam; equal for equal
/// seeds.
inline std::pair<Vector, Vector> modalStateOfStruckBeam(const Vector& omega, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vector q(omega.size()), v(omega.size());
  for (Eigen::Index j = 0; j < omega.size(); ++j) {
    const double size = 1.0 / std::pow(static_cast<double>(j + 1), 4);
    q[j] = size * uniform(random) / std::max(omega[j], 1.0);
    v[j] = size * uniform(random);
  }
  return {q, v};
}

}  // namespace ricochet::test
