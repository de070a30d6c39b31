#include "engine/contact/impulse/staged_impact.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace ricochet {

void StagedImpact::reserveBlockMemory(std::size_t blocks) {
  const int needed = static_cast<int>(blocks);
  if (workspace_ && workspace_->room >= needed) return;
  workspace_ = std::make_unique<Workspace>(workspace_ ? std::max(needed, 2 * workspace_->room) : needed);
}

void StagedImpact::reserve(std::size_t contacts) {
  strikers_.reserve(contacts);
  impulses_.reserve(contacts);
  blockStriker_.reserve(2 * contacts);
  reserveBlockMemory(2 * contacts);
}

ImpactingContact& StagedImpact::addImpactingContact(int contact, const Contact& laws, bool rubs,
                                                    const ImpactAxes& axes, const Vector& v) {
  ImpactingContact& striker = strikers_.emplace_back();
  striker.contact = contact;
  striker.axes = axes;
  striker.restitution = restitutionCoefficientOf(laws.normal);
  striker.rubs = rubs && stickConeOf(laws.friction);
  if (!striker.rubs) striker.axes.row[1] = striker.axes.row[2] = nullptr;
  for (std::size_t axis = 0; axis < striker.axisCount(); ++axis)
    striker.rate[axis] = striker.axes.rate(axis, v);
  if (striker.rubs)  // mu_d at the slip speed before the impact
    striker.friction = stickConeOf(laws.friction, std::hypot(striker.rate[1], striker.rate[2]))->muDynamic;
  return striker;
}

void StagedImpact::resetImpulses() {
  impulses_.assign(strikers_.size(), {});
  isUnique_ = true;
  leftRestitution_ = false;
}

ImpulseProblem& StagedImpact::beginImpulseProblemWithoutBlocks(std::size_t blocks) {
  reserveBlockMemory(blocks);
  workspace_->problem.clear();
  blockStriker_.clear();
  return workspace_->problem;
}

/// Adds a block for a striker with its present gap rate and slip rates.
ImpulseBlock& StagedImpact::addBlock(std::size_t striker) {
  const ImpactingContact& each = strikers_[striker];
  ImpulseBlock& block = workspace_->problem.addBlock();
  blockStriker_.push_back(striker);
  block.contact = each.contact;
  block.rounding = each.rest;
  block.rate = each.rate;
  if (!each.rubs) return block;
  block.tangent = TangentRule::disc;
  block.coefficient = each.friction;
  return block;
}

/// Fills W between the blocks of the problem.
void StagedImpact::fillCompliance(Eigen::Index modes) noexcept {
  ImpulseProblem& problem = workspace_->problem;
  for (std::size_t i = 0; i < problem.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < (i == j ? a + 1 : 3U); ++b)
          problem.compliance(i, a, j, b) = problem.compliance(j, b, i, a) =
              strikers_[blockStriker_[i]].axes.compliance(a, strikers_[blockStriker_[j]].axes, b, modes);
}

bool StagedImpact::solve(Eigen::Index modes) noexcept {
  fillCompliance(modes);
  const ImpulseResult result = law_ == ImpactLaw::newton
                                   ? workspace_->solver.solveImpact(workspace_->problem, 1.0)
                                   : workspace_->solver.solve(workspace_->problem, 1.0);
  isUnique_ = isUnique_ && result.isUnique;
  if (result.isSolved()) workspace_->solver.refineByNewtonSteps(workspace_->problem, result);
  return result.isSolved();
}

/// Adds the impulses of the blocks to the impulses of this stage, and marks the rates that they make zero.
void StagedImpact::copyImpulsesFromSolvedBlocks() noexcept {
  for (ImpactingContact& each : strikers_) each.touches = false;
  const std::span<const ImpulseBlock> blocks = workspace_->problem.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const ImpulseBlock& block = blocks[i];
    ImpactingContact& each = strikers_[blockStriker_[i]];
    for (std::size_t axis = 0; axis < 3; ++axis) impulses_[blockStriker_[i]][axis] += block.impulse[axis];
    each.touches |= block.normal == NormalRule::unilateral && block.target == 0.0 && !block.isOpen();
  }
}

/// Ends a stage: changes the velocity by the impulses. The work of each impulse is the impulse times the mean
/// of its rates before and after.
void StagedImpact::applyImpulsesToVelocity(Vector& v) noexcept {
  for (std::size_t i = 0; i < strikers_.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (impulses_[i][axis] != 0.0) strikers_[i].axes.addImpulse(axis, impulses_[i][axis], v);
  for (std::size_t i = 0; i < strikers_.size(); ++i) {
    ImpactingContact& each = strikers_[i];
    for (std::size_t axis = 0; axis < each.axisCount(); ++axis) {
      const double impulse = std::exchange(impulses_[i][axis], 0.0);
      const double rate = each.axes.rate(axis, v);
      each.lost[axis] -= 0.5 * impulse * (each.rate[axis] + rate);
      each.impulse[axis] += impulse;
      each.rate[axis] = rate;
    }
  }
}

bool StagedImpact::applyImpactLaw(Vector& v) {
  resetImpulses();
  switch (law_) {
    case ImpactLaw::poisson:
      return solveCompressionAndRelease(v);
    case ImpactLaw::sequential:
      return solveImpactsSequentially(v);
    case ImpactLaw::newton:
      break;
  }
  if (solveImpactsSimultaneously(v, true)) return true;
  const auto rebounds = [](const ImpactingContact& each) {
    return !each.wasClosed && each.reboundRateByNewtonLaw(-each.rate[0]) > 0.0;
  };
  leftRestitution_ = std::ranges::any_of(strikers_, rebounds) && solveImpactsSimultaneously(v, false);
  return leftRestitution_;
}

/// Solves all contacts at once by Newton's law; without `rebounds`, restitution is zero.
bool StagedImpact::solveImpactsSimultaneously(Vector& v, bool rebounds) {
  beginImpulseProblemWithoutBlocks(strikers_.size());
  for (std::size_t i = 0; i < strikers_.size(); ++i) {
    const ImpactingContact& each = strikers_[i];
    ImpulseBlock& block = addBlock(i);
    // A contact that was closed before the impact has no approach, only drift by rounding.
    if (rebounds && !each.wasClosed) block.target = each.reboundRateByNewtonLaw(-each.rate[0]);
  }
  if (!solve(v.size())) return false;
  copyImpulsesFromSolvedBlocks();
  applyImpulsesToVelocity(v);
  return true;
}

/// Poisson's law: impulses C compress the contacts until no gap closes. Impulses E release them,
///
///     E_n - e C_n >= 0 , g'+ >= 0 , and one of the two is an equality
///     |E_t| <= mu_d E_n , and at that bound E_t opposes the slip
///
/// The impulses e C_n are known and act first. Their friction, bounded by mu_d e C_n, is a block of its own;
/// another block is the rest of the impulse.
bool StagedImpact::solveCompressionAndRelease(Vector& v) {
  if (!solveImpactsSimultaneously(v, false)) return false;
  const std::size_t count = strikers_.size();
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    const ImpactingContact& each = strikers_[i];
    const double released = each.restitution * each.impulse[0];
    impulses_[i][0] = released * each.axes.size[0] * each.axes.size[0] > each.rest ? released : 0.0;
    any |= impulses_[i][0] > 0.0;
  }
  if (!any) return true;
  ImpulseProblem& problem = beginImpulseProblemWithoutBlocks(2 * count);
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
    copyImpulsesFromSolvedBlocks();
    applyImpulsesToVelocity(v);
    return true;
  }
  impulses_.assign(count, {});
  leftRestitution_ = true;
  return true;
}

/// Solves one contact after another by Newton's law, always the contact with the fastest approach, until no
/// contact approaches.
bool StagedImpact::solveImpactsSequentially(Vector& v) {
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
    beginImpulseProblemWithoutBlocks(1);
    addBlock(fastest).target = strikers_[fastest].reboundRateByNewtonLaw(largest);
    if (!solve(v.size())) return false;
    copyImpulsesFromSolvedBlocks();
    applyImpulsesToVelocity(v);
  }
  return false;
}

}  // namespace ricochet
