// Roots of polynomials whose coefficients are near the end of the range of numbers, as those of products of
// series that converge over short times.

#include "engine/numerics/certified_root.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace ricochet {
namespace {

/// 1 - x - x^2 - ..., with x = t/radius: about (1 - 2 x)/(1 - x), so that the root is at radius/2. The terms
/// that are left out are 2^-79 there. The derivative of the last term has a coefficient beyond 1e308.
TEST(CertifiedRoot, FindsARootThoughTheSlopeExceedsTheRangeOfNumbers) {
  const double radius = std::pow(10.0, -307.9 / 78.0);
  std::array<double, 79> p{1.0};
  for (std::size_t k = 1; k < p.size(); ++k) p[k] = -std::pow(radius, -static_cast<double>(k));
  ASSERT_TRUE(std::isfinite(p.back()));
  ASSERT_FALSE(std::isfinite(78.0 * p.back()));
  const RootSearch search = firstRoot(p, 0.6 * radius);
  ASSERT_TRUE(search.found);
  // 16 roundings of a value that has 2 as its largest sum, by the slope 4/radius.
  EXPECT_NEAR(search.time, 0.5 * radius, 16.0 * 2.0 * 2.3e-16 / 4.0 * radius);
}

/// A falling guard whose last coefficients are those of terms below 1e-90.
TEST(CertifiedRoot, IsNotLedBeyondARootByTermsBelowRounding) {
  std::array<double, 79> p{4.3e-6, -4.93};
  p.back() = 4.55e307;
  const RootSearch search = firstRoot(p, 8.9e-6);
  ASSERT_TRUE(search.found);
  EXPECT_NEAR(search.time, 4.3e-6 / 4.93, 1e-21);
  p.back() = -4.55e307;
  EXPECT_NEAR(firstRoot(p, 8.9e-6).time, 4.3e-6 / 4.93, 1e-21);
}

}  // namespace
}  // namespace ricochet
