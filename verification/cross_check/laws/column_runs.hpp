#pragma once

#include "verification/cross_check/laws/column.hpp"

#include <Eigen/Core>

#include <vector>

namespace ricochet::cross {

struct MotionScale;

/// Runs of one column with increasing refinement; the difference of the last two is the estimate of the
/// error. If the difference before was hardly larger, the rest of a geometric series is added. A column whose
/// motion becomes infinite needs smaller steps: its runs begin at a finer level.
class ColumnRuns {
 public:
  explicit ColumnRuns(ColumnStudy study) : study_(std::move(study)) {}

  const ColumnStudy& study() const noexcept { return study_; }
  int levels() const noexcept { return static_cast<int>(runs_.size()); }
  const EngineRun& at(int level) const { return runs_[static_cast<std::size_t>(level)]; }
  const EngineRun& last() const { return runs_.back(); }
  const EngineRun& before() const { return runs_[runs_.size() - 2]; }
  const Eigen::MatrixXd& motion() const { return last().positions; }

  /// True if laws halved the steps of one of the last two runs: their difference is no estimate of the error
  /// then.
  bool didLawsHalveSteps() const { return last().shortened || before().shortened; }

  /// Refinement whose level 0 is the first stored run.
  Refinement own(const Refinement& refinement) const { return {refinement.stepAt(begin_)}; }

  /// Adds a finer run; false if it does not complete.
  bool refine(const Refinement& refinement, const std::vector<double>& instants, double seconds);

  /// Estimates the error from the last two runs.
  void estimateErrorWithScale(const MotionScale& scale);
  double estimate(Eigen::Index instant) const { return estimate_[instant]; }

 private:
  ColumnStudy study_;
  std::vector<EngineRun> runs_;
  int begin_{0};              ///< level of the first stored run
  Eigen::VectorXd estimate_;  ///< largest difference up to each instant, relative to the motion
};

/// Scale of the motion to which differences are relative.
struct MotionScale {
  Eigen::VectorXd length;    ///< largest displacement of each degree of freedom [m, rad]
  Eigen::Index decisive{0};  ///< number of instants before runs from neighbouring starts separate

  MotionScale() = default;
  explicit MotionScale(const std::vector<ColumnRuns*>& columns);
  double distance(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, Eigen::Index instant) const;
};

}  // namespace ricochet::cross
