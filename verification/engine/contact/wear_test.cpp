// Wear laws, and depths of the worn shapes.

#include "engine/contact/wear.hpp"

#include "engine/contact/worn_shapes.hpp"
#include "engine/study/parts/wear_request.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

constexpr double kWornDegree = std::numbers::pi / 180.0;
constexpr double kYear = 31536000.0;  // duration of the case of code_aster [s]

TEST(WornShape, GivesTheVolumeBackForItsDepth) {
  for (const double angle : {0.0, 1e-3, 0.3})
    for (const AnyWornShape& shape :
         {AnyWornShape(WornFlat{.radius = 0.01, .length = 0.02, .inclination = angle}),
          AnyWornShape(WornRing{.radius = 0.01, .length = 0.02}),
          AnyWornShape(
              WornBore{.radius = 0.01, .bore = 0.0102, .length = 0.02, .places = 3.0, .inclination = angle}),
          AnyWornShape(WornCrossed{.radius = 0.01, .other = 0.03, .angle = 0.1 + angle})})
      for (const double depth : {1e-9, 1e-6, 1e-4, 1.9e-4, 2.1e-4, 3e-3, 9e-3})
        EXPECT_NEAR(wornDepth(shape, wornVolume(shape, depth)) / depth, 1.0, 3e-12)
            << shape.index() << ": " << depth << ", " << angle;
}

TEST(WornShape, HasADepthForAnyVolume) {
  for (const AnyWornShape& shape : {AnyWornShape(WornFlat{.radius = 0.01, .length = 0.02}),
                                    AnyWornShape(WornRing{.radius = 0.01, .length = 0.02}),
                                    AnyWornShape(WornBore{.radius = 0.01, .bore = 0.0102, .length = 0.02}),
                                    AnyWornShape(WornCrossed{.radius = 0.01, .other = 0.03, .angle = 0.1})}) {
    EXPECT_EQ(wornDepth(shape, 0.0), 0.0);
    EXPECT_EQ(wornDepth(shape, 1e3), 0.01);  // the depth is at most the radius
  }
}

TEST(WornShape, OfAFlatIsTheSegmentAndItsIntegral) {
  const double radius = 0.01, length = 0.05;
  const WornFlat level{.radius = radius, .length = length};
  // At the depth of the axis half of the section is worn.
  EXPECT_NEAR(level.volume(radius), 0.5 * std::numbers::pi * radius * radius * length, 1e-18);
  for (const double depth : {1e-8, 1e-7}) {  // next term of the series: 3/20 d/R
    const double small = 4.0 / 3.0 * length * std::sqrt(2.0 * radius) * std::pow(depth, 1.5);
    EXPECT_NEAR(level.volume(depth) / small, 1.0, 0.2 * depth / radius);
    const WornFlat leans{.radius = radius, .length = length, .inclination = 0.02};
    const double wedge = 8.0 / 15.0 * std::sqrt(2.0 * radius) * std::pow(depth, 2.5) / std::tan(0.02);
    EXPECT_NEAR(leans.volume(depth) / wedge, 1.0, 0.2 * depth / radius);
  }
  // Integral over the length by Simpson's rule, for a cut that covers the whole length.
  const WornFlat leans{.radius = radius, .length = length, .inclination = 0.01};
  const double depth = 2e-3;
  double sum = 0.0;
  constexpr int kParts = 200;
  for (int i = 0; i <= kParts; ++i) {
    const double here = depth - length * i / kParts * std::tan(0.01);
    sum += (i == 0 || i == kParts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * level.volume(here) / length;
  }
  EXPECT_NEAR(leans.volume(depth) / (sum * length / (3.0 * kParts)), 1.0, 1e-9);
  // In the limit of zero inclination an inclined bar is a level bar.
  const WornFlat hardly{.radius = radius, .length = length, .inclination = 1e-7};
  EXPECT_NEAR(hardly.volume(depth) / level.volume(depth), 1.0, 1e-5);
}

/// Half width a of the part of a circle R outside a circle R0, and its area by Simpson's rule over x = a sin
/// f.
double areaBeyond(double radius, double bore, double depth) {
  const double apart = bore - radius + depth;
  // The circles intersect at the distance y from the centre of the bore, along the line of centres.
  const double y = (bore * bore - radius * radius + apart * apart) / (2.0 * apart);
  const double half = std::sqrt(bore * bore - y * y);
  constexpr int kParts = 400;
  double sum = 0.0;
  for (int i = 0; i <= kParts; ++i) {
    const double f = std::numbers::pi * (static_cast<double>(i) / kParts - 0.5);
    const double x = half * std::sin(f);
    const double left = apart + std::sqrt(radius * radius - x * x) - std::sqrt(bore * bore - x * x);
    sum += (i == 0 || i == kParts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * left * half * std::cos(f);
  }
  return sum * std::numbers::pi / (3.0 * kParts);
}

TEST(WornShape, OfABoreIsWhatLiesBeyondItsWall) {
  const double radius = 0.01, bore = 0.012, length = 0.05;
  const WornBore level{.radius = radius, .bore = bore, .length = length};
  for (const double depth : {1e-4, 1e-3, 4e-3})
    EXPECT_NEAR(level.volume(depth) / (length * areaBeyond(radius, bore, depth)), 1.0, 1e-8) << depth;
  // Beyond the middle of the circle the area is pi R^2 less the area of both circles.
  for (const double depth : {6e-3, 1e-2}) {
    const double e = bore - radius + depth;
    const double f = std::acos((e * e + radius * radius - bore * bore) / (2.0 * e * radius));
    const double g = std::acos((e * e + bore * bore - radius * radius) / (2.0 * e * bore));
    const double both =
        radius * radius * (f - std::sin(f) * std::cos(f)) + bore * bore * (g - std::sin(g) * std::cos(g));
    EXPECT_NEAR(level.volume(depth), length * (std::numbers::pi * radius * radius - both), 1e-17) << depth;
  }
  const double curvature = 1.0 / radius - 1.0 / bore;
  for (const double depth : {1e-9, 1e-8}) {  // next terms of the series, of the order d/R and d/(R0 - R)
    const double small = 4.0 / 3.0 * std::sqrt(2.0 / curvature) * std::pow(depth, 1.5);
    EXPECT_NEAR(level.volume(depth) / (length * small), 1.0, 3.0 * depth / (bore - radius));
    const WornBore leans{.radius = radius, .bore = bore, .length = length, .inclination = 0.02};
    EXPECT_NEAR(leans.volume(depth) / (0.4 * small * depth / std::tan(0.02)), 1.0,
                3.0 * depth / (bore - radius));
  }
  // A wall of very large radius is a flat bar; all positions share the volume.
  const WornBore wide{.radius = radius, .bore = 1e5 * radius, .length = length};
  const WornFlat flat{.radius = radius, .length = length};
  EXPECT_NEAR(wide.volume(1e-3) / flat.volume(1e-3), 1.0, 2e-5);
  const WornBore three{.radius = radius, .bore = bore, .length = length, .places = 3.0};
  EXPECT_DOUBLE_EQ(three.volume(1e-3), 3.0 * level.volume(1e-3));
  // For an inclined bar, Simpson's rule over the length, for a cut within the length and for a cut through
  // the whole length.
  for (const double slope : {0.01, 0.2}) {
    const WornBore leans{.radius = radius, .bore = bore, .length = length, .inclination = std::atan(slope)};
    const double depth = 2e-3, end = std::min(length, depth / slope);
    double sum = 0.0;
    constexpr int kParts = 4000;
    for (int i = 0; i <= kParts; ++i) {
      const double here = std::max(0.0, depth - end * i / kParts * slope);
      sum += (i == 0 || i == kParts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * level.volume(here) / length;
    }
    EXPECT_NEAR(leans.volume(depth) / (sum * end / (3.0 * kParts)), 1.0, 1e-7) << slope;
  }
}

/// Two cylinders of equal radius that cross at right angles have the common volume 16/3 R^3 (Archimedes).
TEST(WornShape, OfCrossedCylindersIsWhatTheyShare) {
  const WornCrossed equal{.radius = 0.01, .other = 0.01, .angle = 90.0 * kWornDegree};
  // The integrand has a kink in its third derivative there: (pi/96)^4.
  EXPECT_NEAR(equal.volume(0.02), 16.0 / 3.0 * 1e-6, 2e-6 * 16.0 / 3.0 * 1e-6);
  for (const double angle : {10.0 * kWornDegree, 60.0 * kWornDegree, 90.0 * kWornDegree}) {
    const WornCrossed crossed{.radius = 0.01, .other = 0.02, .angle = angle};
    for (const double depth : {1e-9, 1e-7})  // next term of the series, of the order d/R
      EXPECT_NEAR(
          crossed.volume(depth) / (std::numbers::pi * std::sqrt(2e-4) * depth * depth) * std::sin(angle), 1.0,
          depth / 0.01);
    // Common volume by heights over a grid of points in the plane of both axes.
    const double depth = 4e-3, apart = 0.03 - depth;
    const double reach = 0.04 / std::sin(angle);
    constexpr int kPoints = 600;
    double sum = 0.0;
    for (int i = 0; i < kPoints; ++i)
      for (int j = 0; j < kPoints; ++j) {
        const double x = reach * ((i + 0.5) / kPoints - 0.5), y = 0.02 * ((j + 0.5) / kPoints - 0.5);
        const double across = x * std::sin(angle) - y * std::cos(angle);
        if (std::abs(y) >= 0.01 || std::abs(across) >= 0.02) continue;
        const double height = std::sqrt(1e-4 - y * y) - (apart - std::sqrt(4e-4 - across * across));
        sum += std::max(0.0, height);
      }
    sum *= reach * 0.02 / (kPoints * kPoints);
    EXPECT_NEAR(crossed.volume(depth) / sum, 1.0, 1e-3) << angle;
  }
}

TEST(WornShape, OfATableIsStraightBetweenItsPoints) {
  const WornTable table{.depths = {0.0, 1e-4, 1e-3}, .volumes = {0.0, 1e-9, 5e-8}};
  EXPECT_DOUBLE_EQ(table.volume(5e-5), 5e-10);
  EXPECT_DOUBLE_EQ(table.volume(1e-4), 1e-9);
  EXPECT_DOUBLE_EQ(table.volume(5.5e-4), 2.55e-8);
  EXPECT_DOUBLE_EQ(table.volume(1e-3), 5e-8);
  EXPECT_NEAR(wornDepth(table, 5e-10), 5e-5, 1e-18);
  EXPECT_NEAR(wornDepth(table, 2.55e-8), 5.5e-4, 1e-17);
  EXPECT_EQ(wornDepth(table, 0.0), 0.0);
  EXPECT_EQ(wornDepth(table, 1.0), 1e-3);  // the depth is limited to the range of the table
  // On the points of a ring, doubling their number divides the largest error of the depth by four.
  const WornRing ring{.radius = 0.01, .length = 0.02};
  double before = 0.0;
  for (const int parts : {10, 20, 40}) {
    WornTable points{.depths = {}, .volumes = {}};
    for (int i = 0; i <= parts; ++i) {
      points.depths.push_back(5e-3 * i / parts);
      points.volumes.push_back(ring.volume(points.depths.back()));
    }
    double largest = 0.0;
    for (int i = 0; i <= 400; ++i)
      largest = std::max(largest, std::abs(wornDepth(points, ring.volume(5e-3 * i / 400)) - 5e-3 * i / 400));
    if (before > 0.0) {
      EXPECT_NEAR(before / largest, 4.0, 0.5) << parts;
    }
    before = largest;
  }
}

TEST(Wear, OfASectorIsThatOfItsPartOfARing) {
  WearRequest wear;
  wear.law = ArchardWear{.coefficient = 1e-10};
  EXPECT_FALSE(wear.hasSectorDepth());
  wear.shape = WornFlat{.radius = 0.01, .length = 0.03};
  EXPECT_FALSE(wear.hasSectorDepth());
  wear.shape = WornRing{.radius = 0.01, .length = 0.03};
  ASSERT_TRUE(wear.hasSectorDepth());
  // A tenth of the work over a tenth of the circumference gives the same depth as all work over the whole
  // circumference.
  EXPECT_DOUBLE_EQ(wear.sectorDepth(0.2, 1.0, 10), wear.depth(2.0, 1.0));
  // L pi/n (R^2 - (R - d)^2) = V
  const double depth = wear.sectorDepth(500.0, 1.0, 8);
  EXPECT_NEAR(0.03 * std::numbers::pi / 8.0 * (1e-4 - std::pow(0.01 - depth, 2)), 5e-8, 1e-20);
}

/// Depths printed by code_aster for its case zzzz405a, with R = 1 m, L = 10 m: small-depth formulas for the
/// flats, with errors of 2e-6 and 4e-5, a thin ring, 1e-7, roots of the exact volume in bores, 6e-7.
TEST(WornShape, MeetsPublishedDepths) {
  const auto expectDepth = [](const AnyWornShape& shape, double volume, double printed, double relative) {
    EXPECT_NEAR(wornDepth(shape, volume), printed, printed * relative);
  };
  const WornFlat flat{.radius = 1.0, .length = 10.0};
  expectDepth(flat, 1.4045989789e-06, 1.77037693409e-05, 2e-6);
  expectDepth(flat, 1.71167990121e-06, 2.01981942451e-05, 3e-6);
  const WornFlat leans{.radius = 1.0, .length = 10.0, .inclination = kWornDegree};
  expectDepth(leans, 1.119528e-07, 0.000367586404898, 2e-4);
  expectDepth(leans, 7.836696e-07, 0.000800568792779, 2e-4);
  const WornRing ring{.radius = 1.0, .length = 10.0};
  expectDepth(ring, 5.04576e-06, 8.03057645655e-08, 1e-7);
  expectDepth(ring, 1.513728e-05, 2.40917293697e-07, 2e-7);
  const WornFlat steep{.radius = 1.0, .length = 10.0, .inclination = 7.0 * kWornDegree};
  expectDepth(steep, 2.83824e-06, 0.00291745602948, 3e-3);
  const WornBore twice{.radius = 1.0, .bore = 2.0, .length = 10.0, .places = 2.0};
  expectDepth(twice, 0.0015768, 0.000956453382969, 6e-7);
  expectDepth(twice, 0.0110376, 0.00350307146637, 6e-7);
  const WornBore once{.radius = 1.0, .bore = 2.0, .length = 1.0};
  expectDepth(once, 1.5768e-07, 1.51777639985e-05, 6e-7);
}

/// Volumes printed by code_aster (zzzz405a, T1), 0.5 W and the parameters of code_aster for a tube.
TEST(Wear, MeetsPublishedVolumesOfEdfMz) {
  const EdfMzWear law{.coefficient = 1e-13, .exponent = 1.2, .decay = 2.44e-8, .finalRate = 1.14e-16};
  EXPECT_NEAR(law.volume(0.5, kYear), 9.58595507705e-07, 1e-17);
  EXPECT_NEAR(law.volume(0.5, 3.0 * kYear), 1.6131418113e-06, 1e-16);
  EXPECT_NEAR(law.volume(0.5, 7.0 * kYear), 1.7962621362e-06, 1e-16);
}

TEST(Wear, OfEdfMzFallsFromItsFirstRateToItsLast) {
  const EdfMzWear law{.coefficient = 3e-13, .exponent = 0.7, .decay = 2e-8, .finalRate = 2e-15};
  const double first = 3e-13 * std::pow(0.2, 0.7);
  const double one = 1e-3 / law.decay;
  EXPECT_NEAR(law.volume(0.2, one) / (first * one), 1.0, 1e-3);
  const double late = 50.0 / law.decay;
  EXPECT_NEAR((law.volume(0.2, 2.0 * late) - law.volume(0.2, late)) / (2e-15 * late), 1.0, 1e-12);
  EXPECT_EQ(law.volume(0.0, late), 0.0);
  // If the final rate exceeds the initial rate, the rate stays at its initial value.
  const EdfMzWear slow{.coefficient = 1e-16, .exponent = 1.0, .decay = 2e-8, .finalRate = 1.0};
  EXPECT_DOUBLE_EQ(slow.volume(0.5, late), 0.5e-16 * late);
  // Without decay the law is Archard's law with this rate.
  const EdfMzWear steady{.coefficient = 1e-13, .exponent = 1.0, .decay = 0.0, .finalRate = 0.0};
  EXPECT_DOUBLE_EQ(steady.volume(0.5, late), ArchardWear{.coefficient = 1e-13}.volume(0.5, late));
}

TEST(Wear, OfTwoBodiesSharesTheirCut) {
  WearRequest wear;
  wear.law = ArchardWear{.coefficient = 1e-13};
  wear.shape = WornFlat{.radius = 0.01, .length = 0.03};
  const double alone = wear.depth(2.0, 0.5);
  EXPECT_DOUBLE_EQ(alone, wornDepth(*wear.shape, 2e-13));
  EXPECT_EQ(wear.volumeOfOtherBody(2.0, 0.5), 0.0);
  EXPECT_FALSE(wear.hasDepthOfOtherBody());
  wear.other = ArchardWear{.coefficient = 3e-13};
  ASSERT_TRUE(wear.hasDepthOfOtherBody());
  EXPECT_DOUBLE_EQ(wear.volumeOfOtherBody(2.0, 0.5), 6e-13);
  const double both = wornDepth(*wear.shape, 8e-13);
  EXPECT_DOUBLE_EQ(wear.depth(2.0, 0.5), 0.25 * both);
  EXPECT_DOUBLE_EQ(wear.depthOfOtherBody(2.0, 0.5), 0.75 * both);
  EXPECT_EQ(wear.depth(0.0, 0.5), 0.0);
  // Around the whole circumference each body has its own volume.
  wear.shape = WornRing{.radius = 0.01, .length = 0.03};
  EXPECT_FALSE(wear.hasDepthOfOtherBody());
  EXPECT_DOUBLE_EQ(wear.depth(2.0, 0.5), wornDepth(*wear.shape, 2e-13));
  // `after`: the time over which the mean power acts.
  wear.after = 100.0;
  EXPECT_DOUBLE_EQ(wear.volume(2.0, 0.5), 1e-13 * 4.0 * 100.0);
  EXPECT_DOUBLE_EQ(wear.wearQuantity("wear_volume_other", 2.0, 0.5), 3e-13 * 4.0 * 100.0);
}

}  // namespace
}  // namespace ricochet
