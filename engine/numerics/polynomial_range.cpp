#include "engine/numerics/polynomial_range.hpp"

#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomial_kernel.hpp"
#include "engine/numerics/polynomials.hpp"
#include "engine/numerics/quadrature.hpp"
#include "engine/numerics/state.hpp"

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

  int signChangeCount() const noexcept {
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
  BernsteinPart splitPartInHalf() noexcept {
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
  std::array<double, kMostCoefficients> coefficientsTimesBinomials() const noexcept {
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
  double rootInBernsteinPart() const noexcept {
    constexpr int kMostPasses = 80;
    constexpr double kNear = 1e-9;
    const std::array<double, kMostCoefficients> scaled = coefficientsTimesBinomials();
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
    const int changes = part.signChangeCount();
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
      range.include(valueAt(once ? part.rootInBernsteinPart() : part.from + 0.5 * part.width));
      --left;
    } else {
      parts[left] = part.splitPartInHalf();
      ++left;
    }
  }
}

}  // namespace

/// Search for the extremes of a piece between the ends of its cells.
///
/// Between the ends of a cell of width d, a function with |f''| <= c differs from its chord by at most
/// c d^2 / 8. For the values, this shows that most cells hold no extreme of a range; for p'', that p'' has
/// one sign in a cell, which then has one extreme at most.
class ExtremesOfPiece {
 public:
  explicit ExtremesOfPiece(const PolynomialPiece& piece) noexcept
      : piece_(piece), terms_(piece.terms_.data(), piece.count_) {}

  static constexpr std::size_t kCells = PolynomialPiece::kCells;
  static constexpr double kWidth = 1.0 / kCells;
  static constexpr double kChord = 0.125 * kWidth * kWidth;

  /// Largest distance from the chords of the cells, but for rounding. `bendInside`: the largest second
  /// difference of the values; `bendSize`: bound of p''. An extreme that exceeds a range by rounding is
  /// neglected.
  double largestSag(double bendInside, double bendSize) const noexcept {
    const double atEnds = std::max(2.0 * std::abs(terms_[2]), std::abs(piece_.bendAtEnd_));
    const double bend = std::max(bendInside, kWidth * kWidth * atEnds) + kWidth * doubtOfSlopeChange();
    return 0.125 * std::min(bend, kWidth * kWidth * bendSize) - piece_.rounding_;
  }

  /// Adds the extremes inside the cells. False if a cell may have several extremes, which are not added.
  bool includeExtremesOfCells(ValueRange& range) noexcept {
    for (std::size_t cell = 0; cell < kCells; ++cell) {
      const double* ends = &piece_.values_[kAhead + cell];
      const bool mayRaise = std::max(ends[0], ends[1]) + piece_.sag_ > range.highest;
      const bool mayLower = std::min(ends[0], ends[1]) - piece_.sag_ < range.lowest;
      if ((mayRaise || mayLower) && !includeExtreme(range, cell, mayRaise, mayLower)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kAhead = PolynomialPiece::kAhead;

  /// The mean slope of a cell shows that the slope does not vanish if it exceeds half the change that p'' may
  /// make over the cell; the slopes at both ends, if their sum exceeds this change.
  bool includeExtreme(ValueRange& range, std::size_t cell, bool mayRaise, bool mayLower) noexcept {
    const ValueRange change = rangeOfSlopeChangeInCell(cell);
    const double largest = std::max(-change.lowest, change.highest);
    const double* ends = &piece_.values_[kAhead + cell];
    if (std::abs(ends[1] - ends[0]) > kWidth * 0.5 * largest + piece_.rounding_) return true;
    if (slopeCount_ == 0) computeSlopes();
    const double* slopes = &slopes_[kAhead + cell];
    const bool isMonotonic = change.lowest > 0.0 || change.highest < 0.0;
    if (slopes[0] * slopes[1] > 0.0) return isMonotonic || std::abs(slopes[0] + slopes[1]) > largest;
    if (!isMonotonic) return false;
    if (change.highest < 0.0 ? mayRaise : mayLower) range.include(extremeInCell(cell));
    return true;
  }

  /// Range of p'' d in a cell: at both ends of [0, 1] p'' is known, and a second difference of the values is
  /// p'' d^2 but for a twelfth of the bound of the fourth derivative times d^4.
  ValueRange rangeOfSlopeChangeInCell(std::size_t cell) const noexcept {
    const auto atPoint = [this](std::size_t i) {
      const double* at = &piece_.values_[kAhead + i];
      return (at[-1] - 2.0 * at[0] + at[1]) / kWidth;
    };
    const double left = cell == 0 ? 2.0 * terms_[2] * kWidth : atPoint(cell);
    const double right = cell + 1 == kCells ? piece_.bendAtEnd_ * kWidth : atPoint(cell + 1);
    const double doubt = doubtOfSlopeChange();
    return {std::min(left, right) - doubt, std::max(left, right) + doubt};
  }
  double doubtOfSlopeChange() const noexcept {
    constexpr double kDoubts = 2.0 / 3.0 + 1.0, kRoundings = 4.0;
    return kDoubts * kWidth * piece_.bendSag_ + kRoundings * piece_.rounding_ / kWidth;
  }

  void computeSlopes() noexcept {
    slopeCount_ = terms_.size() - 1;
    differentiate(terms_, slopeTerms_);
    slopes_[kAhead] = slopeTerms_[0];
    kernels::evaluatePolynomialOnGrid(slopeTerms_.data(), static_cast<Eigen::Index>(slopeCount_), 1.0,
                                      &slopes_[kAhead + 1]);
  }

  /// Value of p where its slope vanishes in a cell, by Newton's method from the chord of the slope. The last
  /// pass squares the error, and an error of 1e-9 changes p by 1e-18 of its curvature.
  double extremeInCell(std::size_t cell) const noexcept {
    constexpr int kMostPasses = 20;
    constexpr double kNear = 1e-5;
    const double* slopes = &slopes_[kAhead + cell];
    const double left = static_cast<double>(cell) * kWidth, right = left + kWidth;
    const std::span<const double> slope(slopeTerms_.data(), slopeCount_);
    double x = left + kWidth * slopes[0] / (slopes[0] - slopes[1]);
    for (int pass = 0; pass < kMostPasses; ++pass) {
      const double before = x;
      x = std::clamp(x - polynomialAt(slope, x) / slopeAt(slope, x), left, right);
      if (!(std::abs(x - before) > kNear)) break;
    }
    return polynomialAt(terms_, x);
  }

  const PolynomialPiece& piece_;
  std::span<const double> terms_;
  std::size_t slopeCount_{0};  // 0: the slopes are not known yet
  alignas(64) PolynomialPiece::Values slopes_;
  std::array<double, kMostCoefficients> slopeTerms_;
};

/// p is its chord between the ends minus the sum of terms_k (x - x^k).
bool PolynomialPiece::set(std::span<const double> p, double end, ValueRange& range) noexcept {
  assert(!p.empty() && p.size() <= kMostCoefficients);
  alignas(32) std::array<double, 4> sums;
  kernels::scalePolynomial(p.data(), std::ssize(p), end, terms_.data(), sums.data());
  const auto [total, size, arch, archSize] = sums;
  const double first = p[0], last = first + total;
  terms_[0] = first;
  count_ = p.size();
  size_ = size;
  isSampled_ = false;
  range.include(first);
  range.include(last);
  bounds_ = {smallerValueOrNan(first, last) - 0.5 * (archSize + arch),
             largerValueOrNan(first, last) + 0.5 * (archSize - arch)};
  return canExtendRange(range);
}

void PolynomialPiece::sample(ValueRange& range) noexcept {
  constexpr double kNegligible = 0.0625 * kUnitRounding;
  const double largest = std::abs(terms_[0]) + size_;
  while (count_ > 3 && std::abs(terms_[count_ - 1]) <= kNegligible * largest) --count_;
  rounding_ = 4.0 * kUnitRounding * largest;
  alignas(32) std::array<double, 4> sums;
  kernels::sumDerivativeTerms(terms_.data(), paddedSize(static_cast<Eigen::Index>(count_)), sums.data());
  const auto [bendAtEnd, bendSize, fourthSize, unused] = sums;
  bendAtEnd_ = bendAtEnd;
  bendSag_ = ExtremesOfPiece::kChord * fourthSize;
  values_[kAhead] = terms_[0];
  std::array<double, 3> found;
  kernels::polynomialRangeOnGrid(terms_.data(), static_cast<Eigen::Index>(count_), &values_[kAhead + 1],
                                 found.data());
  const auto [least, most, bendInside] = found;
  range.include(least);
  range.include(most);
  sag_ = ExtremesOfPiece(*this).largestSag(bendInside, bendSize);
  bounds_ = {smallerValueOrNan(terms_[0], least) - sag_, largerValueOrNan(terms_[0], most) + sag_};
  isSampled_ = true;
}

void PolynomialPiece::includeExtremes(ValueRange& range) const noexcept {
  if (ExtremesOfPiece(*this).includeExtremesOfCells(range)) return;
  const std::span<const double> known(terms_.data(), count_);
  BernsteinPart slope;
  slope.count = count_ - 1;
  slopeInBernsteinForm(known, slope.b);
  ricochet::includeExtremes(
      range, slope, [known](double x) { return polynomialAt(known, x); }, rounding_);
}

void includePolynomialValuesInRange(ValueRange& range, std::span<const double> p, double end) noexcept {
  PolynomialPiece piece;
  if (!piece.set(p, end, range)) return;
  piece.sample(range);
  if (piece.canExtendRange(range)) piece.includeExtremes(range);
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
    std::array<double, kSamples> b{};
    legendreInBernsteinForm(j, b);
    for (std::size_t i = 0; i < kSamples; ++i)
      for (std::size_t s = 0; s < kSamples; ++s) toBernstein[i][s] += b[i] * share[s];
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

const SampleRows& sampleRule() noexcept {
  static const SampleRows kRows;
  return kRows;
}

}  // namespace

const SampledPolynomial::Samples& SampledPolynomial::samplePoints() noexcept { return sampleRule().points; }
const SampledPolynomial::Samples& SampledPolynomial::sampleWeights() noexcept { return sampleRule().weights; }

bool SampledPolynomial::isResolved(const Samples& samples) noexcept {
  constexpr double kResolved = 1e-6;
  double largest = 0.0, last = 0.0;
  for (const double sample : samples) largest = std::max(largest, std::abs(sample));
  for (const Samples& row : sampleRule().lastLegendre) {
    double coefficient = 0.0;
    for (std::size_t i = 0; i < kSamples; ++i) coefficient += row[i] * samples[i];
    last += std::abs(coefficient);
  }
  return last <= kResolved * largest;
}

void SampledPolynomial::include(ValueRange& range, const Samples& samples) noexcept {
  const SampleRows& rows = sampleRule();
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
    interpolatePolynomials(rows.points, rows.barycentric, samples.data(), 1, x, {&value, 1});
    return value;
  };
  includeExtremes(range, slope, valueAt, rows.amplification * kUnitRounding * size);
}

}  // namespace ricochet
