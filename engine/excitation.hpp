#pragma once

#include "engine/kernels.hpp"
#include "engine/state.hpp"
#include "engine/time_function.hpp"

#include <vector>

namespace ricochet {

/// A generalized load: shape times a function of time, f(t) = shape s(t). Shape: Phi^t F, one value per mode.
struct Load {
  Vector shape;
  TimeFunction scale{TimeFunction::constant(1.0)};
};

/// Loads of a model, padded for the hot loop. Constant during a run.
class Excitation {
 public:
  Excitation() = default;
  Excitation(std::vector<Load> loads, Eigen::Index modes)
      : loads_(std::move(loads)),
        shapes_(Matrix::Zero(padded(modes), static_cast<Eigen::Index>(loads_.size()))) {
    for (std::size_t i = 0; i < loads_.size(); ++i)
      shapes_.col(static_cast<Eigen::Index>(i)).head(modes) = loads_[i].shape.head(modes);
  }

  const std::vector<Load>& loads() const noexcept { return loads_; }
  Eigen::Index count() const noexcept { return shapes_.cols(); }

  /// Padded shapes, one after the other.
  const double* shapes() const noexcept { return shapes_.data(); }

 private:
  std::vector<Load> loads_;
  Matrix shapes_;  // padded modes x loads
};

/// Loads of one run: where each function stands, and the work done so far.
class ExcitationRun {
 public:
  ExcitationRun(const Excitation& excitation, Eigen::Index paddedSize)
      : excitation_(&excitation),
        factors_(excitation.loads().size()),
        previous_(Vector::Zero(paddedSize)),
        current_(previous_),
        position_(previous_) {
    for (const Load& load : excitation.loads()) cursors_.emplace_back(load.scale);
  }

  /// Generalized loads at t (padded).
  const Vector& evaluate(double t) noexcept {
    if (!cursors_.empty()) combine(t, current_);
    return current_;
  }

  void start(double t, const Vector& q) noexcept {
    for (FunctionCursor& cursor : cursors_) {
      cursor.rewind();
      cursor.advance(t, 0.0);
    }
    combine(t, previous_);
    position_ = q;
  }

  /// Passes an instant at which loads may jump; `force` takes the difference.
  void advance(double t, double tolerance, Vector& force) noexcept {
    bool jumped = false;
    for (FunctionCursor& cursor : cursors_) jumped |= cursor.advance(t, tolerance);
    if (!jumped) return;
    force -= previous_;
    combine(t, previous_);
    force += previous_;
  }

  /// Work of the loads over the step that ends at q [J]: trapezoid on the positions.
  double acceptWork(const Vector& q) noexcept {
    if (cursors_.empty()) return 0.0;
    const double work =
        kernels::trapezoidWork(previous_.data(), current_.data(), position_.data(), q.data(), q.size());
    previous_.swap(current_);
    return work;
  }

  /// What the trapezoid of the step just accepted left out, for loads that are straight over it and a motion
  /// that is the cubic of its ends: h/12 (f1 - f0).(v1 - v0) [J].
  double curvatureWork(const Vector& v0, const Vector& v1, double h) const noexcept {
    if (cursors_.empty()) return 0.0;
    return h / 12.0 * (previous_ - current_).dot(v1 - v0);
  }

 private:
  void combine(double t, Vector& force) noexcept {
    for (std::size_t i = 0; i < cursors_.size(); ++i) factors_[i] = cursors_[i].at(t);
    kernels::combine(excitation_->shapes(), excitation_->count(), factors_.data(), force.data(),
                     force.size());
  }

  const Excitation* excitation_;
  std::vector<FunctionCursor> cursors_;
  std::vector<double> factors_;
  Vector previous_;  // generalized load at the last accepted instant, after a jump there
  Vector current_;   // generalized load of the trial
  Vector position_;  // q at the last accepted instant
};

}  // namespace ricochet
