// Longest admissible step of the event scheme.

#include "engine/event/event_run.hpp"
#include "engine/event/series/resolved_step.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ricochet {
namespace {

/// log2 of x with an error of at most 0.09, which changes the step by half a percent. Minus infinity for 0.
double approximateBinaryLogarithm(double x) {
  if (!(x > 0.0)) return -std::numeric_limits<double>::infinity();
  constexpr double kPerUnit = 1.0 / static_cast<double>(std::uint64_t{1} << 52);
  constexpr double kBias = 1023.0;
  return static_cast<double>(std::bit_cast<std::uint64_t>(x)) * kPerUnit - kBias;
}

}  // namespace

/// Step at which the last two terms of the velocity equal the tolerance, in the energy norm. The reference
/// velocity is the largest velocity so far or, from rest, the first terms of the step itself. Two terms are
/// compared because every second coefficient may vanish; where slips turn, forces are not linear or loads are
/// formulas, more may vanish (longestStepResolvingSparseSeries).
double EventRun::stepLengthLimitedByMotion() const noexcept {
  const int order = expansion_.order();
  const SchemeOptions& tolerance = options_.scheme;
  const double known = approximateBinaryLogarithm(tolerance.eventRelativeTolerance * largestSpeed_ +
                                                  tolerance.eventAbsoluteTolerance);
  // sizes |v_j| of the first non-zero terms v_j h^j of the step: several if the run starts from rest
  constexpr int kMostTerms = 4;
  constexpr double kLonger = 0.585;    // log2 of kShorterByEarlierTerms
  std::array<double, kMostTerms> own;  // logarithms of the sizes of the terms
  int first = 1;
  double ofFirst = expansion_.velocityNorm(first);
  while (first + kMostTerms < order && !(ofFirst > 0.0)) ofFirst = expansion_.velocityNorm(++first);
  const int terms = largestSpeed_ > 0.0 ? 1 : kMostTerms;
  for (int j = 0; j < terms; ++j)
    own[static_cast<std::size_t>(j)] = approximateBinaryLogarithm(
        tolerance.eventRelativeTolerance * (j == 0 ? ofFirst : expansion_.velocityNorm(first + j)));
  double shortest = std::numeric_limits<double>::infinity();
  for (const int k : {order, order + 1}) {
    const double size = expansion_.velocityNorm(k);
    if (!(size > 0.0)) continue;
    const double last = approximateBinaryLogarithm(size);
    double h = (known - last) / k;
    for (int j = 0; j < terms; ++j)
      h = std::max(h, (own[static_cast<std::size_t>(j)] - last) / (k - first - j));
    // From rest, with first terms of zero, there is no size to compare with.
    if (std::isfinite(h)) shortest = std::min(shortest, h);
  }
  const double logTolerance = approximateBinaryLogarithm(tolerance.eventRelativeTolerance);
  const int earliest = std::max(order - kEarlierTerms, first + kMostTerms);
  const bool mayLackOrders = contacts_.hasForcesNonlinearInMotion() || functions_.hasFormula();
  for (int k = order - 1; k >= earliest && mayLackOrders; --k) {
    const double size = expansion_.velocityNorm(k);
    if (!(size > 0.0)) continue;
    const double last = approximateBinaryLogarithm(size);
    double h = (known - logTolerance - last) / k + logTolerance / (order + 1);
    for (int j = 0; j < terms; ++j)
      h = std::max(h, (own[static_cast<std::size_t>(j)] - logTolerance - last) / (k - first - j) +
                          logTolerance / (order + 1 - first - j));
    if (std::isfinite(h) && h + kLonger < shortest) shortest = h;
  }
  const double step = std::exp2(shortest);
  return tolerance.stepMax > 0.0 ? std::min(step, tolerance.stepMax) : step;
}

/// Step at which the last two terms of each constraint reaction equal the tolerance: relative to the first
/// terms of the reaction, or in their effect on the velocity. Reactions need a limit of their own since they
/// may balance loads without any motion. A slip that turns has its own, shorter limit
/// (longestStepForFriction).
double EventRun::stepLengthLimitedByReactions() const noexcept {
  const double tolerance = options_.scheme.eventRelativeTolerance;
  const int order = expansion_.order();
  double longest = std::numeric_limits<double>::infinity();
  if (contacts_.hasTurningSlip()) return longest;
  for (int c = 0; c < expansion_.constraintCount(); ++c) {
    const std::span<const double> reaction = expansion_.reaction(c);
    const double* row = expansion_.constraintRow(c);
    const double rowSize = std::sqrt(kernels::dot(row, row, expansion_.rowSize()));
    const auto size = [reaction](std::size_t k) { return std::abs(reaction[k]); };
    double unfelt = std::numeric_limits<double>::infinity();
    for (const int k : {order - 1, order})
      if (const double last = rowSize * size(static_cast<std::size_t>(k)); last > 0.0)
        unfelt = std::min(unfelt, std::pow(tolerance * largestSpeed_ / last, 1.0 / (k + 1)));
    longest = std::min(longest, std::max(unfelt, longestStepResolvingSeries(order, tolerance, size, size)));
  }
  return longest;
}

/// Shifts the next expansion past the kink at which a step of at most `longest` has ended: formulas then use
/// their branches after the kink. A repeated kink takes a larger shift.
void EventRun::shiftGapBeyondForceKink(double step, double longest) noexcept {
  constexpr double kPastKink = 8.0 * std::numeric_limits<double>::epsilon();  // relative to the time
  constexpr double kMostShifts = 1e6;
  const double shift = kPastKink * std::max(std::abs(state_.time), step);
  if (!endsAtKink_ || step != longest)
    kinkShift_ = 0.0;
  else
    kinkShift_ = step <= 4.0 * kinkShift_
                     ? std::max(kinkShift_, std::min(4.0 * kinkShift_, kMostShifts * shift))
                     : shift;
  functions_.shiftStartOfNextExpansion(kinkShift_);
}

double EventRun::longestStep() {
  truncationStep_ = std::min(
      {stepLengthLimitedByMotion(), stepLengthLimitedByReactions(), contacts_.longestStepForLinks()});
  const double step = std::min(truncationStep_, std::min(options_.end, breakpoint_) - state_.time);
  const FunctionSeries::StepEnd end = functions_.endOfExpandedStep(step);
  const double agreed = contacts_.longestStepOfAccurateLinkSeries(
      end.time, FunctionSeries::kSampling * (options_.end - options_.start));
  const double longest = std::min(
      {agreed, contacts_.longestStepForFriction(expansion_, agreed), contacts_.durationOfSharedTractions()});
  endsAtKink_ = end.isKink && longest == end.time;
  return longest;
}

}  // namespace ricochet
