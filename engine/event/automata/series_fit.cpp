// Fitted polynomials of forces, where a power of the penetration d has no series: at d = 0.
//
// Over a short interval of length h, the force is found by Picard's iteration: each pass evaluates N(t) from
// the motion under the polynomial of the previous pass. The polynomial is a projection on Legendre
// polynomials, so that its moments, and therefore the motion, are exact except for the quadrature. With t = h
// s^2 the integrand of the quadrature is smooth.

#include "engine/event/automata/series_contacts.hpp"
#include "engine/event/series/resolved_step.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"
#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr std::size_t kDegree = 8;
/// In a shorter interval [s], of no effect on the motion, powers of its length would overflow.
constexpr double kInstant = 1e-15;
constexpr std::size_t kTraction = 1 + SeriesContact::kAxes;
constexpr std::size_t kQuantities = kTraction + 2;  // N, forces along the coordinates, tractions
constexpr double kContraction = 3e-4;               // factor by which each pass reduces the error

/// Values of the Legendre polynomials on [0, 1], by Bonnet's recursion.
using Basis = std::array<double, kDegree + 2>;
Basis legendrePolynomials(double tau) noexcept {
  Basis p{1.0, 2.0 * tau - 1.0};
  for (std::size_t l = 1; l <= kDegree; ++l) {
    const auto n = static_cast<double>(l);
    p[l + 1] = ((2.0 * n + 1.0) * p[1] * p[l] - n * p[l - 1]) / (n + 1.0);
  }
  return p;
}

/// Coefficient of tau^k in the Legendre polynomial of degree l on [0, 1]: (-1)^(l+k) C(l, k) C(l + k, k).
double legendreCoefficient(std::size_t l, std::size_t k) noexcept {
  double product = 1.0;
  for (std::size_t j = 1; j <= k; ++j)
    product *= static_cast<double>((l - k + j) * (l + j)) / static_cast<double>(j * j);
  return (l + k) % 2 == 0 ? product : -product;
}

using Quantities = std::array<double, kQuantities>;

/// Forces of a contact at local time t of the step, computed from the motion.
Quantities contactForcesAtTime(const SeriesContact& c, double t, std::size_t orders) noexcept {
  Local<double> x, v;
  for (std::size_t i = 0; i < 3; ++i) {
    x[i] = polynomialAt(c.place[i].first(orders + 2), t);
    v[i] = slopeAt(c.place[i].first(orders + 2), t);
  }
  const Touch<double> touch = c.gapAndNormalAt(x);
  Quantities pushed{c.normalForceAt(touch.gap, innerProduct(touch.normal, v))};
  Tangential<double> traction{};
  const ContactFrame<double> frame =
      contactFrameAtNormal<double>(c.kind, touch.normal, c.previousContactFrameOrNull(touch.normal));
  if (c.hasTraction() && !c.isHeldByFriction()) {
    FrictionKinematics<double> k;
    k.compression = pushed[0];
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
      k.position = k.position + scaled(polynomialAt(c.path[a].first(orders + 1), t), c.axis[a]);
      const double rate = slopeAt(c.path[a].first(orders + 1), t);  // rate of the path
      k.slipRate = k.slipRate + scaled(rate, c.axis[a]);
    }
    const FrictionState state = c.isSlipping() ? FrictionState::slip : FrictionState::stick;
    traction =
        std::visit([&](const auto& law) { return law.template force<double>(state, k, c.state.friction); },
                   c.contact->friction);
  }
  for (std::size_t i = 0; i < 3; ++i) pushed[1 + i] = pushed[0] * touch.normal[i];
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    pushed[kTraction + a] = dot(traction, c.axis[a]);
    const SeriesContact::PerAxis<double> along = c.slipDirection<double>(a, frame);
    for (std::size_t i = 0; i < SeriesContact::kAxes; ++i) pushed[1 + i] += pushed[kTraction + a] * along[i];
  }
  return pushed;
}

}  // namespace

/// True if a contact needs a fitted polynomial: N is a power of the penetration, and the contact closes now
/// or will open within one interval.
bool SeriesContacts::needsForceFit(const SeriesContact& c) const noexcept {
  if (!c.isPower) return false;
  const double depth = -c.state.gap;
  if (c.hasJustClosedAtSurface() || !(depth > 0.0)) return true;
  if (!(c.state.gapRate > 0.0)) return false;
  constexpr double kMargin = 1.5;
  const double left = kMargin * depth / c.state.gapRate;
  const double rest = c.normalForceAt(c.state.gap, 0.0);
  double share = 2.0 * rest / depth * left * left;
  if (c.doesForceDependOnGapRate) share += std::abs(c.normalForceAt(c.state.gap, 1.0) - rest) * left;
  return c.compliance * share <= kContraction;
}

/// Step over which the series of the motion without the fitted forces is exact to the tolerance [s].
double SeriesContacts::longestStepOfValidSeries(const TaylorExpansion& expansion) const noexcept {
  constexpr double kMost = 1e6;
  const auto size = [&](std::size_t k) { return expansion.velocityNorm(static_cast<int>(k)); };
  return std::min(kMost, longestStepResolvingSeries(expansion.order() + 1, tolerance_, size, size));
}

/// Chooses the length of the interval of a fitted polynomial: up to the opening of the contact, or as long as
/// Picard's iteration contracts by kContraction. Infinite (no polynomial) if the other series do not reach
/// the opening.
void SeriesContacts::chooseForceFitInterval(SeriesContact& c, const TaylorExpansion& expansion) noexcept {
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  const std::span<const double> gap = c.gap.first(orders + 1);
  const double valid = c.pass == 0 ? longestStepOfValidSeries(expansion) : c.fitInterval;
  c.ends = !c.hasJustClosedAtSurface() && -gap[0] > 0.0 && gap[1] > 0.0;
  if (c.ends) {
    constexpr double kMargin = 1.5;
    for (std::size_t k = 0; k < gap.size(); ++k) scratch_[k] = -gap[k];
    const double end = firstRoot({scratch_.data(), gap.size()}, kMargin * -gap[0] / gap[1]).time;
    constexpr double kNone = std::numeric_limits<double>::infinity();
    c.fitInterval = c.pass == 0 && end > valid ? kNone : end;
    return;
  }
  double h = c.most > 0.0 ? std::min(valid, c.most) : valid;
  // Contraction factor of Picard's iteration over an interval [0, end], from a bound of the penetration.
  const auto effect = [&](double end) {
    double depth = 0.0;
    double power = end;
    for (std::size_t k = 1; k < gap.size(); ++k, power *= end) depth += std::abs(gap[k]) * power;
    const double rest = c.normalForceAt(-depth, 0.0);
    double share = depth > 0.0 ? 2.0 * rest / depth * end * end : 0.0;
    if (c.doesForceDependOnGapRate) share += std::abs(c.normalForceAt(-depth, 1.0) - rest) * end;
    return c.compliance * share;
  };
  while (h > std::numeric_limits<double>::min() && !(effect(h) <= kContraction)) h *= 0.5;
  c.fitInterval = h;
}

/// Takes one pass of Picard's iteration; returns the change of the impulse per mass, relative to the speed.
double SeriesContacts::fitForcePolynomial(SeriesContact& c, const TaylorExpansion& expansion) noexcept {
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  const std::size_t degree = c.fitInterval > kInstant ? std::min(kDegree, orders - 4) : 0;
  std::array<Quantities, kDegree + 2> parts{};
  for (const QuadraturePoint& point : kGaussPoints) {
    const double square = point.at * point.at;
    const double tau = c.ends ? 1.0 - square : square;
    const Quantities pushed = contactForcesAtTime(c, tau * c.fitInterval, orders);
    const Basis p = legendrePolynomials(tau);
    for (std::size_t l = 0; l <= degree; ++l)
      for (std::size_t n = 0; n < kQuantities; ++n)
        parts[l][n] += static_cast<double>(2 * l + 1) * 2.0 * point.at * point.weight * p[l] * pushed[n];
  }
  // The next Legendre polynomial, orthogonal to the others, corrects the value at the start.
  const Quantities first = contactForcesAtTime(c, 0.0, orders);
  for (std::size_t n = 0; n < kQuantities; ++n) {
    double value = 0.0;
    for (std::size_t l = 0; l <= degree; ++l) value += l % 2 == 0 ? parts[l][n] : -parts[l][n];
    parts[degree + 1][n] = degree % 2 == 1 ? first[n] - value : value - first[n];
  }
  const std::array<std::span<double>, kQuantities> series{
      c.compression, c.push[0], c.push[1], c.push[2], c.push[3], c.traction[0], c.traction[1]};
  double change = 0.0;
  for (std::size_t n = 0; n < kQuantities; ++n) {
    if (n >= kTraction && c.isHeldByFriction())
      continue;  // the traction of a set-valued stick is solved order by order
    std::array<double, kDegree + 2> next{};
    double power = 1.0;
    for (std::size_t k = 0; k <= degree + 1; ++k, power /= c.fitInterval)
      for (std::size_t l = k; l <= degree + 1; ++l)
        next[k] += parts[l][n] * legendreCoefficient(l, k) * power;
    const std::span<const double> polynomial(next.data(), degree + 2);
    const double before = c.pass == 0 ? 0.0 : integral(series[n].first(degree + 2), c.fitInterval);
    change = std::max(change, std::abs(integral(polynomial, c.fitInterval) - before));
    std::fill(series[n].begin(), series[n].end(), 0.0);
    std::copy(polynomial.begin(), polynomial.end(), series[n].begin());
  }
  return change * c.reach / expansion.velocityNorm(0);
}

bool SeriesContacts::fitForcePolynomials(const TaylorExpansion& expansion) {
  const auto hasFit = [](const ContactSeries& u) { return u.contact->isFitted; };
  if (std::none_of(contactSeries_.begin(), contactSeries_.end(), hasFit)) return true;
  collectContactSeries(expansion);
  if (!chooseForceFitIntervals(expansion)) return false;
  constexpr int kMostPasses = 30;
  bool done = true;
  for (const ContactSeries& u : contactSeries_) {
    SeriesContact& c = *u.contact;
    if (!c.isFitted) continue;
    const double change = fitForcePolynomial(c, expansion);
    ++c.pass;
    done = done && (change <= 0.01 * tolerance_ || c.pass > kMostPasses);
  }
  return done;
}

/// Chooses the intervals of all fitted polynomials; none may exceed the shortest. The interval of a contact
/// that closes is shortened. A contact whose opening lies beyond the shortest interval uses its series
/// instead; then the result is false.
bool SeriesContacts::chooseForceFitIntervals(const TaylorExpansion& expansion) noexcept {
  double least = std::numeric_limits<double>::infinity();
  for (const ContactSeries& u : contactSeries_) {
    SeriesContact& c = *u.contact;
    if (!c.isFitted) continue;
    const double fitInterval = c.fitInterval;
    if (c.pass == 0 || !c.hasJustClosedAtSurface()) chooseForceFitInterval(c, expansion);
    if (c.pass > 0 && std::abs(c.fitInterval - fitInterval) > 0.1 * fitInterval) c.fitInterval = fitInterval;
    least = std::min(least, c.fitInterval);
  }
  bool fits = true;
  for (const ContactSeries& u : contactSeries_) {
    SeriesContact& c = *u.contact;
    if (!c.isFitted || c.pass > 0) continue;
    if (!c.ends) c.fitInterval = std::min(c.fitInterval, least);
    if (std::isfinite(c.fitInterval) && c.fitInterval <= least) continue;
    c.pass = kUnfitted;
    fits = false;
  }
  return fits;
}

bool SeriesContacts::doesStepEndInsideForceFit(double step) noexcept {
  constexpr double kMost = 0.999;
  bool within = false;
  for (const ContactSeries& u : contactSeries_) {
    SeriesContact& c = *u.contact;
    if (!c.isFitted || !(step > 0.0) || step >= kMost * c.fitInterval) continue;
    within = true;
    c.pass = c.ends ? kUnfitted : 0;
    c.most = step;
  }
  if (within)
    for (const ContactSeries& u : contactSeries_) u.contact->pass = std::min(u.contact->pass, 0);
  return within;
}

/// Replaces the series of the spring force T_e of a damped slip along a line by the particular solution of
/// T_e' = kappa (T - T_e) once the transient exp(-kappa t) is below rounding: see
/// EventContacts::tryNeglectingSpringTransient. Returns true if the series was replaced.
bool SeriesContacts::tryNeglectingSpringTransient(SeriesContact& c, std::size_t orders) noexcept {
  const std::span<const double> traction = c.traction[0];
  const std::span<double> spring = c.spring[0];
  const std::span<double> excess = std::span(scratch_).first(orders);  // D = T_e - T
  excess[orders - 1] = 0.0;
  for (std::size_t k = orders - 1; k-- > 0;)
    excess[k] = -static_cast<double>(k + 1) / c.relaxation * (traction[k + 1] + excess[k + 1]);
  if (!(std::abs(spring[0] - traction[0] - excess[0]) <=
        kNoise * (std::abs(spring[0]) + std::abs(traction[0]))))
    return false;
  for (std::size_t k = 0; k < orders; ++k) spring[k] = traction[k] + excess[k];
  return true;
}

/// Longest step over which the series of gaps, paths, tractions and springs are exact to the tolerance [s].
/// The series of a power law N limits the step only with constraints, whose reactions enter other guards; its
/// effect on the motion is small.
double SeriesContacts::longestStep(const TaylorExpansion& expansion, double step) noexcept {
  const int order = expansion.order();
  double longest = std::numeric_limits<double>::infinity();
  const auto resolve = [&](std::span<const double> series) {
    longest = std::min(longest, longestStepResolvingSeries(series, order, tolerance_));
  };
  // Guards depend on an imposed force and on the travel of a surface, even if neither moves the structure.
  for (const SeriesContact& c : contacts_) {
    if (c.imposedNormal) resolve(c.imposedSeries);
    if (!c.isSurfaceMoving() || !c.isClosed() || !c.hasTraction()) continue;
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
      longest = std::min(longest, longestStepResolvingRate(c.moved[a], order, tolerance_));
  }
  if (order < kLeastFitted) return longest;
  for (const SeriesContact& c : contacts_) {
    for (std::size_t i = 0; i < 3 && !c.drift.empty();
         // The motion of an obstacle may not appear in the motion of the structure.
         ++i)
      resolve(c.carried[i]);
    if (c.state.normal == NormalState::open) continue;
    if (c.isClosed() && c.isFitted)
      longest =
          std::min(longest, c.hasJustClosedAtSurface() ? c.fitInterval : kPastFitInterval * c.fitInterval);
    if (c.isClosed() && c.isPower && !c.isFitted && expansion.constraintCount() > 0) resolve(c.compression);
    if (c.setValuedNormal && c.isClosed())
      resolve(c.compression);
    else if (c.kind != TangentKind::fixed)
      resolve(c.gap);
    if (!c.isClosed() || !c.hasTraction()) continue;
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
      if (c.kind != TangentKind::fixed) resolve(c.path[a]);
      if (c.isHeldByFriction()) resolve(c.traction[a]);
    }
    if (c.isTurningSlip())
      longest = std::min(longest, longestStepOfTurningSlip(c, c.tractionDirection, c.path, order));
  }
  for (SeriesContact& c : contacts_) {
    if (!c.isClosed() || !c.hasTraction() || !c.hasRelaxingSlipSpring() || c.transientDecayed) continue;
    const double resolved = longestStepResolvingSeries(c.spring[0], order, tolerance_);
    if (resolved >= std::min(longest, step)) continue;
    c.transientDecayed = !c.canSlipInPlane() && !c.isFitted &&
                         tryNeglectingSpringTransient(c, static_cast<std::size_t>(order + 1));
    if (!c.transientDecayed) longest = resolved;
  }
  return longest;
}

}  // namespace ricochet
