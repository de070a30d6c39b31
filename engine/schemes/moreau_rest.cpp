// Contacts that may rest although their reactions of least norm slip.

#include "engine/contact/impulse/resting_reactions.hpp"
#include "engine/schemes/moreau.hpp"
#include "physical/dense_solvers.hpp"

#include <cmath>
#include <vector>

namespace ricochet {
namespace {

/// Axes of blocks that all stay where they are: closed, and sticking where they have friction.
class RestingAxes {
 public:
  explicit RestingAxes(ImpulseProblem& problem) : problem_(problem) {}

  /// Adds the axes of a block; false if its laws or its compliance do not let it rest.
  bool addBlock(std::size_t b) {
    const ImpulseBlock& block = problem_.blocks()[b];
    if (block.normal != NormalRule::unilateral) return false;
    if (block.tangent != TangentRule::none && block.tangent != TangentRule::disc) return false;
    RestingContact contact{.normal = addAxis(b, 0, block.target)};
    if (contact.normal < 0) return false;
    if (block.tangent == TangentRule::disc) {
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

  /// Finds impulses in all friction cones that leave every axis at rest; false if there are none.
  bool find() {
    constexpr double kDependent = 1e-11;  // as the null space of findRestingReactions
    constexpr double kAtRest = 1e-9;      // largest rate left, relative to the rates without impulses
    const auto count = std::ssize(axes_);
    Matrix compliance(count, count);
    Vector moved(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Axis& row = axes_[static_cast<std::size_t>(i)];
      moved[i] = row.target - problem_.blocks()[row.block].rate[row.axis];
      for (Eigen::Index j = 0; j < count; ++j) {
        const Axis& column = axes_[static_cast<std::size_t>(j)];
        compliance(i, j) = problem_.compliance(row.block, row.axis, column.block, column.axis);
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
    if (!shift) return false;
    impulses_ += shift->start;
    return true;
  }

  /// Sets the impulses that were found.
  void apply() const {
    for (std::size_t i = 0; i < axes_.size(); ++i)
      problem_.setImpulse(axes_[i].block, axes_[i].axis, impulses_[static_cast<Eigen::Index>(i)]);
    for (ImpulseBlock& block : problem_.blocks()) block.slides = false;
    problem_.recomputeRates();
  }

 private:
  struct Axis {
    std::size_t block, axis;
    double target;  // rate of the axis at rest [m/s]
  };

  int addAxis(std::size_t b, std::size_t axis, double target) {
    if (!(problem_.compliance(b, axis, b, axis) > 0.0)) return -1;
    axes_.push_back({b, axis, target});
    return static_cast<int>(axes_.size()) - 1;
  }

  ImpulseProblem& problem_;
  std::vector<Axis> axes_;
  std::vector<RestingContact> contacts_;
  Vector impulses_;
};

}  // namespace

/// True if friction that sticks at the start of the step slips under the impulses that were found.
bool Moreau::movesSticks() const noexcept {
  for (const ImpulseBlock& block : reactions_.blocks()) {
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    if (block.tangent == TangentRule::disc && !passage.slips && block.slides &&
        tangentialLength(block.slipRate()) > passage.unmovedSlipRate())
      return true;
  }
  return false;
}

/// Replaces impulses that are not unique, and by which sticks move, by others that hold all contacts at rest.
/// Rest and motion then both satisfy the laws; a body that rests stays at rest as long as it may. Returns
/// false, with the impulses unchanged, if a contact slips already or no impulses hold all of them.
bool Moreau::holdAtRest() noexcept {
  RestingAxes axes(reactions_);
  for (std::size_t b = 0; b < reactions_.size(); ++b) {
    const ImpulseBlock& block = reactions_.blocks()[b];
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    if ((block.tangent == TangentRule::disc && passage.slips) || !axes.addBlock(b)) return false;
  }
  if (!axes.find()) return false;
  axes.apply();
  return true;
}

}  // namespace ricochet
