#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ricochet::test {

template <std::size_t N>
struct PairStep {
  std::array<double, N> next{};
  double error{};  ///< largest component of the embedded difference
};

/// One step of the pair 5(4) of J.R. Dormand and P.J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26, of an
/// autonomous equation s' = rate(s).
template <std::size_t N, class F>
PairStep<N> dormandPrince(const F& rate, const std::array<double, N>& s, double h) {
  constexpr std::size_t kStages = 7;
  constexpr std::array<std::array<double, 6>, kStages> a{
      {{},
       {1.0 / 5},
       {3.0 / 40, 9.0 / 40},
       {44.0 / 45, -56.0 / 15, 32.0 / 9},
       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
       {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}};
  constexpr std::array<double, kStages> difference{71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                                   -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  std::array<std::array<double, N>, kStages> k{};
  PairStep<N> step;
  for (std::size_t i = 0; i < kStages; ++i) {
    std::array<double, N> at = s;
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t n = 0; n < N; ++n) at[n] += h * a[i][j] * k[j][n];
    k[i] = rate(at);
    step.next = at;  // the last stage is evaluated at the end of the step
  }
  for (std::size_t n = 0; n < N; ++n) {
    double e = 0.0;
    for (std::size_t i = 0; i < kStages; ++i) e += h * difference[i] * k[i][n];
    step.error = std::max(step.error, std::abs(e));
  }
  return step;
}

/// Integrates with an error of each step below `tolerance` until `done(state, h)` is true; the last step is
/// kept.
template <std::size_t N, class F, class Done>
void integrateWithTightSteps(const F& rate, std::array<double, N>& s, double tolerance, const Done& done) {
  double h = 1e-3;
  for (long i = 0; i < 2000000; ++i) {
    const PairStep<N> step = dormandPrince<N>(rate, s, h);
    const double factor = 0.9 * std::pow(tolerance / std::max(step.error, 1e-300), 0.2);
    if (step.error <= tolerance || h < 1e-9) {
      s = step.next;
      if (done(s, h)) return;
    }
    h *= std::clamp(factor, 0.2, 3.0);
    h = std::min(h, 0.1);
  }
}

}  // namespace ricochet::test
