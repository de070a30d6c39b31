#include "modal/modal_basis.hpp"

#include <cmath>

namespace ricochet {

Vector ModalBasis::dampingRatio() const {
  const Vector w = omega();
  Vector ratio = Vector::Zero(size());
  for (Eigen::Index i = 0; i < size(); ++i)
    if (w[i] > 0.0) ratio[i] = damping(i, i) / (2.0 * w[i]);
  return ratio;
}

bool ModalBasis::isDampingDiagonal() const {
  // Off-diagonal rounding errors of the projection of a proportional C, relative to its largest term.
  constexpr double kRounding = 1e-12;
  if (size() == 0) return true;
  const double limit = kRounding * damping.cwiseAbs().maxCoeff();
  for (Eigen::Index j = 0; j < size(); ++j)
    for (Eigen::Index i = 0; i < size(); ++i)
      if (i != j && std::abs(damping(i, j)) > limit) return false;
  return true;
}

}  // namespace ricochet
