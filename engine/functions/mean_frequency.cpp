#include "engine/functions/mean_frequency.hpp"

#include "engine/functions/function_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ricochet {
namespace {

/// Mean bend |f''| and size |f - mean| of a function.
struct Means {
  double bend{0.0}, size{0.0};
  double frequency() const noexcept {
    return bend > 0.0 && size > 0.0 && std::isfinite(bend) ? std::sqrt(bend / size) : 0.0;
  }
};

/// Means of a formula from samples whose places (multiples of the golden ratio) repeat with no period, so
/// that they need not be closer than the periods of the formula.
Means meansOfFormula(const TimeFunction& function, double begin, double end) {
  constexpr int kSamples = 1000;
  constexpr double kGolden = 0.6180339887498949;
  std::vector<double> values;
  Means means;
  double sum = 0.0;
  for (int i = 1; i <= kSamples; ++i) {
    const double place = kGolden * i - std::floor(kGolden * i);
    const std::array<double, 3> at = derivativesAt(function, begin + place * (end - begin));
    if (!std::isfinite(at[0]) || !std::isfinite(at[2])) continue;
    values.push_back(at[0]);
    sum += at[0];
    means.bend += std::abs(at[2]);
  }
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) means.size += std::abs(value - mean);
  return means;
}

/// Means of a table, times the length of the interval: a table bends where its slope changes.
Means meansOfTable(const TimeFunction& function, double begin, double end) {
  const auto forEachPiece = [&](const auto& visit) {
    for (std::size_t k = function.pieceIndexAfter(begin); k <= function.lastPiece(); ++k) {
      const TimeFunction::Piece piece = function.piece(k);
      const double from = k == 0 ? begin : std::max(begin, piece.begin), to = std::min(end, piece.end);
      if (from >= end) return;
      if (to > from) visit(piece, from, to);
    }
  };
  Means means;
  double integral = 0.0;
  forEachPiece([&](const TimeFunction::Piece& piece, double from, double to) {
    integral += 0.5 * (to - from) * (piece.at(from) + piece.at(to));
  });
  const double mean = integral / (end - begin);
  double slope = 0.0, last = 0.0;
  forEachPiece([&](const TimeFunction::Piece& piece, double from, double to) {
    const double first = piece.at(from);
    constexpr double kRounding = 1e-9;
    const double change = std::abs(piece.slope) * (to - from) + std::abs(first) + std::abs(last);
    const bool joins = from > begin && std::abs(first - last) <= kRounding * change;
    if (joins) means.bend += std::abs(piece.slope - slope);
    slope = piece.slope;
    last = piece.at(to);
    means.size += 0.5 * (to - from) * (std::abs(first - mean) + std::abs(last - mean));
  });
  return means;
}

}  // namespace

double meanAngularFrequency(const TimeFunction& function, double begin, double end) {
  const bool isFormula = function.formulaOrNull() != nullptr;
  return (isFormula ? meansOfFormula(function, begin, end) : meansOfTable(function, begin, end)).frequency();
}

}  // namespace ricochet
