#pragma once

#include "verification/cross_check/laws/column_runs.hpp"

#include <string>

namespace ricochet::cross {

/// Runs a model for half its duration, with a result file, and continues from this result; returns the fault
/// if the final state differs from that of one run by more than the error of the column. Empty: no fault.
std::string judgeRestart(const PartModel& model, const ColumnRuns& column, const Refinement& refinement,
                         const MotionScale& scale);

}  // namespace ricochet::cross
