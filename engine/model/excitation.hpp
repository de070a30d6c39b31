#pragma once

#include "engine/functions/jump_instants.hpp"
#include "engine/functions/time_function.hpp"
#include "engine/model/motion_jump.hpp"
#include "engine/model/moving_load.hpp"
#include "engine/numerics/kernels.hpp"
#include "engine/numerics/state.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace ricochet {

/// A generalized load f(t) = shape s(t): shape = Phi^t F has one value per mode, s is a function of time.
struct Load {
  Vector shape;
  TimeFunction scale{TimeFunction::constant(1.0)};
};

/// Loads of a model, padded for the kernels. Constant during a run.
class Excitation {
 public:
  Excitation() = default;
  Excitation(std::vector<Load> loads, Eigen::Index modes, std::vector<MovingLoad> moving = {})
      : loads_(std::move(loads)),
        moving_(std::move(moving)),
        shapes_(Matrix::Zero(paddedSize(modes), static_cast<Eigen::Index>(
                                                    loads_.size() + MovingLoad::kTerms * moving_.size()))) {
    for (std::size_t i = 0; i < loads_.size(); ++i)
      shapes_.col(static_cast<Eigen::Index>(i)).head(modes) = loads_[i].shape.head(modes);
  }

  const std::vector<Load>& loads() const noexcept { return loads_; }
  const std::vector<MovingLoad>& movingLoads() const noexcept { return moving_; }

  /// Jumps of the motion within the run, in order of time.
  const std::vector<MotionJump>& motionJumps() const noexcept { return jumps_; }
  void setMotionJumps(std::vector<MotionJump> jumps) { jumps_ = std::move(jumps); }

  /// Number of terms of the load sum: one per load, then MovingLoad::kTerms per moving load.
  Eigen::Index termCount() const noexcept { return shapes_.cols(); }

  /// Padded shapes of all terms, stored column by column; each run has its own shapes of moving loads
  /// (LoadCursors).
  const double* shapes() const noexcept { return shapes_.data(); }
  const Matrix& shapeTable() const noexcept { return shapes_; }

 private:
  std::vector<Load> loads_;
  std::vector<MovingLoad> moving_;
  std::vector<MotionJump> jumps_;
  Matrix shapes_;  // shapes, padded modes x terms
};

/// Instants of the jumps of a motion; each has the index of its jump.
inline JumpInstants instantsOf(const std::vector<MotionJump>& jumps) {
  JumpInstants instants;
  for (std::size_t i = 0; i < jumps.size(); ++i) instants.add({&jumps[i].time, 1}, i);
  return instants;
}

/// Current pieces of the load functions of one run and, if loads move, the current shapes of the moving
/// loads.
class LoadCursors {
 public:
  LoadCursors() = default;
  explicit LoadCursors(const Excitation& excitation) : shapes_(excitation.shapes()) {
    for (const Load& load : excitation.loads()) cursors_.emplace_back(load.scale);
    for (const MovingLoad& load : excitation.movingLoads()) moving_.emplace_back(load);
    if (!moving_.empty()) own_ = excitation.shapeTable();
  }

  const double* shapes() const noexcept { return moving_.empty() ? shapes_ : own_.data(); }
  std::vector<FunctionCursor>& functionCursorsOfFixedLoads() noexcept { return cursors_; }
  std::vector<MovingLoadRun>& movingLoads() noexcept { return moving_; }

  /// Columns of the shapes of moving load i, which change with its element.
  Eigen::Ref<Matrix> shapeColumnsOfMovingLoad(std::size_t i) noexcept {
    return own_.middleCols(static_cast<Eigen::Index>(cursors_.size() + MovingLoad::kTerms * i),
                           MovingLoad::kTerms);
  }

  /// Factors of all terms of the load sum at t.
  void
  at(double t,
     double* factor) noexcept {  // two pointers advance together: an index would need a division for the size
    for (const FunctionCursor& cursor : cursors_) *factor++ = cursor.at(t);
    for (std::size_t i = 0; i < moving_.size(); ++i, factor += MovingLoad::kTerms)
      [[unlikely]] moving_[i].at(t, factor, shapeColumnsOfMovingLoad(i));
  }

  /// Moves all functions past an instant, see FunctionCursor::advance. Returns true if a load jumped.
  bool advanceTimeFunctions(double t, double tolerance) noexcept {
    bool jumped = false;
    for (FunctionCursor& cursor : cursors_) jumped |= cursor.advance(t, tolerance);
    for (MovingLoadRun& load : moving_) jumped |= load.advanceTimeFunctions(t, tolerance);
    return jumped;
  }
  void rewind() noexcept {
    for (FunctionCursor& cursor : cursors_) cursor.rewind();
    for (MovingLoadRun& load : moving_) load.rewind();
  }
  /// Moves all functions to t, forward or backward. Moving loads are left out, because lanes (the only
  /// caller) do not support them.
  void seek(double t) noexcept {
    for (FunctionCursor& cursor : cursors_) cursor.seek(t);
  }

  /// Next instant at which a piece of a load function ends [s].
  double nextPieceEndOfLoadFunctions() const noexcept {
    double next = std::numeric_limits<double>::infinity();
    for (const FunctionCursor& cursor : cursors_) next = std::min(next, cursor.piece().end);
    for (const MovingLoadRun& load : moving_) next = std::min(next, load.nextPieceEndOfLoadFunctions());
    return next;
  }
  bool isVarying() const noexcept {
    return std::any_of(cursors_.begin(), cursors_.end(), [](const auto& each) { return each.isVarying(); }) ||
           std::any_of(moving_.begin(), moving_.end(), [](const auto& each) { return each.isVarying(); });
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive(cursors_, moving_);
    for (std::size_t i = 0; i < moving_.size(); ++i)
      moving_[i].clearShapeColumns(shapeColumnsOfMovingLoad(i));
  }

 private:
  const double* shapes_{nullptr};
  Matrix own_;
  std::vector<FunctionCursor> cursors_;
  std::vector<MovingLoadRun> moving_;
};

/// Loads of one run: current pieces of their functions, and the work of the loads so far.
class ExcitationRun {
 public:
  ExcitationRun(const Excitation& excitation, Eigen::Index paddedSize)
      : cursors_(excitation),
        jumps_(&excitation.motionJumps()),
        jumpInstants_(instantsOf(*jumps_)),
        factors_(static_cast<std::size_t>(excitation.termCount())),
        kept_(Matrix::Zero(paddedSize, 4)),
        work_(Matrix::Zero(kLanes, 2)) {
    step_ = {cursors_.shapes(),   factors_.data(),     excitation.termCount(),
             kept_.col(0).data(), kept_.col(1).data(), work_.col(0).data(),
             kept_.col(2).data(), kept_.col(3).data(), work_.col(1).data()};
  }
  // A copy would keep pointers of step_ into the kept_ and work_ of the original.
  ExcitationRun(const ExcitationRun&) = delete;
  ExcitationRun& operator=(const ExcitationRun&) = delete;
  ExcitationRun(ExcitationRun&&) noexcept = default;
  ExcitationRun& operator=(ExcitationRun&&) noexcept = default;
  ~ExcitationRun() = default;

  /// Evaluates the load functions at t. The kernel that sums the loads stores load and q for the next step.
  const kernels::LoadStep& evaluateLoads(double t) noexcept {
    cursors_.at(t, factors_.data());
    return step_;
  }

  /// Generalized loads at t, for a step whose final q is not yet computed: workOfLoadsUpToDisplacement adds
  /// the work later.
  void evaluateLoads(double t, Vector& load) noexcept {
    evaluateLoads(t);
    kernels::addWeightedRows(step_.shapes, step_.count, step_.factors, step_.load, kept_.rows());
    load = Eigen::Map<const Vector>(step_.load, kept_.rows());
  }
  double workOfLoadsUpToDisplacement(const Vector& q) noexcept;

  /// Work of the loads over the accepted steps for which the kernel `sumForces` had the final q [J].
  double workOfLoads() const noexcept {
    return 0.5 * Eigen::Map<const Vector>(step_.workBefore, kLanes).sum();
  }

  void start(double t, const Vector& q) noexcept {
    cursors_.rewind();
    cursors_.advanceTimeFunctions(t, 0.0);
    computeStartLoad(t);
    std::copy_n(q.data(), q.size(), step_.qBefore);
    std::fill_n(step_.workBefore, kLanes, 0.0);
  }

  /// Resumes after a step of the lanes (engine/lanes) that began at `from` [s] or later; the caller fills the
  /// arrays of `valuesAtStepStart`.
  void resume(double from) noexcept { cursors_.seek(from); }
  /// Pointers to load, q and partial sums of twice the work at the accepted instant.
  struct Kept {
    double* load;
    double* q;
    double* work;
  };
  Kept valuesAtStepStart() noexcept { return {step_.loadBefore, step_.qBefore, step_.workBefore}; }

  /// Moves the functions past an instant at which loads may jump; adds the jump of the load to `force`.
  /// Returns true if a load jumped.
  bool advanceTimeFunctions(double t, double tolerance, Vector& force) noexcept {
    const bool jumped = cursors_.advanceTimeFunctions(t, tolerance);
    if (jumped) addLoadJump(t, force);
    return jumped;
  }

  /// Adds the jumps of the motion at s.time, within `tolerance` [s], to s. Returns the instant of the last
  /// one [s], or nothing without a jump.
  std::optional<double> addMotionJumps(State& s, double tolerance);

  /// Accepts the last evaluation.
  void acceptStep() noexcept {
    std::swap(step_.loadBefore, step_.load);
    std::swap(step_.qBefore, step_.q);
    std::swap(step_.workBefore, step_.work);
  }

  /// Work [J] that the trapezoidal rule missed in the step just accepted, for loads that are linear over the
  /// step and the cubic motion through its ends: h/12 (f1 - f0).(v1 - v0).
  double workMissedByTrapezoidalRule(const Vector& v0, const Vector& v1, double h) const noexcept {
    if (step_.count == 0) return 0.0;
    const Eigen::Map<const Vector> after(step_.loadBefore, v1.size());  // accepting swapped the two loads
    const Eigen::Map<const Vector> before(step_.load, v1.size());
    return h / 12.0 * (after - before).dot(v1 - v0);
  }

  /// Work [J] of the loads in the step just accepted, of h, from its start to the state `s` at the part
  /// `theta` of it: by the trapezoid and its correction, for loads that are linear over the step.
  double workOfLoadsWithinStep(const State& from, const State& s, double theta, double h) const noexcept {
    if (step_.count == 0) return 0.0;
    const Eigen::Map<const Vector> after(step_.loadBefore, s.q.size()), before(step_.load, s.q.size());
    const auto change = theta * (after - before);
    return (before + 0.5 * change).dot(s.q - from.q) + theta * h / 12.0 * change.dot(s.v - from.v);
  }

  /// Archives values at the accepted instant and of the last trial, not their places in memory, which may
  /// differ between two runs.
  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("ExcitationRun");
    archive(cursors_, factors_, jumpInstants_);
    for (double* each : {step_.loadBefore, step_.load, step_.qBefore, step_.q})
      archive.transferArray(each, kept_.rows());
    for (double* each : {step_.workBefore, step_.work}) archive.transferArray(each, kLanes);
  }

 private:
  void addLoadJump(double t, Vector& force) noexcept;

  /// Computes the load at t as the load at the start of the next step.
  void computeStartLoad(double t) noexcept {
    evaluateLoads(t);
    kernels::addWeightedRows(step_.shapes, step_.count, step_.factors, step_.loadBefore, kept_.rows());
  }

  LoadCursors cursors_;
  const std::vector<MotionJump>* jumps_;
  JumpInstants jumpInstants_;
  std::vector<double> factors_;
  Matrix kept_;  // load and q at the start of the step (after a jump), then at the end of the trial
  Matrix work_;  // partial sums of twice the work, at the start of the step and at the end of the trial
  kernels::LoadStep step_;  // pointers to the columns above; accepting swaps them
};

}  // namespace ricochet
