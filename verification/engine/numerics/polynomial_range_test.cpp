#include "engine/numerics/polynomial_range.hpp"

#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

/// Power series of cos(t - phase) about t = 0, up to t^24.
std::vector<double> shiftedCosine(double phase) {
  std::vector<double> p;
  double factorial = 1.0;
  for (int k = 0; k < 25; ++k) {
    p.push_back(std::cos(-phase + 0.5 * std::numbers::pi * k) / factorial);
    factorial *= k + 1.0;
  }
  return p;
}

/// (t - 1)(t - 2)(t - 3)(t - 4) = 24 - 50 t + 35 t^2 - 10 t^3 + t^4: with s = t - 5/2 it is (s^2 - 1/4)(s^2 -
/// 9/4), whose extremes are 9/16 at s = 0 and -1 at s^2 = 5/4.
TEST(PolynomialRange, HoldsTheExtremesBetweenTheEnds) {
  const std::array p{24.0, -50.0, 35.0, -10.0, 1.0};
  ValueRange all;
  includePolynomialValuesInRange(all, p, 5.0);
  EXPECT_NEAR(all.lowest, -1.0, 1e-13);
  EXPECT_EQ(all.highest, 24.0);
  ValueRange known{-2.0, 30.0};  // a larger known value is kept
  includePolynomialValuesInRange(known, p, 5.0);
  EXPECT_EQ(known.lowest, -2.0);
  EXPECT_EQ(known.highest, 30.0);
  ValueRange inner{-0.9, 0.5};
  includePolynomialValuesInRange(inner, std::array{-0.9375, 0.0, 0.0, 0.0, 0.0}, 1.0);
  EXPECT_EQ(inner.lowest, -0.9375);
}

/// A cosine over less than a period: the largest value is its peak 1 if this peak lies inside, else the
/// larger end.
TEST(PolynomialRange, FindsAPeakWhereverItLies) {
  constexpr double kEnd = 2.5;
  for (double phase = -0.995; phase < 3.5; phase += 0.01) {
    const std::vector<double> p = shiftedCosine(phase);
    ValueRange range;
    includePolynomialValuesInRange(range, p, kEnd);
    const double first = std::cos(phase), last = std::cos(kEnd - phase);
    const bool peaks = phase >= 0.0 && phase <= kEnd;
    const bool dips = phase >= std::numbers::pi || phase <= kEnd - std::numbers::pi;
    EXPECT_NEAR(range.highest, peaks ? 1.0 : std::max(first, last), 1e-14) << phase;
    EXPECT_NEAR(range.lowest, dips ? -1.0 : std::min(first, last), 1e-14) << phase;
  }
}

/// p' = -(t - a)(t - b)(t - c): maxima at a and c, a minimum at b. All three are closer together than values
/// on a grid can tell, and the higher maximum is the one at the wider side.
TEST(PolynomialRange, FindsTheHigherOfTwoPeaksSideBySide) {
  for (double middle = 0.05; middle < 0.95; middle += 0.0037)
    for (const double shift : {-0.004, 0.004}) {
      const double a = middle - 0.012 + shift, b = middle, c = middle + 0.012 + shift;
      const std::array p{0.0, a * b * c, -0.5 * (a * b + b * c + c * a), (a + b + c) / 3.0, -0.25};
      ValueRange range;
      includePolynomialValuesInRange(range, p, 1.0);
      const double peak = shift < 0.0 ? a : c;
      EXPECT_NEAR(range.highest, polynomialAt(p, peak), 4e-15) << middle;
      EXPECT_NEAR(range.lowest, std::min(0.0, polynomialAt(p, 1.0)), 4e-15) << middle;
    }
}

/// cos(a + b t) with b up to 8 rad: the extremes are +-1 where the phase reaches them.
TEST(PolynomialRange, FindsEveryExtremeOfAFastCosine) {
  constexpr std::size_t kTerms = 50;
  for (double turn = 1.0; turn <= 8.0; turn += 0.5)
    for (double start = 0.01; start < 6.3; start += 0.1) {
      std::array<double, kTerms> p;
      double power = 1.0;
      for (std::size_t k = 0; k < kTerms; ++k) {
        p[k] = power * std::cos(start + 0.5 * std::numbers::pi * static_cast<double>(k));
        power *= turn / static_cast<double>(k + 1);
      }
      ValueRange range;
      includePolynomialValuesInRange(range, p, 1.0);
      const double ends[] = {std::cos(start), std::cos(start + turn)};
      const auto reaches = [&](double phase) {
        return std::floor((start + turn - phase) / (2.0 * std::numbers::pi)) >=
               std::ceil((start - phase) / (2.0 * std::numbers::pi));
      };
      EXPECT_NEAR(range.highest, reaches(0.0) ? 1.0 : std::max(ends[0], ends[1]), 1e-12);
      EXPECT_NEAR(range.lowest, reaches(std::numbers::pi) ? -1.0 : std::min(ends[0], ends[1]), 1e-12);
    }
}

/// A step as long as 1e12 s, whose higher powers are infinite, with coefficients that are zero.
TEST(PolynomialRange, HasNoTermOfACoefficientOfZero) {
  std::array<double, 30> p{};
  p[0] = 1.0;
  p[1] = 2.0;
  ValueRange range;
  includePolynomialValuesInRange(range, p, 1e12);
  EXPECT_EQ(range.lowest, 1.0);
  EXPECT_EQ(range.highest, 1.0 + 2e12);
}

/// A constant motion with rounding ends the search at once: 1 + 1e-17 times a polynomial with many extremes.
TEST(PolynomialRange, LooksForNothingBelowRounding) {
  std::array<double, 30> p{};
  for (std::size_t k = 0; k < p.size(); ++k) p[k] = (k % 2 == 0 ? 1e-17 : -3e-17);
  p[0] = 1.0;
  ValueRange range;
  includePolynomialValuesInRange(range, p, 1.0);
  EXPECT_NEAR(range.lowest, 1.0, 1e-15);
  EXPECT_NEAR(range.highest, 1.0, 1e-15);
}

TEST(PolynomialRange, KeepsWhatIsNoNumber) {
  ValueRange range;
  includePolynomialValuesInRange(range, std::array{1.0, std::numeric_limits<double>::quiet_NaN()}, 1.0);
  includePolynomialValuesInRange(range, std::array{2.0, 1.0}, 1.0);
  EXPECT_TRUE(std::isnan(range.highest));
  EXPECT_TRUE(std::isnan(range.lowest));
}

/// cos(4 t - phase) on [0, 1] through 14 samples, with an error of at most 4^14/14! (14!)^2/28! = 7.7e-11 at
/// the ends.
TEST(SampledPolynomial, HasTheExtremesOfWhatIsSampled) {
  double sum = 0.0;
  for (const double weight : SampledPolynomial::sampleWeights()) sum += weight;
  EXPECT_NEAR(sum, 1.0, 1e-14);
  for (double phase = 0.005; phase < 4.0; phase += 0.01) {
    SampledPolynomial::Samples samples;
    for (std::size_t s = 0; s < samples.size(); ++s)
      samples[s] = std::cos(4.0 * SampledPolynomial::samplePoints()[s] - phase);
    ValueRange range;
    SampledPolynomial::include(range, samples);
    const bool dips = phase >= std::numbers::pi || phase <= 4.0 - std::numbers::pi;
    const double ends[] = {std::cos(phase), std::cos(4.0 - phase)};
    EXPECT_NEAR(range.highest, 1.0, 7.8e-11) << phase;
    EXPECT_NEAR(range.lowest, dips ? -1.0 : std::min(ends[0], ends[1]), 7.8e-11) << phase;
  }
}

/// Peaks in the first and in the last sixteenth of an interval.
TEST(LargestValue, IsFoundNearTheEnds) {
  const std::array early{100.0, 8.0, -400.0};  // 100 + 8 t - 400 t^2: 100.04 at t = 0.01
  EXPECT_NEAR(largestPolynomialValue(early, 1.0, 0.0), 100.04, 1e-12);
  const std::array late{-292.0, 792.0, -400.0};  // the same polynomial reversed, from t = 1
  EXPECT_NEAR(largestPolynomialValue(late, 1.0, 0.0), 100.04, 1e-11);
}

}  // namespace
}  // namespace ricochet
