#include "verification/cross_check/laws/column_runs.hpp"

#include <algorithm>

namespace ricochet::cross {

bool ColumnRuns::refine(const Refinement& refinement, const std::vector<double>& instants, double seconds) {
  constexpr int kMostBegin = 3;
  const int level = levels();
  RunChoice choice;
  choice.keepsCheckpoint = level == 0;
  EngineRun run = study_.run(own(refinement), level, instants, seconds, choice);
  if (level == 0 && run.ending == EngineRun::Ending::infinite && begin_ < kMostBegin) {
    ++begin_;
    return refine(refinement, instants, seconds);
  }
  const bool complete = run.complete();
  if (complete || level < 2) runs_.push_back(std::move(run));
  return complete;
}

void ColumnRuns::estimateErrorWithScale(const MotionScale& scale) {
  constexpr double kMostRest = 20.0;  // largest ratio of a slowly converging series
  estimate_.setZero(motion().cols());
  double largest = 0.0, earlier = 0.0;
  for (Eigen::Index i = 0; i < estimate_.size(); ++i) {
    largest = std::max(largest, scale.distance(before().positions, motion(), i));
    estimate_[i] = largest;
    if (levels() < 3) continue;
    earlier = std::max(earlier, scale.distance(at(levels() - 3).positions, before().positions, i));
    const double ratio = largest / earlier;  // both are NaN: no change
    if (ratio > 0.5) estimate_[i] *= ratio < 1.0 ? std::min(ratio / (1.0 - ratio), kMostRest) : kMostRest;
  }
}

MotionScale::MotionScale(const std::vector<ColumnRuns*>& columns) {
  const Eigen::MatrixXd& first = columns.front()->motion();
  length = first.cwiseAbs().rowwise().maxCoeff();
  constexpr double kSmallest = 1e-5;  // relative to the largest displacement
  constexpr double kNothing = 1e-9;   // displacements below this are rounding of a model at rest [m]
  const double floor = std::max(kSmallest * length.maxCoeff(), kNothing);
  length = length.cwiseMax(floor);
  decisive = first.cols();
}

double MotionScale::distance(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, Eigen::Index instant) const {
  return ((a.col(instant) - b.col(instant)).cwiseAbs().array() / length.array()).maxCoeff();
}

}  // namespace ricochet::cross
