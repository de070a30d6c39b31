// Laws given by formulas, compared with their series at instants within a step: the series of tanh(v/v_0) far
// from v = 0 is valid, but tells nothing of the change of sign of the force.

#include "engine/event/links/series_links.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>

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

/// Whether the force of a law at local time t is that of its series; `largest` is the largest force so far.
bool SeriesLinks::forceAgrees(const SeriesLink& link, double t, double& largest) const noexcept {
  constexpr double kAgreed = 1e-9;
  LinkMotion<double> at;
  at.time = time_ + t;
  for (std::size_t a = 0; a < link.link->axes(); ++a) {
    const std::span<const double> x = link.x[a].first(orders_ + 1);
    at.x[a] = polynomialAt(x, t);
    at.v[a] = slopeAt(x, t);
  }
  const double exact = std::visit(
      [&](const auto& law) { return law.template respond<double>(link.state, at).force[0]; }, link.link->law);
  largest = std::max(largest, std::abs(exact));
  return !(std::abs(polynomialAt(link.force[0].first(orders_), t) - exact) > kAgreed * largest);
}

/// Time within the step up to which samples of the laws given by formulas agree with their series [s].
double SeriesLinks::agreementEnd(double step, double sampling) const noexcept {
  constexpr int kHalvings = 40;
  constexpr double kBeforeEnd = 1e-6;  // of a part: a kink may end the step
  const auto endOf = [&](const SeriesLink& link) {
    double largest = std::abs(link.force[0][0]);
    const double parts = std::ceil(step / sampling);
    for (double i = 1.0; i <= parts; ++i) {
      if (forceAgrees(link, step * (i - kBeforeEnd) / parts, largest)) continue;
      if (i > 1.0) return step * (i - 1.0) / parts;
      for (double t = 0.5 * step / parts, n = 0.0; n < kHalvings; t *= 0.5, ++n) {
        largest = std::abs(link.force[0][0]);
        if (forceAgrees(link, t, largest)) return t;
      }
      return step;
    }
    return step;
  };
  for (const SeriesLink& link : links_)
    if (isFormula(link.link->law)) step = endOf(link);
  return step;
}

}  // namespace ricochet
