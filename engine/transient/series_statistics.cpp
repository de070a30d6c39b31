#include "engine/transient/series_statistics.hpp"

#include "engine/numerics/certified_root.hpp"

#include <limits>
#include <numeric>
#include <utility>

namespace ricochet {

void SeriesStatistics::startRecords() noexcept {
  duration_ = 0.0;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    Record& record = records_[i];
    record.range = {};
    record.integral = record.squareIntegral = 0.0;
    record.waiting = 0;
    // No value is outside an infinite range: no extreme is sought on this side.
    if (!channels_[i].lowest) record.range.lowest = -kInfinity;
    if (!channels_[i].highest) record.range.highest = kInfinity;
  }
}

void SeriesStatistics::addIntegralsOfPiece(std::size_t channel, const SampledPolynomial::Samples& samples,
                                           double h) noexcept {
  const SampledPolynomial::Samples& weights = SampledPolynomial::sampleWeights();
  Record& record = records_[channel];
  for (std::size_t s = 0; s < samples.size(); ++s) {
    record.integral += h * weights[s] * samples[s];
    record.squareIntegral += h * weights[s] * samples[s] * samples[s];
  }
}

/// Adds the extremes inside the waiting pieces to the range. The piece whose bounds reach farthest is always
/// next, at first sampled and later searched: what it adds makes most other pieces superfluous.
void SeriesStatistics::searchWaitingPieces(std::size_t channel) noexcept {
  Record& record = records_[channel];
  std::array<std::size_t, kMostWaiting> left;  // indices of pieces
  std::size_t count = std::exchange(record.waiting, 0);
  std::iota(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count), std::size_t{0});
  while (count > 0) {
    std::size_t best = 0;
    double farthest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count;) {
      const PolynomialPiece& piece = record.pieces[left[i]];
      if (!piece.canExtendRange(record.range)) {
        left[i] = left[--count];
        continue;
      }
      if (const double excessOverRange = piece.excessOverRange(record.range); excessOverRange > farthest) {
        farthest = excessOverRange;
        best = i;
      }
      ++i;
    }
    if (count == 0) return;
    PolynomialPiece& piece = record.pieces[left[best]];
    if (!piece.isSampled()) {
      piece.sample(record.range);
    } else {
      piece.includeExtremes(record.range);
      left[best] = left[--count];
    }
    if (channels_[channel].ofSize) record.range.makeRangeSymmetricAboutZero();
  }
}

void SeriesStatistics::finish() noexcept {
  for (std::size_t i = 0; i < records_.size(); ++i) searchWaitingPieces(i);
}

void SeriesStatistics::addPolynomialPieceOfChannel(std::size_t channel, std::span<const double> p,
                                                   double h) noexcept {
  Record& record = records_[channel];
  const bool canExtendRange = record.pieces[record.waiting].set(p, h, record.range);
  if (channels_[channel].ofSize) record.range.makeRangeSymmetricAboutZero();
  if (canExtendRange && ++record.waiting == kMostWaiting) searchWaitingPieces(channel);
  if (!channels_[channel].isAveraged) return;
  SampledPolynomial::Samples samples;
  for (std::size_t s = 0; s < samples.size(); ++s)
    samples[s] = polynomialAt(p, SampledPolynomial::samplePoints()[s] * h);
  addIntegralsOfPiece(channel, samples, h);
}

void SeriesStatistics::add(std::size_t channel, const SampledPolynomial::Samples& samples,
                           double h) noexcept {
  SampledPolynomial::include(records_[channel].range, samples);
  if (channels_[channel].ofSize) records_[channel].range.makeRangeSymmetricAboutZero();
  if (channels_[channel].isAveraged) addIntegralsOfPiece(channel, samples, h);
}

}  // namespace ricochet
