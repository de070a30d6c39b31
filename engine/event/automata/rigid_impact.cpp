#include "engine/event/automata/rigid_impact.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

void RigidImpact::add(ContactAutomaton& contact, const State& s) {
  const ImpactAxes axes = contact.impactAxes(s);
  if (axes.row[0] == nullptr) return;  // nothing moves along the normal
  Striker& striker = strikers_.emplace_back();
  striker.contact = &contact;
  striker.axes = axes;
  if (const auto law = stickConeOf(contact.contact->friction); law && contact.hasTraction()) {
    striker.rubs = true;
    striker.friction = law->muDynamic;
  } else {
    striker.axes.row[1] = striker.axes.row[2] = nullptr;
  }
  for (std::size_t axis = 0; axis < (striker.rubs ? 3U : 1U); ++axis)
    striker.before[axis] = striker.axes.rate(axis, s.v);
  const double approach = -striker.before[0];
  contact.largestImpact = std::max(contact.largestImpact, approach);
  striker.rest = contact.restRate(s);
  // a closed contact has no approach, only drift by rounding
  const double restitution = contact.closed() ? 0.0 : restitutionOf(contact.contact->normal);
  striker.restitution = restitution * approach > striker.rest ? restitution : 0.0;
}

bool RigidImpact::endsBouncing() const noexcept {
  constexpr double kLeast = 0.01;  // restitution coefficient
  return std::ranges::all_of(strikers_, [&](const Striker& each) {
    const double restitution = restitutionOf(each.contact->contact->normal);
    return each.contact->closed() || -each.before[0] * std::max(restitution, kLeast) <= each.rest;
  });
}

void RigidImpact::reserve(std::size_t contacts) {
  const int needed = static_cast<int>(contacts);
  if (workspace_ && workspace_->room >= needed) return;
  workspace_ = std::make_unique<Workspace>(workspace_ ? std::max(needed, 2 * workspace_->room) : needed);
}

/// Adds the block of a striker with its rates under the velocity v.
ImpulseBlock& RigidImpact::addBlock(const Striker& striker, const Vector& v) {
  const ImpactAxes& axes = striker.axes;
  ImpulseBlock& block = workspace_->problem.add();
  block.contact = striker.contact->index;
  block.rounding = striker.rest;
  block.rate[0] = axes.rate(0, v);
  if (!striker.rubs) return block;
  block.tangent = TangentRule::disc;
  block.coefficient = striker.friction;
  block.surface = {-axes.imposed[1], -axes.imposed[2]};
  for (std::size_t axis = 1; axis < 3; ++axis) block.rate[axis] = axes.rate(axis, v) - axes.imposed[axis];
  return block;
}

/// W between the blocks of the strikers, in their order.
void RigidImpact::fillCompliance(Eigen::Index modes) noexcept {
  const auto product = [modes](const ImpactAxes& left, std::size_t a, const ImpactAxes& right,
                               std::size_t b) {
    if (left.row[a] == nullptr || right.row[b] == nullptr) return 0.0;
    if (left.row[a] == right.row[b]) return left.sign[a] * right.sign[b] * left.size[a] * left.size[a];
    return left.sign[a] * right.sign[b] * kernels::dot(left.row[a], right.row[b], modes);
  };
  ImpulseProblem& problem = workspace_->problem;
  for (std::size_t i = 0; i < strikers_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < (i == j ? a + 1 : 3U); ++b)
          problem.compliance(i, a, j, b) = problem.compliance(j, b, i, a) =
              product(strikers_[i].axes, a, strikers_[j].axes, b);
}

/// Newton's law from the velocity v, with restitution or without.
bool RigidImpact::solveNewton(const Vector& v, bool rebounds) {
  ImpulseProblem& problem = workspace_->problem;
  problem.clear();
  for (const Striker& each : strikers_)
    addBlock(each, v).target = rebounds ? -each.restitution * each.before[0] : 0.0;
  fillCompliance(v.size());
  if (!workspace_->solver.solve(problem, 1.0).solved()) return false;
  for (std::size_t i = 0; i < strikers_.size(); ++i) strikers_[i].impulse = problem.blocks()[i].impulse;
  return true;
}

bool RigidImpact::resolve(State& s) {
  reserve(strikers_.size());
  const auto restores = [](const Striker& each) { return each.restitution > 0.0; };
  if (!solveNewton(s.v, true) && !(std::ranges::any_of(strikers_, restores) && solveNewton(s.v, false)))
    return false;
  for (const Striker& each : strikers_)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (each.impulse[axis] != 0.0) each.axes.push(axis, each.impulse[axis], s.v);
  for (Striker& each : strikers_)
    for (std::size_t axis = 0; axis < (each.rubs ? 3U : 1U); ++axis)
      each.after[axis] = each.axes.rate(axis, s.v);
  return true;
}

void RigidImpact::book(ContactRun& run, EnergyLedger& ledger) const noexcept {
  for (const Striker& each : strikers_) {
    ContactTotals& totals = run.totalsOf(static_cast<std::size_t>(each.contact->index));
    totals.impulse += each.impulse[0];
    for (std::size_t axis = 0; axis < (each.rubs ? 3U : 1U); ++axis) {
      const double lost = -0.5 * each.impulse[axis] * (each.before[axis] + each.after[axis]);
      ledger.external -= each.impulse[axis] * each.axes.imposed[axis];
      if (axis == 0) {
        ledger.damping += lost;
        continue;
      }
      ledger.friction += lost;
      totals.frictionEnergy += lost;
    }
  }
}

}  // namespace ricochet
