// Laws of impacts of several rigid contacts.

#include "engine/event/automata/rigid_impact.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

bool RigidImpact::applyImpactLaw(Vector& v) {
  switch (law_) {
    case ImpactLaw::poisson:
      return compressAndRelease(v);
    case ImpactLaw::sequential:
      return strikeInTurn(v);
    case ImpactLaw::newton:
      break;
  }
  if (strikeTogether(v, true)) return true;
  const auto rebounds = [](const Striker& each) {
    return !each.contact->closed() && each.reboundFrom(-each.rate[0]) > 0.0;
  };
  leftRestitution_ = std::ranges::any_of(strikers_, rebounds) && strikeTogether(v, false);
  return leftRestitution_;
}

/// All contacts at once by Newton's law, with rebounds or without.
bool RigidImpact::strikeTogether(Vector& v, bool rebounds) {
  clearProblem(strikers_.size());
  for (std::size_t i = 0; i < strikers_.size(); ++i) {
    const Striker& each = strikers_[i];
    ImpulseBlock& block = addBlock(i);
    // a closed contact has no approach, only drift by rounding
    if (rebounds && !each.contact->closed()) block.target = each.reboundFrom(-each.rate[0]);
  }
  if (!solve(v.size())) return false;
  readImpulses();
  applyImpulses(v);
  return true;
}

/// Poisson's law: impulses C compress the contacts until no gap closes. Impulses E release them,
///
///     E_n - e C_n >= 0 , g'+ >= 0 , and one of the two is an equality
///     |E_t| <= mu_d E_n , and at that bound E_t opposes the slip
///
/// The impulses e C_n are known: they act first, and their friction, bounded by mu_d e C_n, is a block beside
/// that of the remaining impulse.
bool RigidImpact::compressAndRelease(Vector& v) {
  if (!strikeTogether(v, false)) return false;
  const std::size_t count = strikers_.size();
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    const Striker& each = strikers_[i];
    const double released = each.restitution * each.impulse[0];
    impulses_[i][0] = released * each.axes.size[0] * each.axes.size[0] > each.rest ? released : 0.0;
    any |= impulses_[i][0] > 0.0;
  }
  if (!any) return true;
  ImpulseProblem& problem = clearProblem(2 * count);
  for (std::size_t i = 0; i < count; ++i) addBlock(i);
  for (std::size_t i = 0; i < count; ++i) {
    if (!strikers_[i].rubs || !(impulses_[i][0] > 0.0)) continue;
    ImpulseBlock& block = addBlock(i);
    block.normal = NormalRule::given;
    block.pressed = impulses_[i][0];
  }
  fillCompliance(v.size());
  for (std::size_t i = 0; i < problem.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t j = 0; j < count; ++j)
        problem.blocks()[i].rate[axis] += problem.compliance(i, axis, j, 0) * impulses_[j][0];
  if (solve(v.size())) {
    readImpulses();
    applyImpulses(v);
    return true;
  }
  impulses_.assign(count, {});
  leftRestitution_ = true;
  return true;
}

/// One contact after another by Newton's law, the fastest approach first, until none approaches.
bool RigidImpact::strikeInTurn(Vector& v) {
  const std::size_t most = 10000 + 1000 * strikers_.size() * strikers_.size();
  for (std::size_t n = 0; n < most; ++n) {
    std::size_t fastest = strikers_.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < strikers_.size(); ++i) {
      const double approach = -strikers_[i].rate[0];
      if (approach <= std::max(largest, strikers_[i].rest)) continue;
      largest = approach;
      fastest = i;
    }
    if (fastest == strikers_.size()) return true;
    clearProblem(1);
    addBlock(fastest).target = strikers_[fastest].reboundFrom(largest);
    if (!solve(v.size())) return false;
    readImpulses();
    applyImpulses(v);
  }
  return false;
}

bool RigidImpact::resolveWithoutCollision(State& s) {
  constexpr double kApproach = 1e-6;  // of the fastest slip
  constexpr double kVanishing = 10.0 * kApproach;
  double fastest = 0.0;
  for (const Striker& each : strikers_) fastest = std::max(fastest, std::hypot(each.rate[1], each.rate[2]));
  velocity_ = s.v;
  impulses_.assign(strikers_.size(), {});
  isUnique_ = true;
  leftRestitution_ = false;
  // zero impulses satisfy the laws too: a slow approach excludes them, and Newton's method without it starts
  // from the impulses that it needs
  ImpulseProblem& problem = clearProblem(strikers_.size());
  for (std::size_t i = 0; i < strikers_.size(); ++i)
    if (addBlock(i).rate[0] <= strikers_[i].rest) problem.blocks()[i].rate[0] = -kApproach * fastest;
  if (!solve(s.v.size())) return false;
  for (std::size_t i = 0; i < strikers_.size(); ++i) {
    ImpulseBlock& block = problem.blocks()[i];
    if (strikers_[i].rate[0] <= strikers_[i].rest)
      block.rate[0] += strikers_[i].rate[0] + kApproach * fastest;
  }
  if (!workspace_->solver.refine(problem, 1.0)) return false;
  double largest = 0.0;  // change of a slip rate
  for (std::size_t i = 0; i < strikers_.size(); ++i)
    for (std::size_t axis = 1; axis < strikers_[i].axisCount(); ++axis)
      largest = std::max(largest, std::abs(problem.blocks()[i].rate[axis] - strikers_[i].rate[axis]));
  if (!(largest > kVanishing * fastest)) return false;
  readImpulses();
  applyImpulses(s.v);
  count(s.v);
  ++counts_.withoutCollision;
  return true;
}

}  // namespace ricochet
