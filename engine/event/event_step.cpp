// How long a step of the event scheme may be.

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

/// log2 to within 0.09: a step that is off by half a percent is as good. Minus infinity for 0.
double roughLog2(double x) {
  if (!(x > 0.0)) return -std::numeric_limits<double>::infinity();
  constexpr double kPerUnit = 1.0 / static_cast<double>(std::uint64_t{1} << 52);
  constexpr double kBias = 1023.0;
  return static_cast<double>(std::bit_cast<std::uint64_t>(x)) * kPerUnit - kBias;
}

}  // namespace

/// Step at which the last terms are the tolerance, in the energy norm relative to the largest so far, or to
/// what the step itself brings (from rest). The last two coefficients, because every other one may vanish.
double EventRun::toleratedStep() const noexcept {
  const int order = expansion_.order();
  const SchemeOptions& tolerance = options_.scheme;
  const double known =
      roughLog2(tolerance.eventRelativeTolerance * largestSpeed_ + tolerance.eventAbsoluteTolerance);
  // a term v_j h^j of the step itself, of the first that do not vanish: several if the run comes from rest
  constexpr int kMostTerms = 4;
  std::array<double, kMostTerms> own;  // logarithms
  int first = 1;
  while (first + kMostTerms < order && !(expansion_.velocitySize(first) > 0.0)) ++first;
  const int terms = largestSpeed_ > 0.0 ? 1 : kMostTerms;
  for (int j = 0; j < terms; ++j)
    own[static_cast<std::size_t>(j)] =
        roughLog2(tolerance.eventRelativeTolerance * expansion_.velocitySize(first + j));
  double shortest = std::numeric_limits<double>::infinity();
  for (const int k : {order, order + 1}) {
    const double size = expansion_.velocitySize(k);
    if (!(size > 0.0)) continue;
    const double last = roughLog2(size);
    double h = (known - last) / k;
    for (int j = 0; j < terms; ++j)
      h = std::max(h, (own[static_cast<std::size_t>(j)] - last) / (k - first - j));
    shortest = std::min(shortest, h);
  }
  const double step = std::exp2(shortest);
  return tolerance.stepMax > 0.0 ? std::min(step, tolerance.stepMax) : step;
}

/// The same for the reactions of constraints, which hold loads that move nothing: what is left out of one is
/// the tolerance of its own first terms, or changes the velocity by no more than that. Slips that turn have
/// series that end sooner, and limits of their own.
double EventRun::resolvedReactions() const noexcept {
  const double tolerance = options_.scheme.eventRelativeTolerance;
  const int order = expansion_.order();
  double longest = std::numeric_limits<double>::infinity();
  if (contacts_.anyTurning()) return longest;
  for (int c = 0; c < expansion_.constraints(); ++c) {
    const std::span<const double> reaction = expansion_.reaction(c);
    const double* row = expansion_.constraintRow(c);
    const double rowSize = std::sqrt(kernels::dot(row, row, expansion_.rowSize()));
    const auto size = [reaction](std::size_t k) { return std::abs(reaction[k]); };
    double unfelt = std::numeric_limits<double>::infinity();
    for (const int k : {order - 1, order})
      if (const double last = rowSize * size(static_cast<std::size_t>(k)); last > 0.0)
        unfelt = std::min(unfelt, std::pow(tolerance * largestSpeed_ / last, 1.0 / (k + 1)));
    longest = std::min(longest, std::max(unfelt, resolvedStep(order, tolerance, size, size)));
  }
  return longest;
}

double EventRun::longestStep() {
  tolerated_ = std::min(toleratedStep(), resolvedReactions());
  const double step = std::min(tolerated_, std::min(options_.end, breakpoint_) - state_.time);
  const double kink = functions_.nextKink(step);
  endsAtKink_ = kink < step;
  return std::min(kink, contacts_.longestSlipStep(expansion_, kink));
}

}  // namespace ricochet
