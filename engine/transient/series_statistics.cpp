#include "engine/transient/series_statistics.hpp"

#include "engine/numerics/certified_root.hpp"

#include <limits>
#include <utility>

namespace ricochet {

void SeriesStatistics::startRecords() noexcept {
  duration_ = 0.0;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    Record& record = records_[i];
    record.range = {};
    record.integral = record.squareIntegral = 0.0;
    record.waits = false;
    // No value is outside an infinite range: no extreme is sought on this side.
    if (!channels_[i].lowest) record.range.lowest = -kInfinity;
    if (!channels_[i].highest) record.range.highest = kInfinity;
  }
}

void SeriesStatistics::addIntegrals(std::size_t channel, const SampledPolynomial::Samples& samples,
                                    double h) noexcept {
  const SampledPolynomial::Samples& weights = SampledPolynomial::sampleWeights();
  Record& record = records_[channel];
  for (std::size_t s = 0; s < samples.size(); ++s) {
    record.integral += h * weights[s] * samples[s];
    record.squareIntegral += h * weights[s] * samples[s] * samples[s];
  }
}

/// Keeps the newer piece until a later one makes its extremes superfluous, or until the end. Of two pieces
/// that both may extend the range, the one that reaches farther is searched at once: the other is often
/// superfluous then.
void SeriesStatistics::keepPiece(Record& record) noexcept {
  const std::size_t newer = 1 - record.waiting;
  if (record.waits && record.pieces[record.waiting].mayExtend(record.range)) {
    const PolynomialPiece& before = record.pieces[record.waiting];
    const PolynomialPiece& after = record.pieces[newer];
    const bool isAfterFarther = after.excess(record.range) > before.excess(record.range);
    (isAfterFarther ? after : before).includeExtremes(record.range);
    if (isAfterFarther) return;
    if (!after.mayExtend(record.range)) {
      record.waits = false;
      return;
    }
  }
  record.waits = true;
  record.waiting = newer;
}

void SeriesStatistics::finish() noexcept {
  for (Record& record : records_)
    if (std::exchange(record.waits, false) && record.pieces[record.waiting].mayExtend(record.range))
      record.pieces[record.waiting].includeExtremes(record.range);
}

void SeriesStatistics::addPolynomial(std::size_t channel, std::span<const double> p, double h) noexcept {
  Record& record = records_[channel];
  PolynomialPiece& piece = record.pieces[1 - record.waiting];
  const bool mayExtend = piece.set(p, h, record.range);
  if (channels_[channel].ofSize) record.range.includeNegatives();
  if (mayExtend && piece.mayExtend(record.range)) keepPiece(record);
  if (!channels_[channel].isAveraged) return;
  SampledPolynomial::Samples samples;
  for (std::size_t s = 0; s < samples.size(); ++s)
    samples[s] = polynomialAt(p, SampledPolynomial::samplePoints()[s] * h);
  addIntegrals(channel, samples, h);
}

void SeriesStatistics::add(std::size_t channel, const SampledPolynomial::Samples& samples,
                           double h) noexcept {
  SampledPolynomial::include(records_[channel].range, samples);
  if (channels_[channel].ofSize) records_[channel].range.includeNegatives();
  if (channels_[channel].isAveraged) addIntegrals(channel, samples, h);
}

}  // namespace ricochet
