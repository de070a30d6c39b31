#include "engine/functions/random_signal.hpp"

#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

namespace ricochet {

double SpectralDensity::at(double f) const {
  if (frequency.empty() || f < frequency.front() || f > frequency.back()) return 0.0;
  const auto after = std::upper_bound(frequency.begin(), frequency.end(), f);
  const auto i = std::clamp<std::ptrdiff_t>(after - frequency.begin(), 1, std::ssize(frequency) - 1);
  const auto b = static_cast<std::size_t>(i), a = b - 1;
  const double width = frequency[b] - frequency[a];
  return density[a] + (density[b] - density[a]) * (width > 0.0 ? (f - frequency[a]) / width : 0.0);
}

double SpectralDensity::integral(double from, double to) const {
  double sum = 0.0;
  for (std::size_t i = 1; i < frequency.size(); ++i) {
    const double a = std::max(from, frequency[i - 1]), b = std::min(to, frequency[i]);
    if (b > a) sum += (b - a) * at(0.5 * (a + b));  // linear in between
  }
  return sum;
}

namespace {

/// Number of points of a period, at least `least`. If the period allows, the points lie on a decimal grid (1,
/// 2 or 5 times a power of ten), so that the steps of a run end at the points and need no split; else the
/// number is a power of two.
std::size_t signalPointCountOfPeriod(double period, std::size_t least) {
  const double longest = period / static_cast<double>(least);
  for (double power = std::pow(10.0, std::floor(std::log10(longest))); power > 0.01 * longest; power /= 10.0)
    for (const double times : {5.0, 2.0, 1.0}) {
      const double count = period / (times * power);
      constexpr double kRounding = 1e-9;
      if (times * power <= longest && std::abs(count - std::round(count)) < kRounding * count)
        return static_cast<std::size_t>(std::llround(count));
    }
  return std::bit_ceil(least);
}

}  // namespace

double leastPointCountOfRandomSignal(const SpectralDensity& density, double period, double perPeriod) {
  return perPeriod * density.frequency.back() * period;
}

RandomSignal generateRandomSignal(const SpectralDensity& density, double period, std::uint64_t seed,
                                  double perPeriod) {
  const double highest = density.frequency.back();
  const auto harmonics = static_cast<std::size_t>(std::floor(highest * period + 0.5));
  const auto wanted =
      static_cast<std::size_t>(std::ceil(leastPointCountOfRandomSignal(density, period, perPeriod)));
  const std::size_t points =
      signalPointCountOfPeriod(period, std::max<std::size_t>(wanted, 2 * harmonics + 2));

  std::mt19937_64 generator(seed);
  std::vector<std::complex<double>> spectrum(points);
  for (std::size_t k = 1; k <= harmonics; ++k) {
    // 2^-53: uniform numbers are formed here, because the standard distributions differ between libraries
    constexpr double kUnit = 0x1p-53;
    const double phase = 2.0 * std::numbers::pi * kUnit * static_cast<double>(generator() >> 11U);
    const auto line = static_cast<double>(k);
    const double from = k == 1 ? 0.0 : (line - 0.5) / period;
    const double amplitude = std::sqrt(2.0 * density.integral(from, (line + 0.5) / period));
    // Each of two conjugate terms gets half of the amplitude; the inverse transform divides by the number of
    // points.
    const std::complex<double> half = std::polar(0.5 * amplitude * static_cast<double>(points), phase);
    spectrum[k] = half;
    spectrum[points - k] = std::conj(half);
  }
  std::vector<std::complex<double>> sum;
  Eigen::FFT<double>().inv(sum, spectrum);

  RandomSignal signal;
  signal.times.resize(points + 1);
  signal.values.resize(points + 1);
  for (std::size_t i = 0; i <= points; ++i) {
    signal.times[i] = period * static_cast<double>(i) / static_cast<double>(points);
    signal.values[i] = sum[i % points].real();
  }
  return signal;
}

}  // namespace ricochet
