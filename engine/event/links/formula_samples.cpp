// Laws given by formulas, compared with their series at instants within a step: the series of tanh(v/v_0) far
// from v = 0 is valid, but tells nothing of the change of sign of the force. Where a series is none that the
// time resolves, the force is kept over a short step.

#include "engine/event/links/series_links.hpp"
#include "engine/functions/formula_range.hpp"
#include "engine/functions/sampled_agreement.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr double kNoForceBeside = 1e-13;  // beside the largest force of the run
constexpr double kLeastForce = 1e-140;    // squares of smaller forces are no numbers any more [N]
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kOfTime = 8.0 * kEpsilon;  // no step below moves the time

bool isFormula(const AnyLinkLaw& any) noexcept {
  return std::visit(
      [](const auto& law) {
        if constexpr (requires { law.function.isFormula(); }) return law.function.isFormula();
        return requires { law.expression; };
      },
      any);
}

double forceAt(const AnyLinkLaw& any, const LinkState& state, const LinkMotion<double>& motion) noexcept {
  return std::visit(
      [&](const auto& law) { return law.template computeResponse<double>(state, motion).force[0]; }, any);
}

}  // namespace

std::array<Series, kLinkAxes> SeriesLinks::forceSeriesOfLaw(const SeriesLink& link,
                                                            const LinkMotion<Series>& motion) {
  return std::visit(
      [&](const auto& law) { return law.template computeResponse<Series>(link.state, motion).force; },
      link.link->law);
}

/// Force of a law at the start of the expansion, as a constant; none if it is nothing beside the largest of
/// the run, so that a motion that has come to rest stays at rest.
std::array<Series, kLinkAxes> SeriesLinks::forceAtStart(const SeriesLink& link) noexcept {
  const double force = forceAt(link.link->law, link.state, link.start);
  return {Series(std::abs(force) > std::max(kLeastForce, kNoForceBeside * link.largestForce) ? force : 0.0),
          Series(0.0)};
}

/// Whether the series of a continuous law holds for less than `shortest`: |v|^0.7 where rounding decides what
/// v is, or a force too small for a series.
bool SeriesLinks::isValidTimeOfSeriesTooShort(const SeriesLink& link, double shortest) const noexcept {
  constexpr double kContinuous = 1e-6;
  const double first = link.force[0][0];
  if (first != 0.0 && std::abs(first) < kLeastForce) return true;
  double largest = std::abs(first);
  if (doesForceAgreeWithSeries(link, shortest, largest)) return false;
  LinkMotion<double> next = link.start;  // by the acceleration alone, as no series is valid
  next.time += shortest;
  for (std::size_t a = 0; a < link.link->axisCount(); ++a) {
    next.x[a] += shortest * next.v[a];
    next.v[a] += shortest * 2.0 * link.x[a][2];
  }
  const double change = forceAt(link.link->law, link.state, next) - first;
  return std::abs(change) <= kContinuous * std::max(std::abs(first), link.largestForce);
}

/// Has laws keep their forces over the step if their series are too short. True if the motion changes by
/// that.
bool SeriesLinks::holdForcesConstantWhereSeriesFails() noexcept {
  const double shortest = kOfTime * std::abs(time_);
  bool changes = false;
  for (SeriesLink& link : links_) {
    if (link.keepsForce || !(shortest > 0.0) || !isFormula(link.link->law)) continue;
    if (!isValidTimeOfSeriesTooShort(link, shortest)) continue;
    holdLinkForceConstant(link);
    changes = true;
  }
  return changes;
}

/// Keeps the force of a formula constant over the step if the force is negligible and rounding moves the
/// motion to and fro across a bend of the law; returns true if the force is kept.
bool SeriesLinks::holdLinkForceConstantIfNegligible(SeriesLink& link) noexcept {
  constexpr double kLong = 1e-9;  // time for which no piece of the law lasts [s]
  const bool rests = link.shift > kLong && isFormula(link.link->law) && !link.keepsForce &&
                     std::abs(link.force[0][0]) <= kNoForceBeside * link.largestForce;
  if (rests) holdLinkForceConstant(link);
  return rests;
}

void SeriesLinks::holdLinkForceConstant(SeriesLink& link) noexcept {
  link.shift = 0.0;
  link.keepsForce = true;
  link.keepsPiece = link.startsLater = false;
}

/// Rounding of the force of a formula at a motion, which is itself rounded: a step that ends at a bend may
/// end on either side of it.
double SeriesLinks::roundingErrorOfLinkForce(const SeriesLink& link,
                                             const LinkMotion<double>& at) const noexcept {
  const auto near = [](double value, double rounding) {
    const double most = kRoundings * std::max(rounding, kEpsilon * std::abs(value));
    return FormulaRange{value - most, value + most};
  };
  const double imposed = link.drives.empty() ? 0.0 : kOfTime * std::abs(at.time) * std::abs(at.v[0]);
  const FormulaRange x = near(at.x[0], std::max(rounding_, imposed)), v = near(at.v[0], rounding_);
  const FormulaRange force = std::visit(
      [&]<class Law>(const Law& law) -> FormulaRange {
        if constexpr (requires { law.expression; })
          return rangeWithRounding(*law.expression, std::array{x, v, near(at.time, 0.0)});
        else if constexpr (requires { law.function.formulaOrNull(); })
          return rangeWithRounding(*law.function.formulaOrNull(),
                                   std::array{Law::traits.forceFollowsRate ? v : x});
        else
          return {};
      },
      link.link->law);
  const double width = force.largest - force.least;
  return std::isfinite(width) ? width : 0.0;
}

/// Whether the force of a law at local time t is that of its series; `largest` is the largest force of the
/// step so far. A force that is nothing beside the largest of the run need not agree: x^1.5 close to x = 0
/// has no long series.
bool SeriesLinks::doesForceAgreeWithSeries(const SeriesLink& link, double t, double& largest) const noexcept {
  constexpr double kAgreed = 1e-9;
  LinkMotion<double> at;
  at.time = time_ + t;
  for (std::size_t a = 0; a < link.link->axisCount(); ++a) {
    const std::span<const double> x = link.x[a].first(orders_ + 1);
    at.x[a] = polynomialAt(x, t);
    at.v[a] = slopeAt(x, t);
    if (!link.startsLater) continue;
    at.x[a] += link.position[a].coefficient(0) - x[0];
    at.v[a] += link.rate[a].coefficient(0) - x[1];
  }
  const double exact = forceAt(link.link->law, link.state, at);
  largest = std::max(largest, std::abs(exact));
  const double difference = std::abs(polynomialAt(link.force[0].first(orders_), t) - exact);
  if (!(difference > kAgreed * largest + std::max(kLeastForce, kNoForceBeside * link.largestForce)))
    return true;
  return difference <= roundingErrorOfLinkForce(link, at);
}

/// Time within the step up to which samples of the laws given by formulas agree with their series [s].
double SeriesLinks::longestStepOfAccurateSeries(double step, double sampling) const noexcept {
  for (const SeriesLink& link : links_)
    if (isFormula(link.link->law))
      step = ricochet::longestStepOfAccurateSeries(
          step, sampling, std::abs(link.force[0][0]), kOfTime * std::abs(time_),
          [&](double t, double& largest) { return doesForceAgreeWithSeries(link, t, largest); });
  return step;
}

}  // namespace ricochet
