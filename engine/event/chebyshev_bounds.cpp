// What a step may reach, and what its points do not see.

#include "engine/event/chebyshev_expansion.hpp"

namespace ricochet {

const Vector& ChebyshevExpansion::energy() noexcept {
  if (!energyKnown_)
    energy_ = (v_.array().square() + linear_->omegaSquared.array() * q_.array().square()).sqrt();
  energyKnown_ = true;
  return energy_;
}

double ChebyshevExpansion::freeRemainder(int row) noexcept {
  const Eigen::Map<const Vector> shape(rows_[static_cast<std::size_t>(row)], q_.size());
  return (shape.array().abs() * level_->tables().freeRemainder().array() * energy().array()).sum();
}

}  // namespace ricochet
