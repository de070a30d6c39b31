#include "engine/transient/series_statistics.hpp"

#include "engine/numerics/certified_root.hpp"

#include <limits>

namespace ricochet {

void SeriesStatistics::begin() noexcept {
  duration_ = 0.0;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    records_[i] = {};
    // No value is outside an infinite range: no extreme is sought on this side.
    if (!channels_[i].lowest) records_[i].range.lowest = -kInfinity;
    if (!channels_[i].highest) records_[i].range.highest = kInfinity;
  }
}

void SeriesStatistics::integrate(std::size_t channel, const SampledPolynomial::Samples& samples,
                                 double h) noexcept {
  const SampledPolynomial::Samples& weights = SampledPolynomial::weights();
  Record& record = records_[channel];
  for (std::size_t s = 0; s < samples.size(); ++s) {
    record.integral += h * weights[s] * samples[s];
    record.squareIntegral += h * weights[s] * samples[s] * samples[s];
  }
}

void SeriesStatistics::add(std::size_t channel, std::span<const double> p, double h) noexcept {
  includePolynomial(records_[channel].range, p, h);
  if (!channels_[channel].isAveraged) return;
  SampledPolynomial::Samples samples;
  for (std::size_t s = 0; s < samples.size(); ++s)
    samples[s] = polynomialAt(p, SampledPolynomial::points()[s] * h);
  integrate(channel, samples, h);
}

void SeriesStatistics::add(std::size_t channel, const SampledPolynomial::Samples& samples,
                           double h) noexcept {
  SampledPolynomial::include(records_[channel].range, samples);
  if (channels_[channel].isAveraged) integrate(channel, samples, h);
}

}  // namespace ricochet
