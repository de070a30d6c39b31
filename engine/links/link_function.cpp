#include "engine/links/link_function.hpp"

#include "engine/functions/formula_range.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

// Rounding of an integral, relative to the largest force times the interval.
constexpr double kRounding = 1e-13;

/// Integral of a function by five Gauss points; `largest` becomes the largest |f| at these points if that is
/// larger.
double integralByGaussRule(const LinkFunction& f, double from, double to, double& largest) noexcept {
  constexpr std::array<double, 5> kPoint{-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                         0.9061798459386640};
  constexpr std::array<double, 5> kWeight{0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                          0.4786286704993665, 0.2369268850561891};
  const double half = 0.5 * (to - from);
  double sum = 0.0;
  for (std::size_t i = 0; i < kPoint.size(); ++i) {
    const double value = f.at(from + half * (1.0 + kPoint[i]));
    largest = std::max(largest, std::abs(value));
    sum += kWeight[i] * value;
  }
  return half * sum;
}

/// Rounding of a formula between two arguments: far more than that of its value where its parts cancel, as
/// those of k (x + (|x - g| - |x + g|)/2) do within the backlash g. Of two arguments the smaller rounding
/// counts, as one of them may be that of a jump.
double roundingErrorOfFormula(const LinkFunction& f, double from, double to) noexcept {
  double least = std::numeric_limits<double>::infinity();
  for (const double x : {0.5 * (from + to), 0.25 * from + 0.75 * to}) {
    const FormulaRange range = rangeWithRounding(*f.formulaOrNull(), std::array{FormulaRange{x, x}});
    least = std::min(least, range.largest - range.least);
  }
  return std::isfinite(least) ? least : 0.0;
}

/// The same integral as a sum over two halves, each halved again up to `halvings` times, until the sum
/// differs from the integral of the undivided interval, `whole`, by no more than `enough`.
double integralByGaussRuleOnHalves(const LinkFunction& f, double from, double to, double whole, double enough,
                                   int halvings) noexcept {
  const double middle = 0.5 * (from + to);
  double largest = 0.0;
  const double left = integralByGaussRule(f, from, middle, largest),
               right = integralByGaussRule(f, middle, to, largest);
  // where no point of the undivided interval had a force, `enough` is zero, which rounding never allows
  const double rounding = kRounding * largest * std::abs(to - from);
  const double change = std::abs(left + right - whole);
  if (halvings == 0 || !(change > std::max(enough, rounding)) ||
      !(change > roundingErrorOfFormula(f, from, to) * std::abs(to - from)))
    return left + right;
  return integralByGaussRuleOnHalves(f, from, middle, left, enough, halvings - 1) +
         integralByGaussRuleOnHalves(f, middle, to, right, enough, halvings - 1);
}

}  // namespace

double LinkFunction::largestSlope() const noexcept {
  double steepest = 0.0;
  for (std::size_t k = 0; k <= function_.lastPiece(); ++k)
    steepest = std::max(steepest, function_.piece(k).slope);
  return steepest;
}

std::optional<double> LinkFunction::proportionalFactor() const noexcept {
  const double c = at(1.0);
  const auto isOnLine = [&](double x) { return std::abs(at(x) - c * x) <= 1e-13 * c * std::abs(x); };
  if (!(c > 0.0) || !std::isfinite(c)) return std::nullopt;
  if (isFormula()) {
    if (!function_.formulaOrNull()->isSmooth()) return std::nullopt;
    for (double x = 1e-12; x < 1e12; x *= 3.0)
      if (!isOnLine(x) || !isOnLine(-x)) return std::nullopt;
    return c;
  }
  for (std::size_t k = 0; k <= function_.lastPiece(); ++k) {
    const TimeFunction::Piece piece = function_.piece(k);
    if (!isOnLine(piece.begin) || std::abs(piece.slope - c) > 1e-13 * c) return std::nullopt;
  }
  return c;
}

double LinkFunction::integral(double from, double to) const noexcept {
  if (from == to) return 0.0;
  if (isFormula()) {
    constexpr int kHalvings = 50;
    double largest = 0.0;
    const double whole = integralByGaussRule(*this, from, to, largest);
    if (function_.formulaOrNull()->isSmooth()) return whole;
    // The branches of a formula may have kinks or jumps between the points.
    return integralByGaussRuleOnHalves(*this, from, to, whole, kRounding * largest * std::abs(to - from),
                                       kHalvings);
  }
  if (to < from) return -integral(to, from);
  double sum = 0.0;
  double x = from;
  for (std::size_t k = function_.pieceIndexAfter(from); x < to; ++k) {
    const TimeFunction::Piece piece = function_.piece(k);
    const double end = k == function_.lastPiece() ? to : std::min(to, piece.end);
    if (end > x) sum += 0.5 * (end - x) * (piece.at(x) + piece.at(end));
    x = std::max(x, end);
  }
  return sum;
}

}  // namespace ricochet
