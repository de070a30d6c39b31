#include "engine/links/buckling.hpp"

#include <algorithm>

namespace ricochet {
namespace {

double squared(double x) noexcept { return x * x; }

/// Fraction of the step at which a quantity that is linear over the step rises through zero.
double stepFractionOfSignChange(double before, double after) noexcept {
  return after > before ? std::clamp(before / (before - after), 0.0, 1.0) : 1.0;
}

}  // namespace

/// Force of the stop that is compared with the critical force; zero while the stop is open.
double Buckling::forceOfBucklingCriterion(double p, double rate) const noexcept {
  if (!(p > 0.0)) return stiffness * p - criticalForce;
  return stiffness * p + (dampingInCriterion ? damping * rate : 0.0) - criticalForce;
}

void Buckling::setBucklingEvent(const LinkState& from, double p, double rate,
                                std::array<double, kLinkMemory>& memory, double& event) const noexcept {
  if (memory[kBuckled] != 0.0) return;
  const double now = forceOfBucklingCriterion(p, rate);
  if (!(now >= 0.0)) return;
  memory[kBuckled] = 1.0;
  event = stepFractionOfSignChange(forceOfBucklingCriterion(from.motion.x[0] - gap, from.motion.v[0]), now);
}

/// Stores the jump of the force inside a step, if the drop has no width and the crush passes the drop.
void Buckling::setForceJump(const LinkState& from, double largest, double p, double& jump,
                            double& at) const noexcept {
  if (drop > 0.0 || !(largest > crushDepthAtDropStart()) || from.memory[kLargest] > crushDepthAtDropStart())
    return;
  const double before = from.motion.x[0] - gap;
  if (!(p > before)) return;
  jump = postBucklingForce - criticalForce;
  at = std::clamp((crushDepthAtDropStart() - before) / (p - before), 0.0, 1.0);
}

/// Work of the envelope force between two crushes [J].
double Buckling::envelopeWork(double from, double to) const noexcept {
  const auto until = [this](double p) {
    const double elastic = std::min(p, crushDepthAtBuckling());
    const double onPlateau = std::clamp(p - crushDepthAtBuckling(), 0.0, plateau);
    const double inDrop = std::clamp(p - crushDepthAtDropStart(), 0.0, drop);
    const double afterDrop = std::max(0.0, p - crushDepthAtDropEnd());
    const double slope = drop > 0.0 ? (postBucklingForce - criticalForce) / drop : 0.0;
    return 0.5 * stiffness * elastic * elastic + criticalForce * (onPlateau + inDrop) +
           0.5 * slope * inDrop * inDrop + postBucklingForce * afterDrop;
  };
  return until(to) - until(from);
}

/// Integrates the work of the stop from one crush to another: along the unloading line up to the largest
/// crush so far, then along the envelope, and back along the new unloading line. The part of the work that is
/// not stored is dissipated.
void Buckling::addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept {
  const double p0 = from.motion.x[0] - gap;
  const double p1 = to.motion.x[0] - gap;
  const double reach = std::max(from.memory[kLargest], crushDepthAtBuckling());
  const Branch<double> before = unloadingBranchAfterCrush(from.memory[kLargest]);
  const Branch<double> after = unloadingBranchAfterCrush(to.memory[kLargest]);
  const auto springEnergy = [](const Branch<double>& branch, double p) {
    return 0.5 * branch.stiffness * squared(std::max(0.0, p - branch.residual));
  };
  const double top = to.memory[kLargest];
  double work = springEnergy(before, top > reach ? reach : p1) - springEnergy(before, p0);
  if (top > reach) work += envelopeWork(reach, top) + springEnergy(after, p1) - springEnergy(after, top);
  to.stored = springEnergy(after, p1);
  to.dissipated = from.dissipated + work - (to.stored - springEnergy(before, p0));
  if (before.damping == 0.0 && after.damping == 0.0) return;
  const auto viscous = [&](const LinkMotion<double>& at) {
    const double p = at.x[0] - gap;
    const Branch<double> branch = unloadingBranchAfterCrush(std::max(from.memory[kLargest], p));
    const double elastic = branch.stiffness * std::max(0.0, p - branch.residual);
    return (computeResponse(from, at).force[0] - elastic) * at.v[0];
  };
  to.dissipated += workOfPowerOverStep(viscous, from.motion, to.motion);
}

LinkBounds Buckling::slopeBounds(const LinkMotion<double>& /*at*/) const noexcept {
  LinkBounds bounds{stiffness, damping};
  for (const CrushPoint& point : crush) {
    bounds.stiffness = std::max(bounds.stiffness, postBucklingForce / (point.total - point.residual));
    bounds.damping = std::max(bounds.damping, point.damping);
  }
  return bounds;
}

}  // namespace ricochet
