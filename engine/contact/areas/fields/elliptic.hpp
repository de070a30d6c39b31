#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet::patch {

/// Complete elliptic integrals of parameter m in [0, 1], in the combinations that circular patches need:
///
///     B = (E - (1-m) K)/m,   D = (K - E)/m,   C = ((2-m) K - 2 E)/m^2 = (D - B)/m
///
/// all positive and without cancellation at m -> 0, where B = D = pi/4, C = pi/16.
struct EllipticIntegrals {
  double B{}, C{}, D{}, E{};
};

/// Computes the integrals by the arithmetic-geometric mean with c_n = m d_n (c_1 = m/(2 (1 + k')), c_{n+1} =
/// c_n^2 / (4 a_{n+1})):
///     E = K (1 - m/2 - m^2 T),  T = sum over n >= 1 of 2^(n-1) d_n^2      (Abramowitz and Stegun 17.6)
/// `complement` is 1 - m, a separate argument to keep its digits. K, D and C grow as a logarithm at m -> 1;
/// they are limited to their values at 1 - m = 1e-18, which changes finite results by less than 1e-16.
inline EllipticIntegrals ellipticIntegrals(double m, double complement) noexcept {
  constexpr double kLeast = 1e-18;
  double a = 1.0;
  double b = std::sqrt(std::max(complement, kLeast));
  double d = 0.5 / (1.0 + b);
  double weight = 1.0;
  double sum = 0.0;
  for (int n = 0; n < 10; ++n) {  // 7 iterations suffice down to a complementary modulus k' = 1e-9
    const double term = weight * d * d;
    const double next = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = next;
    sum += term;
    if (term <= 1e-18 * sum) break;
    d = m * d * d / (2.0 * (a + b));
    weight *= 2.0;
  }
  const double K = 0.5 * std::numbers::pi / (0.5 * (a + b));
  const double half = m * sum;
  return {K * (0.5 - half), 2.0 * K * sum, K * (0.5 + half), K * (1.0 - 0.5 * m - m * half)};
}

}  // namespace ricochet::patch
