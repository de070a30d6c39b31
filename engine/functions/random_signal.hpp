#pragma once

#include <cstdint>
#include <vector>

namespace ricochet {

/// One-sided power spectral density [unit^2/Hz] over the frequency [Hz], linear between its points and zero
/// outside.
struct SpectralDensity {
  std::vector<double> frequency;  ///< frequencies of the points [Hz], increasing
  std::vector<double> density;    ///< densities at the points [unit^2/Hz], not negative

  double at(double f) const;
  /// Integral between two frequencies, the variance of this band [unit^2].
  double integral(double from, double to) const;
};

/// A sample of a stationary Gaussian process by the sum of its harmonics with random phases (Shinozuka and
/// Jan, J. Sound Vib. 25 (1972) 111-128, with frequencies k / T):
///
///     x(t) = sum_k a_k cos(2 pi f_k t + phi_k),   f_k = k df, df = 1/T, phi_k uniform
///     a_k^2 / 2 = integral of S from f_k - df/2 to f_k + df/2, of the first line from 0
///
/// The signal has the period T, and its mean square over T is exactly the integral of S, for every seed.
/// The instants go from 0 to T, at most 1/(perPeriod f_max) apart and on a decimal grid if T allows one. The
/// same seed gives the same signal on every machine.
struct RandomSignal {
  std::vector<double> times;  ///< instants from 0 to T [s]
  std::vector<double> values;
};
RandomSignal generateRandomSignal(const SpectralDensity& density, double period, std::uint64_t seed,
                                  double perPeriod = 64.0);

/// Least number of the instants of such a signal; it has at most 2.5 times as many.
double leastPointCountOfRandomSignal(const SpectralDensity& density, double period, double perPeriod = 64.0);

}  // namespace ricochet
