#include "engine/numerics/polynomial_range.hpp"

#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace ricochet {
namespace {

constexpr double kUnitRounding = std::numeric_limits<double>::epsilon();

/// A polynomial on the part [from, from + width] of [0, 1], as the sum of b[i] C(m, i) x^i (1 - x)^(m - i)
/// with x in [0, 1] over the part. Its values on the part lie between the smallest and the largest b[i], and
/// the number of its roots there is at most the number of sign changes of the b[i].
struct BernsteinPart {
  std::size_t count{0};
  double from{0.0}, width{1.0};
  std::array<double, kMostCoefficients> b;

  std::span<const double> coefficients() const noexcept { return {b.data(), count}; }

  int signChanges() const noexcept {
    int changes = 0;
    double before = 0.0;
    for (const double each : coefficients()) {
      if (each == 0.0) continue;
      if (each * before < 0.0) ++changes;
      before = each;
    }
    return changes;
  }

  /// Splits the polynomial (de Casteljau): this object keeps the first half, and the second half is returned.
  BernsteinPart splitInHalf() noexcept {
    BernsteinPart second;
    second.count = count;
    second.width = width *= 0.5;
    second.from = from + width;
    for (std::size_t level = count; level > 0; --level) {
      second.b[level - 1] = b[count - 1];
      for (std::size_t i = count - 1; i > count - level; --i) b[i] = 0.5 * (b[i - 1] + b[i]);
    }
    return second;
  }

  /// Coefficients C(m, i) b[i].
  std::array<double, kMostCoefficients> scaledByBinomials() const noexcept {
    std::array<double, kMostCoefficients> scaled;
    double binomial = 1.0;
    for (std::size_t i = 0; i < count; ++i) {
      scaled[i] = binomial * b[i];
      binomial *= static_cast<double>(count - 1 - i) / static_cast<double>(i + 1);
    }
    return scaled;
  }

  /// Value of the polynomial, the sum of scaled[i] x^i (1 - x)^(m - i).
  double valueOf(const std::array<double, kMostCoefficients>& scaled, double x) const noexcept {
    const double rest = 1.0 - x;
    double power = x, sum = scaled[0];
    for (std::size_t i = 1; i < count; ++i, power *= x) sum = sum * rest + power * scaled[i];
    return sum;
  }

  /// Position in the whole interval [0, 1] at which a part with ends of opposite signs changes its sign:
  /// regula falsi with the older end's value halved (Illinois), every fourth pass a bisection. Near an
  /// extremum of p, an error of 1e-9 changes p by 1e-18 of its curvature.
  double rootOfPart() const noexcept {
    constexpr int kMostPasses = 80;
    constexpr double kNear = 1e-9;
    const std::array<double, kMostCoefficients> scaled = scaledByBinomials();
    double left = 0.0, right = 1.0, atLeft = b[0], atRight = b[count - 1];
    int moved = 0;  // end of the interval that moved last: -1 left, 1 right
    for (int pass = 1; pass < kMostPasses && right - left > kNear; ++pass) {
      const double guess =
          pass % 4 == 0 ? 0.5 * (left + right) : (left * atRight - right * atLeft) / (atRight - atLeft);
      const double x = std::clamp(guess, left + 0.4 * kNear, right - 0.4 * kNear);
      const double here = valueOf(scaled, x);
      if (here == 0.0) return from + width * x;
      const bool isRight = (here < 0.0) == (atRight < 0.0);
      const int side = isRight ? 1 : -1;
      (isRight ? right : left) = x;
      (isRight ? atRight : atLeft) = here;
      if (moved == side) (isRight ? atLeft : atRight) *= 0.5;
      moved = side;
    }
    const double x = 0.5 * (left + right);
    return from + width * x;
  }
};

/// Adds the extremes of p inside (0, 1) to a range that contains the ends: `slope` is p' over [0, 1],
/// valueAt(x) is p. Extremes that increase the range by less than `rounding` are neglected.
template <class Value>
void includeExtremes(ValueRange& range, const BernsteinPart& slope, const Value& valueAt,
                     double rounding) noexcept {
  constexpr std::size_t kMostHalvings = 40;
  std::array<BernsteinPart, kMostHalvings + 2> parts;
  std::size_t left = 0;
  parts[left++] = slope;
  while (left > 0) {
    BernsteinPart& part = parts[left - 1];
    const int changes = part.signChanges();
    if (changes == 0) {
      --left;
      continue;
    }
    const auto [least, most] = std::ranges::minmax(part.coefficients());
    const double begin = valueAt(part.from);
    range.include(begin);
    const bool once = changes == 1 && part.b[0] * part.b[part.count - 1] < 0.0;
    // A part with one minimum is highest at one of its ends, which the range contains.
    const bool mayLower = !once || part.b[0] < 0.0, mayRaise = !once || part.b[0] > 0.0;
    const bool isLower = mayLower && begin + part.width * least + rounding < range.lowest;
    const bool isHigher = mayRaise && begin + part.width * most - rounding > range.highest;
    if (!isLower && !isHigher) {
      --left;
    } else if (once || left + 1 > kMostHalvings) {
      range.include(valueAt(once ? part.rootOfPart() : part.from + 0.5 * part.width));
      --left;
    } else {
      parts[left] = part.splitInHalf();
      ++left;
    }
  }
}

/// Bernstein form of p' over [0, 1] from the terms of p at the end of the interval.
BernsteinPart bernsteinFormOfSlope(std::span<const double> terms) noexcept {
  BernsteinPart slope;
  slope.count = terms.size() - 1;
  const auto degree = static_cast<double>(slope.count - 1);
  double binomial = 1.0;
  for (std::size_t k = 0; k < slope.count; ++k) {
    const auto order = static_cast<double>(k);
    slope.b[k] = (order + 1.0) * terms[k + 1] / binomial;
    binomial *= (degree - order) / (order + 1.0);
  }
  for (std::size_t j = 0; j + 1 < slope.count; ++j)
    for (std::size_t i = slope.count - 1; i > j; --i) slope.b[i] += slope.b[i - 1];
  return slope;
}

}  // namespace

void includePolynomial(ValueRange& range, std::span<const double> p, double end) noexcept {
  assert(p.size() <= kMostCoefficients);
  std::array<double, kMostCoefficients> terms;  // terms of the polynomial at the end of the interval
  double power = 1.0, above = 0.0, below = 0.0, atEnd = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k, power *= end) {
    terms[k] = p[k] * power;
    if (k > 0) (terms[k] > 0.0 ? above : below) += terms[k];
    atEnd += terms[k];
  }
  const double size = std::abs(p[0]) + above - below;
  range.include(p[0]);
  range.include(atEnd);
  if (range.contains(p[0] + below, p[0] + above)) return;
  std::size_t count = p.size();
  while (count > 2 && std::abs(terms[count - 1]) <= 0.0625 * kUnitRounding * size) --count;
  double others = 0.0;  // bound of p' minus its value at 0
  for (std::size_t k = 2; k < count; ++k) others += static_cast<double>(k) * std::abs(terms[k]);
  if (count < 3 || std::abs(terms[1]) >= others) return;
  const std::span<const double> known(terms.data(), count);
  includeExtremes(
      range, bernsteinFormOfSlope(known), [known](double x) { return polynomialAt(known, x); },
      4.0 * kUnitRounding * size);
}

namespace {

constexpr std::size_t kSamples = SampledPolynomial::kSamples;

/// Rows of fixed coefficients that convert samples to polynomials.
struct SampleRows {
  SampledPolynomial::Samples points, weights;
  std::vector<double> barycentric;
  std::array<SampledPolynomial::Samples, kSamples> toBernstein;
  std::array<SampledPolynomial::Samples, 2> lastLegendre;  ///< shares of samples in the last two coefficients
  double amplification{0.0};  ///< largest growth of the rounding of samples in the Bernstein form

  SampleRows();
};

/// Adds weight * P_degree(2 x - 1), in the Bernstein form of the degree kSamples - 1, to a column of rows.
/// P_j has the coefficients (-1)^(j + i) C(j, i), whose degree is then raised step by step.
void addLegendrePolynomial(std::size_t degree, const SampledPolynomial::Samples& weightOfSample,
                           std::array<SampledPolynomial::Samples, kSamples>& rows) {
  std::array<double, kSamples> b{};
  double binomial = 1.0;
  for (std::size_t i = 0; i <= degree; ++i) {
    b[i] = (degree + i) % 2 == 0 ? binomial : -binomial;
    binomial *= static_cast<double>(degree - i) / static_cast<double>(i + 1);
  }
  for (std::size_t raised = degree + 1; raised < kSamples; ++raised)
    for (std::size_t i = raised + 1; i-- > 0;) {
      const double share = static_cast<double>(i) / static_cast<double>(raised);
      b[i] = (i > 0 ? share * b[i - 1] : 0.0) + (1.0 - share) * b[i];
    }
  for (std::size_t i = 0; i < kSamples; ++i)
    for (std::size_t s = 0; s < kSamples; ++s) rows[i][s] += b[i] * weightOfSample[s];
}

SampleRows::SampleRows() : toBernstein{}, lastLegendre{} {
  const GaussLegendre gauss(kSamples);
  barycentric = gauss.barycentric;
  SampledPolynomial::Samples before{}, value{};  // Legendre polynomials at the points
  value.fill(1.0);
  for (std::size_t s = 0; s < kSamples; ++s) {
    points[s] = 0.5 * (1.0 + gauss.point[s]);
    weights[s] = 0.5 * gauss.weight[s];
  }
  for (std::size_t j = 0; j < kSamples; ++j) {
    const auto degree = static_cast<double>(j);
    SampledPolynomial::Samples share;  // share of each sample in the coefficient of P_j
    for (std::size_t s = 0; s < kSamples; ++s) share[s] = (2.0 * degree + 1.0) * weights[s] * value[s];
    addLegendrePolynomial(j, share, toBernstein);
    lastLegendre[j % 2] = share;
    for (std::size_t s = 0; s < kSamples; ++s) {
      const double next =
          ((2.0 * degree + 1.0) * gauss.point[s] * value[s] - degree * before[s]) / (degree + 1.0);
      before[s] = value[s];
      value[s] = next;
    }
  }
  for (const SampledPolynomial::Samples& row : toBernstein) {
    double sum = 0.0;
    for (const double each : row) sum += std::abs(each);
    amplification = std::max(amplification, sum);
  }
}

const SampleRows& sampleRows() noexcept {
  static const SampleRows kRows;
  return kRows;
}

}  // namespace

const SampledPolynomial::Samples& SampledPolynomial::points() noexcept { return sampleRows().points; }
const SampledPolynomial::Samples& SampledPolynomial::weights() noexcept { return sampleRows().weights; }

bool SampledPolynomial::isResolved(const Samples& samples) noexcept {
  constexpr double kResolved = 1e-6;
  double largest = 0.0, last = 0.0;
  for (const double sample : samples) largest = std::max(largest, std::abs(sample));
  for (const Samples& row : sampleRows().lastLegendre) {
    double coefficient = 0.0;
    for (std::size_t i = 0; i < kSamples; ++i) coefficient += row[i] * samples[i];
    last += std::abs(coefficient);
  }
  return last <= kResolved * largest;
}

void SampledPolynomial::include(ValueRange& range, const Samples& samples) noexcept {
  const SampleRows& rows = sampleRows();
  std::array<double, kSamples> b;
  double size = 0.0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    double sum = 0.0;
    for (std::size_t s = 0; s < kSamples; ++s) sum += rows.toBernstein[i][s] * samples[s];
    b[i] = sum;
    size = std::max(size, std::abs(samples[i]));
  }
  range.include(b.front());
  range.include(b.back());
  const auto [least, most] = std::ranges::minmax(b);
  if (range.contains(least, most)) return;
  BernsteinPart slope;
  slope.count = kSamples - 1;
  for (std::size_t i = 0; i < slope.count; ++i)
    slope.b[i] = static_cast<double>(slope.count) * (b[i + 1] - b[i]);
  const auto valueAt = [&](double x) {
    double value = 0.0;
    interpolate(rows.points, rows.barycentric, samples.data(), 1, x, {&value, 1});
    return value;
  };
  includeExtremes(range, slope, valueAt, rows.amplification * kUnitRounding * size);
}

}  // namespace ricochet
