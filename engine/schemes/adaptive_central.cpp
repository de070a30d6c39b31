#include "engine/schemes/adaptive_central.hpp"

#include "engine/schemes/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ricochet {
namespace {

constexpr double kPointsPerPeriod = 50.0;
constexpr double kShareOfLimit = 0.9;

}  // namespace

double AdaptiveCentral::defaultLargestStep(const ModalModel& model) {
  constexpr double kStepsPerPeriod = 20.0;
  const double omega = std::sqrt(std::max(0.0, model.linear.omegaSquared.maxCoeff()));
  const double period =
      omega > 0.0 ? 2.0 * std::numbers::pi / omega : std::numeric_limits<double>::infinity();
  return std::min(period / kStepsPerPeriod,
                  kShareOfLimit * largestSafeStep(model, CentralDifference::keyword));
}

StepVerdict AdaptiveCentral::decideWhetherToAcceptStep(const State& s, double h,
                                                       const ReachedStiffness::Sum& beyond) noexcept {
  constexpr double kLeastVelocity = 0.01;
  constexpr double kCut = 0.75, kGrowth = 1.1, kCalm = 0.75;
  constexpr int kCalmSteps = 5;
  const double least = kLeastVelocity * s.v.norm() * h;
  double largest = 0.0;  // largest (2 pi f_app)^2, f_app: apparent frequency
  for (Eigen::Index i = 0; i < s.q.size(); ++i) {
    const double da = s.a[i] - acceleration_[i];
    const double dq = s.q[i] - position_[i];
    if (da == 0.0 || da * dq > 0.0)
      continue;  // the acceleration acts along the motion, as under a growing load: no oscillation
    const double ratio = std::abs(da) / std::max(std::abs(dq), least);
    largest = std::max(largest, ratio);
  }
  if (!std::isfinite(s.q.sum() + s.v.sum())) return {false, kCut * h};
  const double resolution = kPointsPerPeriod * std::sqrt(largest) * h / (2.0 * std::numbers::pi);
  const double omega = std::sqrt(known_ + beyond.stiffness);
  const bool unstable =
      (beyond.stiffness > 0.0 && h * omega > 2.0 * kShareOfLimit) || h * beyond.damping > kShareOfLimit;
  const bool resolved = kPointsPerPeriod * omega * h <= 2.0 * std::numbers::pi;
  if (unstable || (resolution >= 1.0 && !resolved)) {
    calm_ = 0;
    return {false, kCut * h};
  }
  calm_ = resolution < kCalm ? calm_ + 1 : 0;
  if (calm_ < kCalmSteps) return {true, h};
  calm_ = 0;
  return {true, kGrowth * h};
}

}  // namespace ricochet
