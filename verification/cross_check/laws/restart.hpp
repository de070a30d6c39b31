#pragma once

#include "verification/cross_check/laws/column_runs.hpp"

#include <string>

namespace ricochet::cross {

/// Runs a model for half its duration, with a result file, and on from there; says what is wrong if it ends
/// elsewhere than one run, by more than the error of the column. Empty: nothing is wrong.
std::string judgeRestart(const PartModel& model, const ColumnRuns& column, const Refinement& refinement,
                         const MotionScale& scale);

}  // namespace ricochet::cross
