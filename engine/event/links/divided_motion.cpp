// Link laws of the first degree whose motion passes zero: the series of the motion is divided by a power of
// the time.

#include "engine/event/links/series_links.hpp"
#include "engine/event/series/resolved_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// Whether a law has an internal variable that is found from its force.
bool hasElongationMemory(const AnyLinkLaw& any) noexcept {
  return std::visit(
      [](const auto& law) {
        return requires { law.dashpotElongationAt(0.0, 0.0); };
      },
      any);
}

}  // namespace

/// Finds the power of the time by which the motion of a law of the first degree is divided, from displacement
/// and rate at the start of the step alone.
void SeriesLinks::chooseLeadingPowerOfTime(SeriesLink& link,
                                           const TaylorExpansion& expansion) const noexcept {
  link.lead = 0;
  link.decisionsBegin = link.decisionsEnd = tape_.decisionsOfRecordedBranches().size();
  if (!isLawHomogeneousOfDegreeOne(link.link->law)) return;
  const auto vanishes = [&](const std::array<double, kLinkAxes>& of, double size) {
    const double rounding = kRoundings * std::numeric_limits<double>::epsilon() * link.reach * size;
    return std::ranges::all_of(of, [&](double each) { return std::abs(each) <= rounding; });
  };
  if (!vanishes(link.start.x, expansion.displacementNorm(0))) return;
  link.lead = vanishes(link.start.v, expansion.velocityNorm(0)) ? SeriesLink::kAtRest : 1;
}

/// Looks for the first non-zero coefficient of the motion of a link at rest, once the coefficient of order k
/// is known, and records the law of the link for a motion of this order.
void SeriesLinks::findLeadingPowerOfTime(SeriesLink& link, const TaylorExpansion& expansion, int k) {
  const double rounding = kRoundings * std::numeric_limits<double>::epsilon() * link.reach *
                          (expansion.elasticForceNorm(k - 2) + expansion.forceNormSum(k - 2)) / (k * (k - 1));
  std::array<double, kLinkAxes> x{};
  for (std::size_t a = 0; a < kLinkAxes; ++a) x[a] = linkMotionCoefficient(link, expansion, a, k);
  if (std::ranges::all_of(x, [&](double each) { return std::abs(each) <= rounding; })) return;
  link.lead = k;
  recordLawOnTape(link, x);
  if (link.shift > 0.0) tape_.recomputeOrder(0);
}

/// Evaluates the laws whose motion is divided by a power of the time, in the orders that follow from the
/// motion up to order k.
void SeriesLinks::evaluateLawsOfMotionDividedByTime(const TaylorExpansion& expansion, int k) {
  for (SeriesLink& link : links_) {
    if (link.lead == SeriesLink::kAtRest && k >= 2) {
      findLeadingPowerOfTime(link, expansion, k);
      continue;
    }
    const int own = k - link.lead;
    if (link.lead <= 0 || own <= 0) continue;
    for (std::size_t a = 0; a < kLinkAxes; ++a)
      tape_.setCoefficient(link.position[a], own, linkMotionCoefficient(link, expansion, a, k));
    tape_.recomputeOrder(own);
  }
}

/// Evaluates the laws of divided motions in their last orders, whose coefficients are known only after the
/// expansion of the motion.
void SeriesLinks::evaluateLastOrdersOfMotionDividedByTime(const TaylorExpansion& expansion) {
  const int order = expansion.order();
  for (SeriesLink& link : links_)
    for (int k = order + 2; link.lead > 0 && k - link.lead <= order + 1; ++k) {
      for (std::size_t a = 0; a < kLinkAxes; ++a)
        tape_.setCoefficient(link.position[a], k - link.lead,
                             k == order + 2 ? linkMotionCoefficient(link, expansion, a, k) : 0.0);
      if (k > link.lead) tape_.recomputeOrder(k - link.lead);
    }
}

/// Ends the step where the motion of a law of the first degree passes zero: the law may have no series there.
void SeriesLinks::endStepAtZeroDisplacement(const SeriesLink& link, FunctionSeries& functions) {
  const auto lead = static_cast<std::size_t>(link.lead);
  const std::size_t count = orders_ + 2 - lead;
  const std::span<double> square = std::span(scratch_).first(2 * count - 1);
  std::fill(square.begin(), square.end(), 0.0);
  for (const std::span<double>& x : link.x)
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < count; ++j) square[k + j] += x[lead + k] * x[lead + j];
  functions.endStepAtRoot(square);
}

/// Longest step over which two kinds of series are exact to the tolerance: angles in laws of degree one, and
/// forces that determine the elongation of a dashpot. Both converge over a shorter time than the motion; an
/// error in them would stay in the elongation.
double SeriesLinks::longestStep(double tolerance) {
  double longest = std::numeric_limits<double>::infinity();
  const std::span<const Series> decisions = tape_.decisionsOfRecordedBranches();
  for (const SeriesLink& link : links_) {
    if (hasElongationMemory(link.link->law))
      longest = std::min(longest, longestStepResolvingSeries(link.force[0].first(orders_),
                                                             static_cast<int>(orders_) - 1, tolerance));
    if (isLawHomogeneousOfDegreeOne(link.link->law))
      for (std::size_t i = link.decisionsBegin; i < link.decisionsEnd; ++i) {
        for (std::size_t k = 0; k < orders_; ++k) scratch_[k] = decisions[i].coefficient(static_cast<int>(k));
        longest =
            std::min(longest, longestStepResolvingSeries(std::span<const double>(scratch_).first(orders_),
                                                         static_cast<int>(orders_) - 1, tolerance));
      }
  }
  return longest;
}

}  // namespace ricochet
