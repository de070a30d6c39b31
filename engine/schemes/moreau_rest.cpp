// Sticks that may stay at rest although their reactions of least norm slip.

#include "engine/contact/impulse/coupled_groups.hpp"
#include "engine/contact/impulse/resting_reactions.hpp"
#include "engine/schemes/moreau.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {
namespace {

/// Axes of blocks that stay closed: some stick or have no friction, others slip as they did before.
class RestingAxes {
 public:
  explicit RestingAxes(ImpulseProblem& problem) : problem_(problem) {}

  /// Adds the axes of a block; false if its laws or its compliance do not let it rest. `slips`: the block
  /// keeps the direction of its slip, and its friction follows its normal impulse.
  bool addAxesOfBlock(std::size_t b, bool slips) {
    const ImpulseBlock& block = problem_.blocks()[b];
    if (block.normal != NormalRule::unilateral) return false;
    if (block.tangent != TangentRule::none && block.tangent != TangentRule::disc) return false;
    RestingContact contact{.normal = addReactionAxis(b, 0, block.target)};
    if (contact.normal < 0) return false;
    if (slips) {
      if (!block.slides || !isFrictionAtLimit(block)) return false;
      axes_.back().friction = scaled(1.0 / block.impulse[0], block.frictionImpulse());
    } else if (block.tangent == TangentRule::disc) {
      contact.coefficient = block.coefficient;
      const std::array<double, 2> surface{block.surface.first, block.surface.second};
      for (std::size_t a = 0; a < 2; ++a) {
        contact.tangent[a] = addReactionAxis(b, a + 1, surface[a]);
        // Nothing moves this axis: the node rests on it only if the surface does too.
        if (contact.tangent[a] < 0 && std::abs(block.rate[a + 1] - surface[a]) > block.rounding) return false;
      }
    }
    contacts_.push_back(contact);
    return true;
  }

  /// Finds impulses in all friction cones that leave every axis at rest; false if there are none. The impulse
  /// of a slip along its normal includes its friction.
  bool findImpulsesKeepingRest() {
    // The same rank threshold as for the null space of findRestingReactions.
    constexpr double kDependent = 1e-11;
    constexpr double kAtRest = 1e-9;  // largest rate left, relative to the rates without impulses
    const auto count = std::ssize(axes_);
    Matrix compliance(count, count);
    Vector moved(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Axis& row = axes_[static_cast<std::size_t>(i)];
      moved[i] = row.target - problem_.blocks()[row.block].rate[row.axis];
      for (Eigen::Index j = 0; j < count; ++j) {
        const Axis& column = axes_[static_cast<std::size_t>(j)];
        compliance(i, j) = problem_.compliance(row.block, row.axis, column.block, column.axis);
        if (column.axis == 0)
          compliance(i, j) +=
              problem_.compliance(row.block, row.axis, column.block, 1) * column.friction.first +
              problem_.compliance(row.block, row.axis, column.block, 2) * column.friction.second;
        moved[i] += compliance(i, j) * problem_.blocks()[column.block].impulse[column.axis];
      }
    }
    Eigen::CompleteOrthogonalDecomposition<Matrix> least;
    least.setThreshold(kDependent);
    least.compute(compliance);
    impulses_ = least.solve(moved);
    if ((compliance * impulses_ - moved).norm() > kAtRest * moved.norm()) return false;
    const Vector constant = Vector::Zero(count);
    const auto shift = findRestingReactions(compliance, impulses_, constant, contacts_, 1.0);
    if (!shift || shift->isSelfStress) return false;
    impulses_ += shift->start;
    return true;
  }

  /// Sets the impulses that were found; false, with the impulses as before, if a slip then turns.
  bool applyImpulsesKeepingRest() const {
    problem_.saveImpulses();
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const Axis& axis = axes_[i];
      const double impulse = impulses_[static_cast<Eigen::Index>(i)];
      problem_.setImpulse(axis.block, axis.axis, impulse);
      if (!axis.slips()) continue;
      problem_.setImpulse(axis.block, 1, impulse * axis.friction.first);
      problem_.setImpulse(axis.block, 2, impulse * axis.friction.second);
    }
    problem_.recomputeRates();
    if (std::ranges::any_of(axes_,
                            [this](const Axis& axis) { return axis.slips() && !isSlipDissipative(axis); })) {
      problem_.restoreImpulses();
      return false;
    }
    for (const Axis& axis : axes_)
      if (axis.axis == 0) problem_.blocks()[axis.block].slides = axis.slips();
    return true;
  }

 private:
  static constexpr double kSame = 1e-9;  // relative difference of equal friction and of equal directions

  struct Axis {
    std::size_t block, axis;
    double target;                  // rate of the axis at rest [m/s]
    Tangential<double> friction{};  // friction per normal impulse of a slip

    bool slips() const noexcept { return dot(friction, friction) > 0.0; }
  };

  static bool isFrictionAtLimit(const ImpulseBlock& block) noexcept {
    const double friction = length(block.frictionImpulse());
    return std::abs(friction - block.frictionLimit()) <= kSame * friction;
  }
  /// True if a slip still has its friction, opposite to the slip rate.
  bool isSlipDissipative(const Axis& axis) const noexcept {
    const ImpulseBlock& block = problem_.blocks()[axis.block];
    const Tangential<double> rate = block.slipRate();
    return isFrictionAtLimit(block) &&
           dot(rate, axis.friction) < -(1.0 - kSame) * length(rate) * length(axis.friction);
  }

  int addReactionAxis(std::size_t b, std::size_t axis, double target) {
    if (!(problem_.compliance(b, axis, b, axis) > 0.0)) return -1;
    axes_.push_back({.block = b, .axis = axis, .target = target});
    return static_cast<int>(axes_.size()) - 1;
  }

  ImpulseProblem& problem_;
  std::vector<Axis> axes_;
  std::vector<RestingContact> contacts_;
  Vector impulses_;
};

}  // namespace

/// True if friction that sticks at the start of the step slips under the impulse that was found.
bool Moreau::doesImpulseMoveStickingContact(const ImpulseBlock& block) const noexcept {
  const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
  return block.tangent == TangentRule::disc && !passage.slips && block.slides &&
         lengthOfTangentialVector(block.slipRate()) > unmovedSlipRate_;
}

/// True if friction that sticks at the start of the step slips or opens under the reaction that was found.
bool Moreau::doesReactionEndStick(const ImpulseBlock& block) const noexcept {
  const auto contact = static_cast<std::size_t>(block.contact);
  return doesImpulseMoveStickingContact(block) ||
         (block.tangent == TangentRule::disc && passages_[contact].rests && block.isOpen() &&
          !isAtRest(contact, block.rate[0]));
}

bool Moreau::doReactionsEndAnyStick() const noexcept {
  return std::ranges::any_of(reactions_.blocks(),
                             [this](const ImpulseBlock& block) { return doesReactionEndStick(block); });
}

/// Replaces impulses by which sticks move by others that hold all sticks of a group of blocks at rest, while
/// slips go on. Returns false, with the impulses unchanged, if no impulses hold all sticks.
bool Moreau::keepContactGroupAtRest(ImpulseProblem& problem, std::span<const std::size_t> group) noexcept {
  RestingAxes axes(problem);
  for (const std::size_t b : group) {
    const ImpulseBlock& block = problem.blocks()[b];
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    const bool slips = block.tangent == TangentRule::disc && passage.slips;
    if (slips && frictionSpeedTableOrNull(block.laws->friction) != nullptr) return false;
    if (!axes.addAxesOfBlock(b, slips)) return false;
  }
  return axes.findImpulsesKeepingRest() && axes.applyImpulsesKeepingRest();
}

/// Keeps groups of blocks at rest in which a stick ends (`doesEnd`), where their impulses of rest are not
/// unique; those of the motion may be. Bodies that do not act on each other rest or move by themselves.
/// Returns false if no group was changed.
template <class DoesEnd>
bool Moreau::keepSticksAtRest(ImpulseProblem& problem, const DoesEnd& doesEnd) noexcept {
  bool isAnyKept = false;
  const auto acts = [&](std::size_t a, std::size_t b) { return problem.doBlocksAffectEachOther(a, b); };
  for (const std::vector<std::size_t>& group : groupsOfCoupledIndices(problem.size(), acts)) {
    const auto blockOf = [&](std::size_t b) -> const ImpulseBlock& { return problem.blocks()[b]; };
    if (std::ranges::any_of(group, doesEnd, blockOf)) isAnyKept |= keepContactGroupAtRest(problem, group);
  }
  return isAnyKept;
}

/// Replaces impulses by which sticks move by others that hold them, where these are not unique.
void Moreau::keepSticksAtRestUnderImpacts() noexcept {
  if (!isUnique_ || wasShared_)
    keepSticksAtRest(impacts_,
                     [this](const ImpulseBlock& block) { return doesImpulseMoveStickingContact(block); });
}

/// Replaces reactions by which sticks move or open by those that are unique and keep all closed contacts as
/// they are at the start of the step, if these satisfy all rules.
bool Moreau::keepContactStatesOfStepStart() noexcept {
  const std::span<const ImpulseBlock> blocks = reactions_.blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b)
    startStates_[b].state = passages_[static_cast<std::size_t>(blocks[b].contact)].rests
                                ? TrialState::stick
                                : TrialState::natural;
  return solver_.solveFromStates(reactions_, {startStates_.data(), blocks.size()}) &&
         !doReactionsEndAnyStick();
}

/// Keeps sticks that move or open under the reactions that were found at rest, if other reactions can. Rest
/// and motion may both satisfy the laws, where the reactions of rest are not unique, or where friction and
/// levers let a body open a contact by which it could be held. What rests stays at rest as long as it may.
/// Returns true if all sticks that would end are kept.
bool Moreau::keepContactsAtRestWherePossible() noexcept {
  if (!doReactionsEndAnyStick()) return false;
  if (isUnique_ && !wasShared_) return keepContactStatesOfStepStart();
  if (!keepSticksAtRest(reactions_,
                        [this](const ImpulseBlock& block) { return doesReactionEndStick(block); }))
    return false;
  sharedTime_ = reactions_.stepLength();
  return !doReactionsEndAnyStick();
}

}  // namespace ricochet
