// Sticks that may stay at rest although their reactions of least norm slip.

#include "engine/contact/impulse/resting_reactions.hpp"
#include "engine/schemes/moreau.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ricochet {
namespace {

/// Axes of blocks that stay closed: some stick or have no friction, others slip as they did before.
class RestingAxes {
 public:
  explicit RestingAxes(ImpulseProblem& problem) : problem_(problem) {}

  /// Adds the axes of a block; false if its laws or its compliance do not let it rest. `slips`: the block
  /// keeps the direction of its slip, and its friction follows its normal impulse.
  bool addBlock(std::size_t b, bool slips) {
    const ImpulseBlock& block = problem_.blocks()[b];
    if (block.normal != NormalRule::unilateral) return false;
    if (block.tangent != TangentRule::none && block.tangent != TangentRule::disc) return false;
    RestingContact contact{.normal = addAxis(b, 0, block.target)};
    if (contact.normal < 0) return false;
    if (slips) {
      if (!block.slides || !isFrictionAtLimit(block)) return false;
      axes_.back().friction = scaled(1.0 / block.impulse[0], block.frictionImpulse());
    } else if (block.tangent == TangentRule::disc) {
      contact.coefficient = block.coefficient;
      const std::array<double, 2> surface{block.surface.first, block.surface.second};
      for (std::size_t a = 0; a < 2; ++a) {
        contact.tangent[a] = addAxis(b, a + 1, surface[a]);
        // Nothing moves this axis: the node rests on it only if the surface does too.
        if (contact.tangent[a] < 0 && std::abs(block.rate[a + 1] - surface[a]) > block.rounding) return false;
      }
    }
    contacts_.push_back(contact);
    return true;
  }

  /// Finds impulses in all friction cones that leave every axis at rest; false if there are none. The impulse
  /// of a slip along its normal includes its friction.
  bool findImpulses() {
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
  bool applyFoundImpulses() const {
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
    for (ImpulseBlock& block : problem_.blocks()) block.slides = false;
    for (const Axis& axis : axes_)
      if (axis.slips()) problem_.blocks()[axis.block].slides = true;
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

  int addAxis(std::size_t b, std::size_t axis, double target) {
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

/// True if friction that sticks at the start of the step slips under the impulses that were found.
bool Moreau::doSticksMove(const ImpulseProblem& problem) const noexcept {
  for (const ImpulseBlock& block : problem.blocks()) {
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    if (block.tangent == TangentRule::disc && !passage.slips && block.slides &&
        tangentialLength(block.slipRate()) > unmovedSlipRate_)
      return true;
  }
  return false;
}

/// True if friction that sticks at the start of the step opens under the reactions that were found.
bool Moreau::doSticksOpen() const noexcept {
  return std::ranges::any_of(reactions_.blocks(), [this](const ImpulseBlock& block) {
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    return block.tangent == TangentRule::disc && passage.rests && block.isOpen() &&
           !isAtRest(static_cast<std::size_t>(block.contact), block.rate[0]);
  });
}

/// Replaces impulses by which sticks move by others that hold all sticks at rest, while slips go on, if the
/// impulses of rest are not unique; those of the motion may be. Returns false, with the impulses unchanged,
/// if no impulses hold all sticks.
bool Moreau::keepSticksAtRest(ImpulseProblem& problem) noexcept {
  RestingAxes axes(problem);
  for (std::size_t b = 0; b < problem.size(); ++b) {
    const ImpulseBlock& block = problem.blocks()[b];
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    const bool slips = block.tangent == TangentRule::disc && passage.slips;
    if (slips && speedTableOf(block.laws->friction) != nullptr) return false;
    if (!axes.addBlock(b, slips)) return false;
  }
  return axes.findImpulses() && axes.applyFoundImpulses();
}

/// Replaces reactions by which sticks move or open by those that are unique and keep all closed contacts as
/// they are at the start of the step, if these satisfy all rules.
bool Moreau::keepStatesOfStart() noexcept {
  const std::span<const ImpulseBlock> blocks = reactions_.blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b)
    startStates_[b].state = passages_[static_cast<std::size_t>(blocks[b].contact)].rests
                                ? TrialState::stick
                                : TrialState::natural;
  return solver_.solveFromStates(reactions_, {startStates_.data(), blocks.size()}) &&
         !doSticksMove(reactions_) && !doSticksOpen();
}

/// Keeps sticks that move or open under the reactions that were found at rest, if other reactions can. Rest
/// and motion may both satisfy the laws, where the reactions of rest are not unique, or where friction and
/// levers let a body open a contact by which it could be held. What rests stays at rest as long as it may.
bool Moreau::mayRest() noexcept {
  const bool mayBeShared = !isUnique_ || wasShared_;
  if (!doSticksMove(reactions_) && !doSticksOpen()) return false;
  if (!mayBeShared) return keepStatesOfStart();
  if (!keepSticksAtRest(reactions_)) return false;
  sharedTime_ = reactions_.stepLength();
  return true;
}

}  // namespace ricochet
