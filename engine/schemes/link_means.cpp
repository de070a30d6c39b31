#include "engine/schemes/link_means.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ricochet {
namespace {

constexpr double kForceRounding = 1e-13;  // rounding error, relative to the largest force
// accepted relative error if rounding of the motion allows no better force
constexpr double kNearlyFound = 1e-10;

}  // namespace

LinkMeans::LinkMeans(const LinkSet& set) {
  for (int i = 0; i < set.size(); ++i)
    for (std::size_t a = 0; a < kLinkAxes; ++a)
      if (const double* row = set.row(i, a))
        axes_.push_back({i, a, row, static_cast<int>(axes_.size()), 1.0});
  count_ = static_cast<int>(axes_.size());
  for (Axis& axis : axes_)
    for (const Axis& other : axes_) {
      if (&other == &axis) break;
      const std::optional<double> share = proportionalityFactorOfRows(axis.row, other.row, set.rowSize());
      if (!share || other.leader != static_cast<int>(&other - axes_.data())) continue;
      axis.leader = other.leader;
      axis.share = *share;
      break;
    }
  for (Vector* each :
       {&before_, &guess_, &change_, &wrong_, &wrongBefore_, &lowForces_, &highForces_, &image_, &shadow_})
    *each = Vector::Zero(count_);
  inverse_ = Matrix::Zero(count_, count_);
  restart();
}

/// Starts again from forces that do not depend on the motion: the derivative of `wrong_` with respect to f_1
/// is then -1.
void LinkMeans::restart() noexcept {
  inverse_.setZero();
  inverse_.diagonal().setConstant(-1.0);
}

void LinkMeans::begin(const LinkRun& run, double h) noexcept {
  if (h != step_) restart();
  step_ = h;
  iterations_ = 0;
  bisection_ = {};
  for (int i = 0; i < count_; ++i) {
    const Axis& at = axes_[static_cast<std::size_t>(i)];
    before_[i] = run.state(at.link).force[at.index];
  }
  guess_ = before_;
}

void LinkMeans::addMeanLinkForcesTo(Vector& force) const noexcept {
  for (int i = 0; i < count_; ++i)
    kernels::addScaled(-0.5 * (before_[i] + guess_[i]), axes_[static_cast<std::size_t>(i)].row, force.data(),
                       force.size());
}

/// Broyden's update of the inverse: inverse += (change - inverse y) change^T inverse / (change^T inverse y),
/// y: change of `wrong_`.
void LinkMeans::updateInverseJacobian() noexcept {
  constexpr double kLeast = 1e-3;  // least ratio of the denominator to |change|^2
  wrongBefore_ = wrong_ - wrongBefore_;
  image_.noalias() = inverse_ * wrongBefore_;
  shadow_.noalias() = inverse_.transpose() * change_;
  const double denominator = change_.dot(image_);
  if (!(std::abs(denominator) > kLeast * change_.squaredNorm())) return;
  image_ = (change_ - image_) / denominator;
  inverse_.noalias() += image_ * shadow_.transpose();
}

double LinkMeans::sumForcesAlongGroupRow(int leader, const Vector& forces) const noexcept {
  double sum = 0.0;
  forEachLinkAxisInGroup(leader, [&](int i, double share) { sum += share * forces[i]; });
  return sum;
}

/// Sets the force of each link of a group of parallel rows between its law's forces at both ends of the
/// bisection; the sum of the group is unchanged.
void LinkMeans::distributeForceInLinkGroup(int leader) noexcept {
  const double sum = sumForcesAlongGroupRow(leader, guess_), low = sumForcesAlongGroupRow(leader, lowForces_),
               high = sumForcesAlongGroupRow(leader, highForces_);
  const double part = high == low ? 0.0 : std::clamp((sum - low) / (high - low), 0.0, 1.0);
  forEachLinkAxisInGroup(leader,
                         [&](int i, double) { guess_[i] = std::lerp(lowForces_[i], highForces_[i], part); });
  guess_[leader] += sum - sumForcesAlongGroupRow(leader, guess_);
}

void LinkMeans::beginBisectionOfNextLinkAxis() noexcept {
  do ++bisection_.axis;
  while (axes_[static_cast<std::size_t>(bisection_.axis)].leader != bisection_.axis);
  bisection_.start = sumForcesAlongGroupRow(bisection_.axis, guess_);
  bisection_.reach =
      std::max(std::abs(sumForcesAlongGroupRow(bisection_.axis, wrong_)), kNearlyFound * largest_);
  bisection_.isAbove = bisection_.isBelow = false;
}

void LinkMeans::beginBisectionOfLinkForces() noexcept {
  guess_ = before_;
  bisection_ = {};
  beginBisectionOfNextLinkAxis();
}

LinkMeans::Verdict LinkMeans::bisectLinkForces(LinkRun& run) noexcept {
  constexpr int kMostSweeps = 30;
  constexpr double kFarthest = 1e12;  // largest change of a force, relative to the largest force
  Bisection& of = bisection_;
  double& guess = guess_[of.axis];
  const double wrong = sumForcesAlongGroupRow(of.axis, wrong_);
  const double least = kForceRounding * std::max(largest_, std::abs(guess));
  if (!std::isfinite(wrong)) return Verdict::none;
  if (wrong >= 0.0) {
    of.low = guess;
    lowForces_ = guess_ + wrong_;
  }
  if (wrong <= 0.0) {
    of.high = guess;
    highForces_ = guess_ + wrong_;
  }
  of.isAbove = of.isAbove || wrong >= 0.0;
  of.isBelow = of.isBelow || wrong <= 0.0;
  if (wrong == 0.0) of.low = of.high = guess;
  if (!of.isAbove || !of.isBelow) {
    if (of.reach > kFarthest * std::max(largest_, std::abs(wrong))) return Verdict::none;
    of.reach = std::max(of.reach, std::abs(wrong));
    guess += std::copysign(of.reach, wrong);
    of.reach *= 2.0;
    return Verdict::again;
  }
  if (of.high - of.low > least) {
    guess = 0.5 * (of.low + of.high);
    return Verdict::again;
  }
  const double found = sumForcesAlongGroupRow(of.axis, guess_);
  of.changed = of.changed || std::abs(found - of.start) > kNearlyFound * std::max(largest_, std::abs(found));
  largest_ = std::max(largest_, std::abs(guess));
  distributeForceInLinkGroup(of.axis);
  const bool isLast = std::ranges::none_of(axes_, [&](const Axis& each) { return each.leader > of.axis; });
  if (isLast) {
    const bool isOnly = std::ranges::all_of(axes_, [](const Axis& each) { return each.leader == 0; });
    if (!of.changed || isOnly) {
      for (int i = 0; i < count_; ++i)
        run.setTrialForce(axes_[static_cast<std::size_t>(i)].link, axes_[static_cast<std::size_t>(i)].index,
                          guess_[i]);
      restart();
      return Verdict::found;
    }
    if (++of.sweeps == kMostSweeps) return Verdict::none;
    of.axis = -1;
    of.changed = false;
  }
  beginBisectionOfNextLinkAxis();
  return Verdict::again;
}

LinkMeans::Verdict LinkMeans::correctGuessOfLinkForces(LinkRun& run) noexcept {
  constexpr int kMost = 60;
  constexpr int kRestarts = 20;
  wrongBefore_.swap(wrong_);
  double largest = largest_;
  for (int i = 0; i < count_; ++i) {
    const Axis& at = axes_[static_cast<std::size_t>(i)];
    const double force = run.trialState(at.link).force[at.index];
    wrong_[i] = force - guess_[i];
    largest = std::max(largest, std::abs(force));
  }
  if (bisection_.axis >= 0) return bisectLinkForces(run);
  const double wrong = wrong_.lpNorm<Eigen::Infinity>();
  const bool stays = iterations_ > 3 && wrong >= 0.5 * wrongBefore_.lpNorm<Eigen::Infinity>();
  if (wrong <= kForceRounding * largest || (stays && wrong <= kNearlyFound * largest)) {
    largest_ = largest;
    return Verdict::found;
  }
  if (iterations_ == kMost || !std::isfinite(wrong)) {
    restart();
    beginBisectionOfLinkForces();
    return Verdict::again;
  }
  if (iterations_ % kRestarts == kRestarts - 1)
    restart();
  else if (iterations_ > 0)
    updateInverseJacobian();
  change_.noalias() = -(inverse_ * wrong_);
  guess_ += change_;
  ++iterations_;
  return Verdict::again;
}

}  // namespace ricochet
