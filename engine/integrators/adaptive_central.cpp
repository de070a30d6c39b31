#include "engine/integrators/adaptive_central.hpp"

#include "engine/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ricochet {

double AdaptiveCentral::ceilingOf(const ModalModel& model) {
  constexpr double kStepsPerPeriod = 20.0;
  constexpr double kShareOfLimit = 0.9;
  const double omega = std::sqrt(std::max(0.0, model.linear.omegaSquared.maxCoeff()));
  const double period =
      omega > 0.0 ? 2.0 * std::numbers::pi / omega : std::numeric_limits<double>::infinity();
  return std::min(period / kStepsPerPeriod,
                  kShareOfLimit * largestSafeStep(model, CentralDifference::keyword));
}

StepVerdict AdaptiveCentral::judge(const State& s, double h) noexcept {
  constexpr double kPointsPerPeriod = 50.0, kLeastVelocity = 0.01;
  constexpr double kCut = 0.75, kGrowth = 1.1, kCalm = 0.75;
  constexpr int kCalmSteps = 5;
  const double least = kLeastVelocity * s.v.norm() * h;
  double largest = 0.0;  // (2 pi f_app)^2
  bool finite = true;
  for (Eigen::Index i = 0; i < s.q.size(); ++i) {
    const double da = std::abs(s.a[i] - acceleration_[i]);
    if (da == 0.0) continue;
    const double ratio = da / std::max(std::abs(s.q[i] - position_[i]), least);
    finite = finite && std::isfinite(ratio);
    largest = std::max(largest, ratio);
  }
  const double resolution = kPointsPerPeriod * std::sqrt(largest) * h / (2.0 * std::numbers::pi);
  if (!finite || resolution >= 1.0) {
    calm_ = 0;
    return {false, kCut * h};
  }
  calm_ = resolution < kCalm ? calm_ + 1 : 0;
  if (calm_ < kCalmSteps) return {true, h};
  calm_ = 0;
  return {true, kGrowth * h};
}

}  // namespace ricochet
