#include "engine/schemes/link_means.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr double kForceRounding = 1e-13;  // of the largest force
constexpr double kNearlyFound = 1e-10;    // found, where rounding of the motion allows no more

}  // namespace

LinkMeans::LinkMeans(const LinkSet& set) {
  for (int i = 0; i < set.size(); ++i)
    for (std::size_t a = 0; a < kLinkAxes; ++a)
      if (const double* row = set.row(i, a)) axes_.push_back({i, a, row});
  count_ = static_cast<int>(axes_.size());
  for (Vector* each : {&before_, &guess_, &change_, &wrong_, &wrongBefore_, &image_, &shadow_})
    *each = Vector::Zero(count_);
  inverse_ = Matrix::Zero(count_, count_);
  restart();
}

/// The derivative of a force that the motion does not change.
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

void LinkMeans::addTo(Vector& force) const noexcept {
  for (int i = 0; i < count_; ++i)
    kernels::addScaled(-0.5 * (before_[i] + guess_[i]), axes_[static_cast<std::size_t>(i)].row, force.data(),
                       force.size());
}

/// inverse += (change - inverse y) change^T inverse / (change^T inverse y),  y the change of `wrong_`.
void LinkMeans::improveInverse() noexcept {
  constexpr double kLeast = 1e-3;  // of a denominator, against its factors
  wrongBefore_ = wrong_ - wrongBefore_;
  image_.noalias() = inverse_ * wrongBefore_;
  shadow_.noalias() = inverse_.transpose() * change_;
  const double denominator = change_.dot(image_);
  if (!(std::abs(denominator) > kLeast * change_.squaredNorm())) return;
  image_ = (change_ - image_) / denominator;
  inverse_.noalias() += image_ * shadow_.transpose();
}

void LinkMeans::bisectNextAxis() noexcept {
  ++bisection_.axis;
  bisection_.start = guess_[bisection_.axis];
  bisection_.reach = std::max(std::abs(wrong_[bisection_.axis]), kNearlyFound * largest_);
  bisection_.isAbove = bisection_.isBelow = false;
}

void LinkMeans::beginBisection() noexcept {
  guess_ = before_;
  bisection_ = {};
  bisectNextAxis();
}

LinkMeans::Verdict LinkMeans::bisect(LinkRun& run) noexcept {
  constexpr int kMostSweeps = 30;
  constexpr double kFarthest = 1e12;  // of the largest force
  Bisection& of = bisection_;
  double& guess = guess_[of.axis];
  const double wrong = wrong_[of.axis];
  const double least = kForceRounding * std::max(largest_, std::abs(guess));
  if (!std::isfinite(wrong)) return Verdict::none;
  if (wrong >= 0.0) of.low = guess;
  if (wrong <= 0.0) of.high = guess;
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
  of.changed = of.changed || std::abs(guess - of.start) > kNearlyFound * std::max(largest_, std::abs(guess));
  largest_ = std::max(largest_, std::abs(guess));
  if (of.axis + 1 == count_) {
    if (!of.changed || count_ == 1) {
      for (int i = 0; i < count_; ++i)
        run.setTriedForce(axes_[static_cast<std::size_t>(i)].link, axes_[static_cast<std::size_t>(i)].index,
                          guess_[i]);
      restart();
      return Verdict::found;
    }
    if (++of.sweeps == kMostSweeps) return Verdict::none;
    of.axis = -1;
    of.changed = false;
  }
  bisectNextAxis();
  return Verdict::again;
}

LinkMeans::Verdict LinkMeans::compare(LinkRun& run) noexcept {
  constexpr int kMost = 60;
  constexpr int kRestarts = 20;
  wrongBefore_.swap(wrong_);
  double largest = largest_;
  for (int i = 0; i < count_; ++i) {
    const Axis& at = axes_[static_cast<std::size_t>(i)];
    const double force = run.triedState(at.link).force[at.index];
    wrong_[i] = force - guess_[i];
    largest = std::max(largest, std::abs(force));
  }
  if (bisection_.axis >= 0) return bisect(run);
  const double wrong = wrong_.lpNorm<Eigen::Infinity>();
  const bool stays = iterations_ > 3 && wrong >= 0.5 * wrongBefore_.lpNorm<Eigen::Infinity>();
  if (wrong <= kForceRounding * largest || (stays && wrong <= kNearlyFound * largest)) {
    largest_ = largest;
    return Verdict::found;
  }
  if (iterations_ == kMost || !std::isfinite(wrong)) {
    restart();
    beginBisection();
    return Verdict::again;
  }
  if (iterations_ % kRestarts == kRestarts - 1)
    restart();
  else if (iterations_ > 0)
    improveInverse();
  change_.noalias() = -(inverse_ * wrong_);
  guess_ += change_;
  ++iterations_;
  return Verdict::again;
}

}  // namespace ricochet
