#include "engine/numerics/certified_root.hpp"

#include "engine/numerics/lanes.hpp"
#include "engine/numerics/polynomial_kernel.hpp"
#include "engine/numerics/polynomials.hpp"
#include "engine/numerics/state.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace ricochet {
namespace {

constexpr std::size_t kLongest = 128;  // largest number of coefficients
/// Size of coefficients from which derivatives and expansions about other points may exceed the range of
/// numbers: products of series over short steps have such coefficients at powers whose terms are small.
constexpr double kHuge = 1e200;

/// A polynomial that can be expanded about another point, with its derivative.
class ShiftedPolynomial {
 public:
  explicit ShiftedPolynomial(std::span<const double> p) noexcept : size_(p.size()) {
    assert(p.size() <= kLongest);
    std::copy(p.begin(), p.end(), p_.begin());
    differentiate(p, slope_);
  }
  std::span<const double> coefficients() const noexcept { return {p_.data(), size_}; }
  double value(double t) const noexcept { return polynomialAt(coefficients(), t); }
  double slope(double t) const noexcept {
    return size_ < 2 ? 0.0 : polynomialAt({slope_.data(), size_ - 1}, t);
  }

  /// Replaces p(t) by p(t + shift), by repeated synthetic division.
  void shiftOrigin(double shift) noexcept {
    for (std::size_t i = 0; i + 1 < size_; ++i)
      for (std::size_t k = size_ - 1; k-- > i;) p_[k] += shift * p_[k + 1];
    differentiate(coefficients(), slope_);
  }

 private:
  std::size_t size_;
  std::array<double, kLongest> p_;
  std::array<double, kLongest> slope_;
};

/// Bounds of a polynomial p on [0, end].
struct PolynomialBounds {
  double excursion{0.0};  ///< upper bound of |p - p(0)|
  double decrease{0.0};   ///< upper bound of p(0) - p
  double curvature{0.0};  ///< bound of p'' from below: p'' >= -curvature
  double convexity{0.0};  ///< bound of p'' from above: p'' <= convexity
};

PolynomialBounds boundsFromCoefficients(std::span<const double> p, double end) noexcept {
  alignas(64) std::array<double, kLongest> terms;
  alignas(32) std::array<double, 4> sums;
  const auto padded = static_cast<std::size_t>(paddedSize(std::ssize(p)));
  terms[0] = 0.0;  // the bounds are those of p - p(0)
  std::copy(p.begin() + 1, p.end(), terms.begin() + 1);
  std::fill(terms.begin() + std::ssize(p), terms.begin() + static_cast<std::ptrdiff_t>(padded), 0.0);
  kernels::sumPolynomialTerms(terms.data(), static_cast<Eigen::Index>(padded), end, sums.data());
  const double perSquare = 1.0 / (end * end);
  return {.excursion = sums[0] - sums[1],
          .decrease = -sums[1],
          .curvature = -sums[3] * perSquare,
          .convexity = sums[2] * perSquare};
}

constexpr double kRootRounding = 2.0 * std::numeric_limits<double>::epsilon();

/// Result of several safe advances (see distanceOfCertainPositivity) from `t` within a window.
struct Walk {
  enum Outcome { root, windowEnd, advancesUsed, rootByTangent } outcome;
  double time;   ///< the root, the end of the window, or the last point reached
  double reach;  ///< `advancesUsed`: proposed length of the next window; `rootByTangent`: the root by the
                 ///< tangent
};

Walk continueSearchForFirstRoot(const ShiftedPolynomial& local, const PolynomialBounds& bounds, double t,
                                double window, double noise, double origin) noexcept {
  constexpr int kMostSafeAdvances = 8;
  constexpr double kReach = 16.0;
  constexpr double kNear = 1e-3;
  double value = local.value(t);
  double slope = local.slope(t);
  double advance = 0.0;
  if (value > bounds.decrease + noise) return {Walk::windowEnd, window, 0.0};
  for (int i = 0; i < kMostSafeAdvances; ++i) {
    advance = distanceOfCertainPositivity(value, slope, bounds.curvature);
    if (!(t + advance < window)) return {Walk::windowEnd, window, 0.0};
    if (advance <= kRootRounding * (origin + t)) return {Walk::root, t, 0.0};
    t += advance;
    value = local.value(t);
    slope = local.slope(t);
    if (value > noise) continue;
    // Within rounding of the root, the tangent gives the root if p decreases; far from the root the tangent
    // is meaningless.
    const double onTangent = slope < 0.0 ? std::clamp(t - value / slope, 0.0, window) : t;
    const bool isNear = slope < 0.0 && std::abs(onTangent - t) <= kNear * window;
    return isNear ? Walk{Walk::root, onTangent, 0.0} : Walk{Walk::rootByTangent, t, onTangent};
  }
  return {Walk::advancesUsed, t, kReach * advance};
}

}  // namespace

double distanceOfCertainPositivity(double value, double slope, double curvature) noexcept {
  const double root = std::sqrt(slope * slope + 2.0 * curvature * value);
  if (slope > 0.0)
    return curvature > 0.0 ? (slope + root) / curvature : std::numeric_limits<double>::infinity();
  return 2.0 * value / (root - slope);
}

std::span<const double> leadingFiniteCoefficients(std::span<const double> p) noexcept {
  const auto end = std::find_if_not(p.begin(), p.end(), [](double c) { return std::isfinite(c); });
  return p.first(static_cast<std::size_t>(end - p.begin()));
}

/// Horner schemes for the even and for the odd powers, side by side in one register.
double polynomialAt(std::span<const double> p, double t) noexcept {
  const double square = t * t;
  kernels::Register16 sums{};  // of the even and of the odd powers
  std::size_t k = p.size();
  if (k % 2 != 0) sums[0] = p[--k];
  while (k > 0) {
    k -= 2;
    kernels::Register16 coefficients;
    std::memcpy(&coefficients, p.data() + k, sizeof coefficients);
    sums = coefficients + square * sums;
  }
  return sums[0] + t * sums[1];
}

namespace {

/// Instant at which the search starts: before this instant, p is certainly positive. Between two neighbours
/// of a grid of distance d, p lies above the chord minus p'' d^2 / 8.
double startOfRootSearchOnGrid(std::span<const double> p, double end,
                               const PolynomialBounds& bounds) noexcept {
  constexpr double kCells = kernels::kGrid;
  constexpr double kRoundings = 16.0;  // rounding errors of the values and of the bound itself
  const double width = end / kCells;
  const double sag =
      0.125 * bounds.convexity * width * width + kRoundings * kRootRounding * (p[0] + bounds.excursion);
  if (!(p[0] > sag)) return 0.0;
  alignas(64) std::array<double, kernels::kGrid> values;
  kernels::evaluatePolynomialOnGrid(p.data(), static_cast<Eigen::Index>(p.size()), end, values.data());
  int certain = 0;
  while (certain < kernels::kGrid && values[static_cast<std::size_t>(certain)] > sag) ++certain;
  return certain == kernels::kGrid ? end : width * certain;
}

/// First root of p after `begin`. `bounds`: those of p on [0, end].
RootSearch firstRootAfter(double begin, std::span<const double> p, double end,
                          PolynomialBounds bounds) noexcept {
  constexpr int kMostWindows = 200;
  ShiftedPolynomial local(p);
  const auto noiseUntil = [p](double t) {
    return kRootRounding * (p[0] + boundsFromCoefficients(p, t).excursion);
  };
  const double most = kRootRounding * (p[0] + bounds.excursion);
  double noise = most;
  double origin = 0.0;
  double window = end;  // length for which the bounds hold; shorter windows have tighter bounds
  for (int i = 0; i < kMostWindows; ++i) {
    const Walk walk = continueSearchForFirstRoot(local, bounds, i == 0 ? begin : 0.0, window, noise, origin);
    if (walk.outcome == Walk::root) return {true, std::min(origin + walk.time, end)};
    if (walk.outcome == Walk::rootByTangent) {
      // A polynomial that starts near zero has tighter bounds over a shorter window.
      constexpr double kShorter = 1.0 / 16.0;
      const double less = noiseUntil(origin + walk.time + kShorter * window);
      if (!(less < 0.5 * noise)) return {true, std::min(origin + walk.reach, end)};
      origin += walk.time;
      local.shiftOrigin(walk.time);
      window = std::min(end - origin, kShorter * window);
      noise = less;
      bounds = boundsFromCoefficients(local.coefficients(), window);
      continue;
    }
    origin += walk.time;
    const double left = end - origin;
    if (walk.outcome == Walk::windowEnd && !(left > 0.0)) return {false, end};
    local.shiftOrigin(walk.time);
    window = std::min(left, walk.outcome == Walk::windowEnd ? 2.0 * window : walk.reach);
    if (noise < most) noise = std::max(noise, noiseUntil(origin + window));
    bounds = boundsFromCoefficients(local.coefficients(), window);
  }
  return {false, origin};
}

/// True if a coefficient is huge. Those of a polynomial whose terms at `end` are of usual size are at most
/// these terms divided by the last power of `end`, so that the coefficients of most polynomials need no look.
bool hasHugeCoefficient(std::span<const double> p, double end) noexcept {
  constexpr int kUsualBits = 500;
  if (-std::ilogb(end) * static_cast<int>(p.size()) < kUsualBits) return false;
  return std::any_of(p.begin(), p.end(), [](double c) { return !(std::abs(c) < kHuge); });
}

/// The same as `firstRootAfter`, with the time in units of `end`: the coefficients are then no larger than
/// the terms of p at the end.
RootSearch firstRootInUnitTime(double begin, std::span<const double> p, double end) noexcept {
  std::array<double, kLongest> scaled;
  double half = 1.0;  // end^(k/2): end^k itself may be below the range of numbers
  for (std::size_t k = 0; k < p.size(); ++k) {
    scaled[k] = p[k] * half;
    if (k % 2 != 0) half *= end;
    scaled[k] *= half;
  }
  const std::span<const double> unit(scaled.data(), p.size());
  const RootSearch search = firstRootAfter(begin / end, unit, 1.0, boundsFromCoefficients(unit, 1.0));
  return {search.found, search.time * end};
}

}  // namespace

RootSearch firstRoot(std::span<const double> p, double end) noexcept {
  const PolynomialBounds bounds = boundsFromCoefficients(p, end);
  if (p[0] > bounds.decrease * (1.0 + kRootRounding)) return {false, end};
  const double begin = startOfRootSearchOnGrid(p, end, bounds);
  if (begin >= end) return {false, end};
  return hasHugeCoefficient(p, end) ? firstRootInUnitTime(begin, p, end)
                                    : firstRootAfter(begin, p, end, bounds);
}

}  // namespace ricochet
