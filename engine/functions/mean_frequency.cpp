#include "engine/functions/mean_frequency.hpp"

#include "engine/functions/function_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
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
Means meanFrequencyTermsOfFormula(const TimeFunction& function, double begin, double end) {
  constexpr int kSamples = 1000;
  constexpr double kGolden = 0.6180339887498949;
  std::vector<double> values;
  Means means;
  double sum = 0.0;
  for (int i = 1; i <= kSamples; ++i) {
    const double place = kGolden * i - std::floor(kGolden * i);
    const std::array<double, 3> at = valueAndDerivativesAt(function, begin + place * (end - begin));
    if (!std::isfinite(at[0]) || !std::isfinite(at[2])) continue;
    values.push_back(at[0]);
    sum += at[0];
    means.bend += std::abs(at[2]);
  }
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) means.size += std::abs(value - mean);
  return means;
}

/// The part of a piece of a table within an interval.
struct PiecePart {
  TimeFunction::Piece piece;
  double from, to;

  double width() const noexcept { return to - from; }
};

std::vector<PiecePart> piecesOfTable(const TimeFunction& function, double begin, double end) {
  std::vector<PiecePart> parts;
  for (std::size_t k = function.pieceIndexAfter(begin); k <= function.lastPiece(); ++k) {
    const TimeFunction::Piece piece = function.piece(k);
    const double from = k == 0 ? begin : std::max(begin, piece.begin), to = std::min(end, piece.end);
    if (from >= end) break;
    if (to > from) parts.push_back({piece, from, to});
  }
  return parts;
}

/// True for a piece so much shorter than its neighbours that it is a jump in the form of a ramp.
bool isPieceSteepRamp(std::span<const PiecePart> parts, std::size_t i) noexcept {
  constexpr double kSteep = 1e-2;
  if (parts.size() < 2) return false;
  const double before = parts[i > 0 ? i - 1 : i + 1].width();
  const double after = parts[i + 1 < parts.size() ? i + 1 : i - 1].width();
  return parts[i].width() < kSteep * std::min(before, after);
}

/// Means of a table, times the length of the interval: a table bends where its slope changes. Jumps, in the
/// form of steep ramps too, do not count: no distance of rows would follow them.
Means meanFrequencyTermsOfTable(const TimeFunction& function, double begin, double end) {
  const std::vector<PiecePart> parts = piecesOfTable(function, begin, end);
  Means means;
  double integral = 0.0;
  for (const PiecePart& part : parts)
    integral += 0.5 * part.width() * (part.piece.at(part.from) + part.piece.at(part.to));
  const double mean = integral / (end - begin);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PiecePart& part = parts[i];
    const double first = part.piece.at(part.from), last = part.piece.at(part.to);
    means.size += 0.5 * part.width() * (std::abs(first - mean) + std::abs(last - mean));
    if (i == 0 || isPieceSteepRamp(parts, i) || isPieceSteepRamp(parts, i - 1)) continue;
    constexpr double kRounding = 1e-9;
    const double earlier = parts[i - 1].piece.at(parts[i - 1].to);
    const double change = std::abs(part.piece.slope) * part.width() + std::abs(first) + std::abs(earlier);
    if (std::abs(first - earlier) <= kRounding * change)
      means.bend += std::abs(part.piece.slope - parts[i - 1].piece.slope);
  }
  return means;
}

}  // namespace

double meanAngularFrequency(const TimeFunction& function, double begin, double end) {
  const bool isFormula = function.formulaOrNull() != nullptr;
  return (isFormula ? meanFrequencyTermsOfFormula(function, begin, end)
                    : meanFrequencyTermsOfTable(function, begin, end))
      .frequency();
}

}  // namespace ricochet
