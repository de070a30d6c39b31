#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/model/moving_load.hpp"
#include "engine/numerics/kernels.hpp"
#include "engine/numerics/state.hpp"

#include <algorithm>
#include <limits>
#include <utility>
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
  Excitation(std::vector<Load> loads, Eigen::Index modes, std::vector<MovingLoad> moving = {})
      : loads_(std::move(loads)),
        moving_(std::move(moving)),
        shapes_(Matrix::Zero(
            padded(modes), static_cast<Eigen::Index>(loads_.size() + MovingLoad::kTerms * moving_.size()))) {
    for (std::size_t i = 0; i < loads_.size(); ++i)
      shapes_.col(static_cast<Eigen::Index>(i)).head(modes) = loads_[i].shape.head(modes);
  }

  const std::vector<Load>& loads() const noexcept { return loads_; }
  const std::vector<MovingLoad>& moving() const noexcept { return moving_; }

  /// Terms that add up: one for each load, then MovingLoad::kTerms for each moving one.
  Eigen::Index count() const noexcept { return shapes_.cols(); }

  /// Padded shapes, one after the other; those of moving loads are of the run (LoadCursors).
  const double* shapes() const noexcept { return shapes_.data(); }
  const Matrix& table() const noexcept { return shapes_; }

 private:
  std::vector<Load> loads_;
  std::vector<MovingLoad> moving_;
  Matrix shapes_;  // padded modes x terms
};

/// Where the loads of one run stand: their functions and, if some move, the shapes that they have now.
class LoadCursors {
 public:
  LoadCursors() = default;
  explicit LoadCursors(const Excitation& excitation) : shapes_(excitation.shapes()) {
    for (const Load& load : excitation.loads()) cursors_.emplace_back(load.scale);
    for (const MovingLoad& load : excitation.moving()) moving_.emplace_back(load);
    if (!moving_.empty()) own_ = excitation.table();
  }

  const double* shapes() const noexcept { return moving_.empty() ? shapes_ : own_.data(); }
  std::vector<FunctionCursor>& fixed() noexcept { return cursors_; }
  std::vector<MovingLoadRun>& moving() noexcept { return moving_; }

  /// The shapes of moving load i that change with its element.
  Eigen::Ref<Matrix> columns(std::size_t i) noexcept {
    return own_.middleCols(static_cast<Eigen::Index>(cursors_.size() + MovingLoad::kTerms * i),
                           MovingLoad::kTerms);
  }

  /// Factors of all terms at t.
  void at(double t, double* factor) noexcept {  // two pointers that go along: a size would be divided for
    for (const FunctionCursor& cursor : cursors_) *factor++ = cursor.at(t);
    for (std::size_t i = 0; i < moving_.size(); ++i, factor += MovingLoad::kTerms)
      [[unlikely]] moving_[i].at(t, factor, columns(i));
  }

  /// Passes an instant, as FunctionCursor::advance. Whether a load jumped.
  bool advance(double t, double tolerance) noexcept {
    bool jumped = false;
    for (FunctionCursor& cursor : cursors_) jumped |= cursor.advance(t, tolerance);
    for (MovingLoadRun& load : moving_) jumped |= load.advance(t, tolerance);
    return jumped;
  }
  void rewind() noexcept {
    for (FunctionCursor& cursor : cursors_) cursor.rewind();
    for (MovingLoadRun& load : moving_) load.rewind();
  }
  /// From anywhere; loads that move do not run in lanes, which ask for it.
  void seek(double t) noexcept {
    for (FunctionCursor& cursor : cursors_) cursor.seek(t);
  }

  /// Next instant at which a piece ends.
  double end() const noexcept {
    double next = std::numeric_limits<double>::infinity();
    for (const FunctionCursor& cursor : cursors_) next = std::min(next, cursor.piece().end);
    for (const MovingLoadRun& load : moving_) next = std::min(next, load.end());
    return next;
  }
  bool varies() const noexcept {
    return std::any_of(cursors_.begin(), cursors_.end(), [](const auto& each) { return each.varies(); }) ||
           std::any_of(moving_.begin(), moving_.end(), [](const auto& each) { return each.varies(); });
  }

  template <class Archive>
  void persist(Archive& archive) {
    archive(cursors_, moving_);
    for (std::size_t i = 0; i < moving_.size(); ++i) moving_[i].restore(columns(i));
  }

 private:
  const double* shapes_{nullptr};
  Matrix own_;
  std::vector<FunctionCursor> cursors_;
  std::vector<MovingLoadRun> moving_;
};

/// Loads of one run: where each function stands, and the work done so far.
class ExcitationRun {
 public:
  ExcitationRun(const Excitation& excitation, Eigen::Index paddedSize)
      : cursors_(excitation),
        factors_(static_cast<std::size_t>(excitation.count())),
        kept_(Matrix::Zero(paddedSize, 4)),
        work_(Matrix::Zero(kLanes, 2)) {
    step_ = {cursors_.shapes(),   factors_.data(),     excitation.count(),
             kept_.col(0).data(), kept_.col(1).data(), work_.col(0).data(),
             kept_.col(2).data(), kept_.col(3).data(), work_.col(1).data()};
  }
  // the pointers follow the storage
  ExcitationRun(const ExcitationRun&) = delete;
  ExcitationRun& operator=(const ExcitationRun&) = delete;
  ExcitationRun(ExcitationRun&&) noexcept = default;
  ExcitationRun& operator=(ExcitationRun&&) noexcept = default;
  ~ExcitationRun() = default;

  /// Reads the functions at t. The kernel that adds the loads up keeps them, and q, for the next step.
  const kernels::LoadStep& evaluate(double t) noexcept {
    cursors_.at(t, factors_.data());
    return step_;
  }

  /// The generalized loads at t, for a step whose end is not known yet: see workUntil.
  void evaluate(double t, Vector& load) noexcept {
    evaluate(t);
    kernels::combine(step_.shapes, step_.count, step_.factors, step_.load, kept_.rows());
    load = Eigen::Map<const Vector>(step_.load, kept_.rows());
  }
  double workUntil(const Vector& q) noexcept;

  /// Work of the loads over the accepted steps whose ends `push` knew [J].
  double work() const noexcept { return 0.5 * Eigen::Map<const Vector>(step_.workBefore, kLanes).sum(); }

  void start(double t, const Vector& q) noexcept {
    cursors_.rewind();
    cursors_.advance(t, 0.0);
    combine(t);
    std::copy_n(q.data(), q.size(), step_.qBefore);
    std::fill_n(step_.workBefore, kLanes, 0.0);
  }

  /// Goes on from a step that another driver has taken (engine/lanes) and that began at `from` [s] or later:
  /// what `kept` points to is filled by it.
  void resume(double from) noexcept { cursors_.seek(from); }
  /// Load, q and lanes of twice the work at the accepted instant.
  struct Kept {
    double* load;
    double* q;
    double* work;
  };
  Kept kept() noexcept { return {step_.loadBefore, step_.qBefore, step_.workBefore}; }

  /// Passes an instant at which loads may jump; `force` takes the difference. Whether one did.
  bool advance(double t, double tolerance, Vector& force) noexcept {
    const bool jumped = cursors_.advance(t, tolerance);
    if (jumped) jump(t, force);
    return jumped;
  }

  /// Keeps the last evaluation.
  void accept() noexcept {
    std::swap(step_.loadBefore, step_.load);
    std::swap(step_.qBefore, step_.q);
    std::swap(step_.workBefore, step_.work);
  }

  /// What the trapezoid of the step just accepted left out, for loads that are straight over it and a motion
  /// that is the cubic of its ends: h/12 (f1 - f0).(v1 - v0) [J].
  double curvatureWork(const Vector& v0, const Vector& v1, double h) const noexcept {
    if (step_.count == 0) return 0.0;
    const Eigen::Map<const Vector> after(step_.loadBefore, v1.size());  // accepting turned them over
    const Eigen::Map<const Vector> before(step_.load, v1.size());
    return h / 12.0 * (after - before).dot(v1 - v0);
  }

  /// What was accepted, and what the last trial left: their places in memory may differ between two runs.
  template <class Archive>
  void persist(Archive& archive) {
    archive.section("ExcitationRun");
    archive(cursors_, factors_);
    for (double* each : {step_.loadBefore, step_.load, step_.qBefore, step_.q})
      archive.array(each, kept_.rows());
    for (double* each : {step_.workBefore, step_.work}) archive.array(each, kLanes);
  }

 private:
  void jump(double t, Vector& force) noexcept;

  /// The load at t becomes the one that the next step starts from.
  void combine(double t) noexcept {
    evaluate(t);
    kernels::combine(step_.shapes, step_.count, step_.factors, step_.loadBefore, kept_.rows());
  }

  LoadCursors cursors_;
  std::vector<double> factors_;
  Matrix kept_;  // load and q where the step started, after a jump there, and where the trial ended
  Matrix work_;  // lanes of twice the work, likewise
  kernels::LoadStep step_;  // accepting turns over its pointers to them
};

}  // namespace ricochet
