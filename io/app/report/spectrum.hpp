#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Amplitude spectra of histories that have the same instants, by the method of Welch: segments of a power of
/// two of evenly spaced values, half overlapping, without their mean, under the window of Hann,
///
///     A(f) = 2 / sum(w) * sqrt(mean of |FFT(w x)|^2 over the segments),
///
/// so that a sine of amplitude a shows a at its frequency; at the last frequency, that of values of changing
/// sign, with the factor 1 / sum(w), so that a (-1)^i shows a there too. Values at uneven instants, as with a
/// row for each event, are interpolated linearly to even instants.
class Spectrum {
 public:
  explicit Spectrum(std::span<const double> time);

  bool empty() const noexcept { return segment_ == 0; }  ///< too few rows for a spectrum
  bool isHistoryInterpolated() const noexcept { return interpolates_; }
  /// Distance of two frequencies of the spectrum [Hz].
  double frequencyResolution() const noexcept { return 1.0 / (static_cast<double>(segment_) * step_); }
  std::size_t segmentCount() const noexcept;

  /// Frequencies that are drawn [Hz]: the first ones one by one, later ones in groups of 2 % of their
  /// frequency.
  std::vector<double> frequencies() const;
  /// Amplitudes at the drawn frequencies: the largest amplitude of each group.
  std::vector<double> amplitudes(std::span<const double> history) const;

 private:
  std::vector<double> resampleEvenly(std::span<const double> history) const;
  std::size_t endOfFrequencyGroup(std::size_t line) const noexcept;

  std::span<const double> time_;
  double step_{0.0};        // distance of even instants [s]
  std::size_t segment_{0};  // number of values of a segment
  bool interpolates_{false};
};

}  // namespace ricochet
