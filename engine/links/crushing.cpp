#include "engine/links/crushing.hpp"

#include <algorithm>

namespace ricochet {

/// Elastic energy of the spring at penetration p [J].
double Crushing::springEnergy(double p, double residual) const noexcept {
  const double elastic = std::max(0.0, p - residual);
  return 0.5 * stiffness * elastic * elastic;
}

/// Penetration between the largest so far and `top` at which the spring force reaches the limit; any further
/// penetration crushes the stop. k (p - S) - F(p) increases with p, so bisection finds the root to rounding.
double Crushing::penetrationAtCrushingStart(const std::array<double, kLinkMemory>& memory,
                                            double top) const noexcept {
  if (memory[kResidual] > 0.0) return memory[kLargest];
  double low = memory[kLargest];
  double high = top;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (stiffness * middle < limit.at(middle) ? low : high) = middle;
  }
  return high;
}

/// Sets whether the step crushes the stop by more than rounding, and the fraction of the step at which
/// crushing begins, by linear interpolation; -1 if crushing began before the step, or there is no crushing.
void Crushing::setCrushingEvent(const LinkState& from, std::array<double, kLinkMemory>& memory,
                                double& event) const noexcept {
  constexpr double kRounding = 1e-12;
  event = -1.0;
  memory[kCrushes] = 0.0;
  const double largest = memory[kLargest], rounding = kRounding * largest;
  if (!(memory[kResidual] - from.memory[kResidual] > rounding)) return;
  memory[kCrushes] = 1.0;
  const double before = from.motion.x[0] - gap;
  if (from.memory[kCrushes] != 0.0 && before > from.memory[kLargest] - rounding) return;
  const double begins = penetrationAtCrushingStart(from.memory, largest);
  event = largest > before ? std::clamp((begins - before) / (largest - before), 0.0, 1.0) : 0.0;
}

/// Integrates the work of the stop along the spring line up to the limit, along the limit curve, and back
/// along the spring line. The part of the work that is not stored is dissipated.
void Crushing::addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept {
  const double s0 = from.memory[kResidual];
  const double s1 = to.memory[kResidual];
  to.stored = springEnergy(to.motion.x[0] - gap, s1);
  to.dissipated = from.dissipated;
  if (s1 > s0) {
    const double top = to.memory[kLargest];
    const double begins = penetrationAtCrushingStart(from.memory, top);
    to.dissipated += springEnergy(begins, s0) + limit.integral(begins, top) - springEnergy(top, s1);
  }
  if (damping == 0.0) return;
  const auto viscous = [&](const LinkMotion<double>& at) {
    const LinkResponse<double> response = computeResponse(from, at);
    const double elastic = stiffness * std::max(0.0, at.x[0] - gap - response.memory[kResidual]);
    return (response.force[0] - elastic) * at.v[0];
  };
  to.dissipated += workOfPowerOverStep(viscous, from.motion, to.motion);
}

}  // namespace ricochet
