#include "engine/contact/impulse/contact_impulse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr int kSecularSteps = 60;
constexpr double kRoundingOfImpulses = 4e-16;
constexpr double kSingular = 1e-12;  // ratio to D_nn below which a compliance is singular

/// Norm |x(alpha)| of the solution of (D + alpha) x = -c, in the principal axes of D.
struct Secular {
  std::array<double, 2> eigenvalues, c;

  double secularSolutionComponent(std::size_t i, double alpha) const noexcept {
    return c[i] == 0.0 ? 0.0 : -c[i] / (eigenvalues[i] + alpha);
  }
  double secularSolutionNorm(double alpha) const noexcept {
    return lengthOfTangentialVector({secularSolutionComponent(0, alpha), secularSolutionComponent(1, alpha)});
  }

  /// Root of |x(alpha)| = limit, by Newton's method within a bracket on 1/|x(alpha)|, which is nearly linear
  /// in alpha.
  double rootOfSecularEquation(double limit) const noexcept {
    const double load = lengthOfTangentialVector({c[0], c[1]}) / limit;
    double low = std::max(0.0, load - std::max(eigenvalues[0], eigenvalues[1]));
    double high = std::max(low, load - std::min(eigenvalues[0], eigenvalues[1]));
    double alpha = low > 0.0 ? low : high;
    for (int i = 0; i < kSecularSteps; ++i) {
      const double length = secularSolutionNorm(alpha);
      (length > limit ? low : high) = alpha;
      double slope = 0.0;  // derivative of |x|^2 / 2 by alpha
      for (std::size_t k = 0; k < 2; ++k)
        if (c[k] != 0.0)
          slope -= secularSolutionComponent(k, alpha) * secularSolutionComponent(k, alpha) /
                   (eigenvalues[k] + alpha);
      double next = alpha + length * length / slope * (limit - length) / limit;
      if (!(next >= low && next <= high)) next = 0.5 * (low + high);
      if (std::abs(next - alpha) <= kRoundingOfImpulses * high) return next;
      alpha = next;
    }
    return alpha;
  }
};

/// Impulses of a closed contact whose slip rate opposes the friction impulse, y_t = -alpha x_t.
struct DraggedContact {
  const LocalContact& contact;

  /// Normal compliance of the contact when its tangents move by y_t = -alpha x_t: D_nn - D_nt (D_tt +
  /// alpha)^-1 D_tn. It is positive for alpha > 0.
  double normalComplianceWithDraggedTangents(double alpha) const noexcept {
    double own = contact.own.normal;
    for (std::size_t k = 0; k < 2; ++k)
      if (contact.own.across[k] != 0.0)
        own -= contact.own.across[k] * contact.own.across[k] / (contact.own.tangential[k] + alpha);
    return own;
  }
  LocalImpulse impulseAtDragFactor(double alpha) const noexcept {
    const BlockCompliance& own = contact.own;
    const std::array c{contact.slip.first, contact.slip.second};
    double load = -contact.normal;
    for (std::size_t k = 0; k < 2; ++k)
      if (own.across[k] != 0.0) load += own.across[k] * c[k] / (own.tangential[k] + alpha);
    const double normal = load / normalComplianceWithDraggedTangents(alpha);
    const auto along = [&](std::size_t k) {
      const double rate = c[k] + own.across[k] * normal;
      return rate == 0.0 ? 0.0 : -rate / (own.tangential[k] + alpha);
    };
    return {normal, {along(0), along(1)}, false};
  }
  double frictionBeyondLimit(const LocalImpulse& x) const noexcept {
    return lengthOfTangentialVector(x.friction) - contact.coefficient * x.normal;
  }
};

/// Slip along a line. The slip rate has the sign of -x_t; both signs are tried.
LocalImpulse solveImpulseOfSlipAlongLine(const LocalContact& contact, const LocalImpulse& stick) noexcept {
  const BlockCompliance& own = contact.own;
  // sign against the friction that a stick needs
  const double first = stick.friction.first > 0.0 ? -1.0 : 1.0;
  LocalImpulse best;
  double leastWrong = std::numeric_limits<double>::infinity();
  for (const double sign : {first, -first}) {
    const double schur = own.normal - contact.coefficient * sign * own.across[0];
    if (!(schur > 0.0)) continue;
    const double normal = -contact.normal / schur;
    const double friction = -contact.coefficient * sign * normal;
    const double slip = contact.slip.first + own.across[0] * normal + own.tangential[0] * friction;
    if (-sign * slip >= leastWrong) continue;
    leastWrong = -sign * slip;
    best = {normal, {friction, 0.0}, true};
    if (leastWrong <= 0.0) break;
  }
  return best;
}

/// Root alpha of |x_t| = mu x_n by false position (Illinois), between `low`, where the friction exceeds its
/// bound, and infinity.
LocalImpulse solveImpulseOfSlipInPlane(const DraggedContact& dragged, double low, double atLow) noexcept {
  const BlockCompliance& own = dragged.contact.own;
  double high = std::max(low, own.tangential[0]), atHigh = atLow;
  for (int i = 0; i < 600 && !(atHigh <= 0.0); ++i) {
    high *= 4.0;
    atHigh = dragged.frictionBeyondLimit(dragged.impulseAtDragFactor(high));
    if (atHigh > 0.0) low = high, atLow = atHigh;
  }
  int side = 0;
  double alpha = high;
  for (int i = 0; i < 4 * kSecularSteps && high - low > kRoundingOfImpulses * high; ++i) {
    alpha = i % 3 == 2 ? 0.5 * (low + high) : (atLow * high - atHigh * low) / (atLow - atHigh);
    const double here = dragged.frictionBeyondLimit(dragged.impulseAtDragFactor(alpha));
    if (here == 0.0) break;
    if (here > 0.0) {
      low = alpha, atLow = here;
      if (side == 1) atHigh *= 0.5;
      side = 1;
    } else {
      high = alpha, atHigh = here;
      if (side == -1) atLow *= 0.5;
      side = -1;
    }
  }
  LocalImpulse x = dragged.impulseAtDragFactor(alpha);
  x.slides = true;
  const double size = lengthOfTangentialVector(x.friction);
  if (size > 0.0) x.friction = scaled(dragged.contact.coefficient * x.normal / size, x.friction);
  return x;
}

/// Impulses of a closed contact whose friction is limited by its own normal impulse.
LocalImpulse solveImpulseOfClosedContact(const LocalContact& contact) noexcept {
  const BlockCompliance& own = contact.own;
  const bool isCoupled = own.across[0] != 0.0 || own.across[1] != 0.0;
  if (!isCoupled || !(contact.coefficient > 0.0)) {
    LocalImpulse x{-contact.normal / own.normal, {}, true};
    const DiscSolution disc = minimizeQuadraticOnFrictionDisc({own.tangential[0], 0.0, own.tangential[1]},
                                                              contact.slip, contact.coefficient * x.normal);
    x.friction = disc.x;
    x.slides = disc.slides;
    return x;
  }
  const DraggedContact dragged{contact};
  // A very small regularisation alpha gives no slip along an axis without compliance, and no impulse from a
  // singular block.
  double least = 0.0;
  for (std::size_t k = 0; k < 2; ++k)
    if (!(own.tangential[k] > 0.0) && contact.slip.second != 0.0) least = kSingular * own.tangential[0];
  if (!(dragged.normalComplianceWithDraggedTangents(least) > kSingular * own.normal))
    least = kSingular * own.tangential[0];
  const LocalImpulse stick = dragged.impulseAtDragFactor(least);
  const double excess = dragged.frictionBeyondLimit(stick);
  if (stick.normal >= 0.0 && excess <= 0.0) return stick;
  return own.isLine ? solveImpulseOfSlipAlongLine(contact, stick)
                    : solveImpulseOfSlipInPlane(dragged, least, std::max(excess, 0.0));
}

/// Impulses of a contact whose friction has the constant limit mu `pressed`: the open contact is tried first,
/// then the closed one.
LocalImpulse solveImpulseWithConstantFrictionLimit(const LocalContact& contact) noexcept {
  const BlockCompliance& own = contact.own;
  const double limit = contact.coefficient * contact.pressed;
  const Tangential<double> across{own.across[0], own.across[1]};
  const DiscSolution open =
      minimizeQuadraticOnFrictionDisc({own.tangential[0], 0.0, own.tangential[1]}, contact.slip, limit);
  if (contact.normal + dot(across, open.x) >= 0.0) return {0.0, open.x, open.slides};
  // The normal impulse that keeps y_n at its target is eliminated.
  const double part = 1.0 / own.normal;
  const DiscSolution closed = minimizeQuadraticOnFrictionDisc(
      {own.tangential[0] - part * across.first * across.first, -part * across.first * across.second,
       own.tangential[1] - part * across.second * across.second},
      contact.slip - scaled(part * contact.normal, across), limit);
  return {-part * (contact.normal + dot(across, closed.x)), closed.x, closed.slides};
}

}  // namespace

DiscSolution minimizeQuadraticOnFrictionDisc(const std::array<double, 3>& d, const Tangential<double>& c,
                                             double limit) noexcept {
  if (!(limit > 0.0)) return {{}, true};
  // The principal axes of D are rotated by half the angle of (d11 - d22, 2 d12).
  double cosine = 1.0, sine = 0.0;
  if (d[1] != 0.0) {
    const double angle = 0.5 * std::atan2(2.0 * d[1], d[0] - d[2]);
    cosine = std::cos(angle);
    sine = std::sin(angle);
  }
  const double mean = 0.5 * (d[0] + d[2]);
  const double radius = d[1] == 0.0 ? 0.5 * (d[0] - d[2]) : std::hypot(0.5 * (d[0] - d[2]), d[1]);
  Secular s{{mean + radius, mean - radius},
            {cosine * c.first + sine * c.second, cosine * c.second - sine * c.first}};
  const double largest = std::max({s.eigenvalues[0], s.eigenvalues[1], 0.0});
  bool holds = true;
  for (std::size_t i = 0; i < 2; ++i) {
    if (s.eigenvalues[i] > kRoundingOfImpulses * largest) continue;
    s.eigenvalues[i] = 0.0;  // no impulse moves the contact along this axis
    if (std::abs(s.c[i]) <= kRoundingOfImpulses * lengthOfTangentialVector(c))
      s.c[i] = 0.0;
    else
      holds = false;
  }
  const bool slides = !holds || s.secularSolutionNorm(0.0) > limit;
  const double alpha = slides ? s.rootOfSecularEquation(limit) : 0.0;
  const Tangential<double> x{s.secularSolutionComponent(0, alpha), s.secularSolutionComponent(1, alpha)};
  return {{cosine * x.first - sine * x.second, sine * x.first + cosine * x.second}, slides};
}

LocalImpulse solveImpulseOfContact(const LocalContact& contact) noexcept {
  if (contact.pressed > 0.0) {
    const LocalImpulse limited = solveImpulseWithConstantFrictionLimit(contact);
    if (limited.normal <= contact.pressed) return limited;
  }
  if (contact.normal >= 0.0) return {};
  return solveImpulseOfClosedContact(contact);
}

}  // namespace ricochet
