#include "engine/links/hardening.hpp"

#include <algorithm>

namespace ricochet {

HardeningCurve::HardeningCurve(const std::vector<double>& displacement, const std::vector<double>& force,
                               bool kinematic)
    : stiffness_(force.front() / displacement.front()), kinematic_(kinematic) {
  plastic_.clear();
  yield_ = force;
  slope_.clear();
  for (std::size_t i = 0; i < force.size(); ++i)
    plastic_.push_back(i == 0 ? 0.0 : displacement[i] - force[i] / stiffness_);
  for (std::size_t i = 0; i + 1 < force.size(); ++i)
    slope_.push_back((force[i + 1] - force[i]) / (plastic_[i + 1] - plastic_[i]));
  slope_.push_back(slope_.empty() ? 0.0 : slope_.back());
}

std::size_t HardeningCurve::segmentIndex(double p) const noexcept {
  const auto above = std::upper_bound(plastic_.begin() + 1, plastic_.end(), p);
  return static_cast<std::size_t>(above - plastic_.begin()) - 1;
}

double HardeningCurve::plasticWork(double from, double to) const noexcept {
  if (kinematic_) return yield_.front() * (to - from);
  double sum = 0.0;
  for (std::size_t i = segmentIndex(from); from < to; ++i) {
    const double end = i + 1 < plastic_.size() ? std::min(to, plastic_[i + 1]) : to;
    sum += 0.5 * (end - from) * (yieldForce(from) + yield_[i] + slope_[i] * (end - plastic_[i]));
    from = end;
  }
  return sum;
}

}  // namespace ricochet
