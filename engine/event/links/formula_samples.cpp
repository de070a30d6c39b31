// Laws given by formulas, compared with their series at instants within a step: the series of tanh(v/v_0) far
// from v = 0 is valid, but tells nothing of the change of sign of the force.

#include "engine/event/links/series_links.hpp"
#include "engine/functions/sampled_agreement.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

bool isFormula(const AnyLinkLaw& any) noexcept {
  return std::visit(
      [](const auto& law) {
        if constexpr (requires { law.function.isFormula(); }) return law.function.isFormula();
        return requires { law.expression; };
      },
      any);
}

}  // namespace

/// Whether the force of a law at local time t is that of its series; `largest` is the largest force of the
/// step so far. A force that is nothing beside the largest of the run need not agree: x^1.5 close to x = 0
/// has no long series.
bool SeriesLinks::forceAgreesWithSeries(const SeriesLink& link, double t, double& largest) const noexcept {
  constexpr double kAgreed = 1e-9, kNothing = 1e-13;
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
  const double exact = std::visit(
      [&](const auto& law) { return law.template computeResponse<double>(link.state, at).force[0]; },
      link.link->law);
  largest = std::max(largest, std::abs(exact));
  return !(std::abs(polynomialAt(link.force[0].first(orders_), t) - exact) >
           kAgreed * largest + kNothing * link.largestForce);
}

/// Time within the step up to which samples of the laws given by formulas agree with their series [s].
double SeriesLinks::endOfSeriesAgreement(double step, double sampling) const noexcept {
  constexpr double kOfTime =
      8.0 * std::numeric_limits<double>::epsilon();  // a shorter step does not move the time
  for (const SeriesLink& link : links_)
    if (isFormula(link.link->law))
      step = ricochet::endOfSeriesAgreement(
          step, sampling, std::abs(link.force[0][0]), kOfTime * std::abs(time_),
          [&](double t, double& largest) { return forceAgreesWithSeries(link, t, largest); });
  return step;
}

}  // namespace ricochet
