#include "engine/study/parts/held_at_end.hpp"

#include "engine/study/parts/bare_study.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ricochet {

namespace {

/// The part of a function before the end of the run, and `beyond` from there on, if the function changes at
/// the end of the run: in its value or, for Outside::linear, in its value or slope.
TimeFunction partOfFunctionBeforeEnd(const TimeFunction& function, const Study& study,
                                     TimeFunction::Outside beyond) {
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  if (!study.transient || function.formulaOrNull() != nullptr) return function;
  const double start = study.transient->start;
  const double end = start + study.transient->duration;
  const double rounding = kRounding * std::abs(end);
  const std::size_t after = function.pieceIndexAfter(end + rounding);
  const double jump = function.piece(after).begin;
  if (after == 0 || jump < end - rounding || jump <= start) return function;
  const double last = function.valueJustBefore(jump);
  const bool bends = beyond == TimeFunction::Outside::linear &&
                     function.piece(after).slope != function.slopeAtTimeInStep(jump, jump - start);
  if (function.at(jump) == last && !bends) return function;
  std::vector<double> times{start}, values{function.at(start)};
  for (std::size_t k = function.pieceIndexAfter(start) + 1; k < after && function.piece(k).begin < jump;
       ++k) {
    const TimeFunction::Piece piece = function.piece(k);
    if (piece.end <= piece.begin) continue;  // a piece of zero width is a jump
    times.insert(times.end(), {piece.begin, piece.begin});
    values.insert(values.end(), {function.valueJustBefore(piece.begin), piece.value});
  }
  times.push_back(jump);
  values.push_back(last);
  return TimeFunction::table(times, values, TimeFunction::Outside::constant, beyond);
}

}  // namespace

TimeFunction holdTimeFunctionAtEnd(const TimeFunction& function, const Study& study) {
  return partOfFunctionBeforeEnd(function, study, TimeFunction::Outside::constant);
}

TimeFunction continueTimeFunctionBeyondEnd(const TimeFunction& function, const Study& study) {
  return partOfFunctionBeforeEnd(function, study, TimeFunction::Outside::linear);
}

bool doesFunctionJumpDuringRun(const TimeFunction& function, const Study& study) {
  if (!study.transient) return !function.jumpInstants().empty();
  const double start = study.transient->start, end = start + study.transient->duration;
  return std::ranges::any_of(function.jumpInstants(), [&](double t) { return t > start && t < end; });
}

void holdLoadsAtEnd(Study& study) {
  for (NodalLoad& load : study.loads) load.scale = holdTimeFunctionAtEnd(load.scale, study);
  for (MovingLoadRequest& load : study.movingLoads) {
    load.scale = holdTimeFunctionAtEnd(load.scale, study);
    load.position = holdTimeFunctionAtEnd(load.position, study);
  }
  for (BaseMotion& motion : study.baseMotions) {
    motion.acceleration = holdTimeFunctionAtEnd(motion.acceleration, study);
    for (auto* each : {&motion.velocity, &motion.displacement})
      if (*each) *each = holdTimeFunctionAtEnd(**each, study);
  }
}

}  // namespace ricochet
