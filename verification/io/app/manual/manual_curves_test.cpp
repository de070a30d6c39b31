// Curves of the manual compared with the formulas on the same pages.

#include "io/app/manual/law_curves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace ricochet {
namespace {

constexpr double kOperations = 1e-12;  // relative rounding of a few operations

std::vector<LawPicture> picturesOfLaw(const std::string& name) {
  for (const LawPage& page : manualPages())
    if (page.name() == name) return picturesOfLaw(page);
  ADD_FAILURE() << "no page " << name;
  return {};
}

double largestMagnitude(const std::vector<double>& values) {
  double found = 0.0;
  for (const double v : values) found = std::max(found, std::abs(v));
  return found;
}

/// Expects every point of a curve at a function of its abscissa, within a fraction of the largest value.
template <class F>
void expectCurve(const LawCurve& curve, const F& of, double relative = kOperations) {
  ASSERT_FALSE(curve.x.empty());
  const double scale = largestMagnitude(curve.y);
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    EXPECT_NEAR(curve.y[i], of(curve.x[i], i), relative * scale) << curve.label << " at " << curve.x[i];
}

/// cos(theta) of the i-th point of a loading and unloading with d = D sin(theta); the initial speed is v.
double cosineOfPoint(std::size_t i, std::size_t points) {
  return std::cos(std::numbers::pi * static_cast<double>(i) / static_cast<double>(points - 1));
}

double speedOf(const LawCurve& curve) {
  return curve.label == "at rest" ? 0.0 : std::stod(curve.label.substr(4));
}

TEST(ManualCurves, EveryLawThatHasAForceIsDrawn) {
  for (const LawPage& page : manualPages()) {
    const auto pictures = ricochet::picturesOfLaw(page);
    const bool nothing =
        page.kind == LawKind::scheme || page.kind == LawKind::table || page.keyword == "none";
    EXPECT_EQ(pictures.empty(), nothing) << page.name();
    for (const LawPicture& picture : pictures) {
      EXPECT_FALSE(picture.caption.empty() || picture.abscissa.empty() || picture.ordinate.empty());
      EXPECT_FALSE(picture.curves.empty());
      for (const LawCurve& curve : picture.curves) {
        ASSERT_EQ(curve.x.size(), curve.y.size());
        EXPECT_GT(curve.x.size(), 10U) << page.name();
        for (std::size_t i = 0; i < curve.x.size(); ++i)
          EXPECT_EQ(std::isfinite(curve.x[i]), std::isfinite(curve.y[i]) || curve.x[i] == 0.0) << page.name();
      }
    }
  }
}

TEST(ManualCurves, HertzIsAPowerOfThePenetration) {
  const auto pictures = picturesOfLaw("normal-hertz");
  ASSERT_EQ(pictures.at(0).curves.size(), 1U);  // no rate
  expectCurve(pictures[0].curves[0], [](double d, std::size_t) { return 1e8 * std::pow(d, 1.5); });
}

TEST(ManualCurves, DampedLawsFollowTheirRates) {
  const auto penalty = picturesOfLaw("normal-penalty");
  ASSERT_EQ(penalty.at(0).curves.size(), 3U);
  for (const LawCurve& curve : penalty[0].curves)
    expectCurve(curve, [&](double d, std::size_t i) {
      // The first and the last point have the gap 0, where the contact is open.
      if (i == 0 || !(d > 1e-17)) return 0.0;
      return std::max(0.0, 1e6 * d + 10.0 * speedOf(curve) * cosineOfPoint(i, curve.x.size()));
    });
  const auto crossley = picturesOfLaw("normal-hunt_crossley");
  ASSERT_EQ(crossley.at(0).curves.size(), 3U);
  EXPECT_EQ(speedOf(crossley[0].curves[2]), 5.0);  // 3/2 0.1 v > 1/3: the next of 1, 2, 5
  for (const LawCurve& curve : crossley[0].curves)
    expectCurve(curve, [&](double d, std::size_t i) {
      const double damped = 1.0 + 0.15 * speedOf(curve) * cosineOfPoint(i, curve.x.size());
      return std::max(0.0, 1e8 * std::pow(std::max(d, 0.0), 1.5) * damped);
    });
}

TEST(ManualCurves, WearGrowsWithTheTime) {
  const auto archard = picturesOfLaw("wear-archard");
  ASSERT_EQ(archard.at(0).curves.size(), 3U);
  constexpr double kYear = 365.25 * 86400.0;
  const auto powerOf = [](const LawCurve& curve) { return std::stod(curve.label.substr(4)); };
  for (const LawCurve& curve : archard[0].curves)
    expectCurve(curve, [&](double t, std::size_t) { return 1e-15 * powerOf(curve) * t * kYear; });
  const auto settles = picturesOfLaw("wear-edf_mz");
  for (const LawCurve& curve : settles.at(0).curves)
    expectCurve(curve, [&](double t, std::size_t) {
      const double first = 1e-13 * std::pow(powerOf(curve), 1.2), n = 2.44e-8 * kYear;
      return kYear * (1.14e-16 * t + (first - 1.14e-16) * (1.0 - std::exp(-n * t)) / n);
    });
}

TEST(ManualCurves, ATableIsStraightBetweenItsPoints) {
  const auto pictures = picturesOfLaw("normal-table");
  expectCurve(pictures.at(0).curves.at(0),
              [](double d, std::size_t) { return d < 1.5e-3 ? 1e5 * d : 150.0 + 1e6 * (d - 1.5e-3); });
}

TEST(ManualCurves, AnImposedForceOnlyPushes) {
  const auto pictures = picturesOfLaw("normal-imposed");
  expectCurve(pictures.at(0).curves.at(0), [](double f, std::size_t) { return std::max(0.0, f); });
}

TEST(ManualCurves, ARigidContactReturnsItsShareOfTheSpeed) {
  const auto pictures = picturesOfLaw("normal-rigid");
  EXPECT_EQ(pictures.at(0).name, "rebound");
  expectCurve(pictures[0].curves.at(0), [](double v, std::size_t) { return 0.8 * v; });
}

/// N = 10 N, mu_s = 0.3, mu_d = 0.2, k_t = 1e5 N/m.
TEST(ManualCurves, CoulombSticksElasticallyAndSlipsAtItsLimit) {
  const auto pictures = picturesOfLaw("friction-coulomb");
  ASSERT_EQ(pictures.size(), 1U);
  const LawCurve& curve = pictures[0].curves.at(0);
  EXPECT_LE(largestMagnitude(curve.y), 3.0);
  EXPECT_GE(largestMagnitude(curve.y), 2.0);
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double stick = -1e5 * curve.x[i];
    if (std::abs(stick) <= 3.0 && i < 50) {
      EXPECT_NEAR(curve.y[i], stick, 3.0 * kOperations) << curve.x[i];
    }
  }
  const auto turn = std::max_element(curve.x.begin(), curve.x.end()) - curve.x.begin();
  EXPECT_NEAR(curve.y[static_cast<std::size_t>(turn)], -2.0, 2.0 * kOperations);
  const auto back = std::min_element(curve.x.begin(), curve.x.end()) - curve.x.begin();
  EXPECT_NEAR(curve.y[static_cast<std::size_t>(back)], 2.0, 2.0 * kOperations);
}

TEST(ManualCurves, SetValuedCoulombJumpsFromStaticToDynamic) {
  const auto pictures = picturesOfLaw("friction-set_valued_coulomb");
  const LawCurve& curve = pictures.at(0).curves.at(0);
  int peaks = 0;
  for (const double traction : curve.y) {
    const double size = std::abs(traction);
    if (size > 2.5) {
      EXPECT_NEAR(size, 3.0, 3.0 * kOperations);
      ++peaks;
    } else if (size > 0.0) {
      EXPECT_NEAR(size, 2.0, 2.0 * kOperations);
    }
  }
  EXPECT_EQ(peaks, 3);  // the start and two reversals in one and a quarter turns
}

TEST(ManualCurves, FrictionOverTheSpeedIsTheTable) {
  const auto pictures = picturesOfLaw("friction-stribeck");
  ASSERT_EQ(pictures.size(), 2U);
  const auto mu = [](double v) {
    if (v >= 1.0) return 0.25;
    return v < 0.1 ? 0.3 - v : 0.2 + 0.05 * (v - 0.1) / 0.9;
  };
  const LawCurve& curve = pictures[1].curves.at(0);
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (curve.x[i] != 0.0) {
      EXPECT_NEAR(curve.y[i], -std::copysign(10.0 * mu(std::abs(curve.x[i])), curve.x[i]), 3e-12)
          << curve.x[i];
    }
}

TEST(ManualCurves, AnAreaThatSpinsResistsLessAlongItsSlip) {
  const auto pictures = picturesOfLaw("friction-patch");
  ASSERT_EQ(pictures.size(), 2U);
  ASSERT_EQ(pictures[0].curves.size(), 3U);
  // Without spin a continuing slip has mu_d N and no moment.
  const LawCurve& plain = pictures[0].curves[0];
  const auto turn =
      static_cast<std::size_t>(std::max_element(plain.x.begin(), plain.x.end()) - plain.x.begin());
  EXPECT_NEAR(plain.y[turn], -2.0, 1e-9);
  EXPECT_NEAR(largestMagnitude(pictures[1].curves[0].y), 0.0, 1e-12);
  double before = 2.0;
  for (std::size_t c = 1; c < 3; ++c) {
    const double force = -pictures[0].curves[c].y[turn];
    EXPECT_LT(force, before);
    EXPECT_GT(force, 0.0);
    EXPECT_LT(pictures[1].curves[c].y[turn], 0.0);  // opposite to the spin
    before = force;
  }
}

TEST(ManualCurves, LinksFollowTheirFormulas) {
  const auto spring = picturesOfLaw("link-force_displacement");
  ASSERT_EQ(spring.size(), 1U);
  expectCurve(spring[0].curves.at(0),
              [](double x, std::size_t) { return x < 0.01 ? 1e4 * x : 100.0 + 3e4 * (x - 0.01); });
  const auto dashpot = picturesOfLaw("link-force_velocity");
  ASSERT_EQ(dashpot.size(), 2U);
  for (const LawCurve& curve : dashpot[1].curves)
    expectCurve(curve, [](double v, std::size_t) {
      if (v < 0.0) return 200.0 * v;
      return v < 0.05 ? 2000.0 * v : 100.0 + 200.0 * (v - 0.05) / 0.95;
    });
  const auto formula = picturesOfLaw("link-force");
  const LawCurve& over = formula.at(1).curves.at(0);
  const LawCurve& along = formula[0].curves[0];
  expectCurve(along,
              [&](double x, std::size_t i) { return 1e4 * x + 50.0 * over.x[i] * std::abs(over.x[i]); });
  const auto device = picturesOfLaw("link-antiseismic");
  for (std::size_t c = 0; c < 3; ++c)
    expectCurve(device.at(0).curves.at(c), [&](double x, std::size_t i) {
      const double v = device[1].curves[c].x[i], y = 6e6 * x / 1200.0;
      const double damper = std::copysign(7000.0 * std::pow(std::abs(v * x / 0.03), 0.2), v);
      return 5.3e5 * x + (6e6 - 5.3e5) * x / std::sqrt(1.0 + y * y) + (v * x == 0.0 ? 0.0 : damper);
    });
}

TEST(ManualCurves, LinksWithMemoryKeepTheirLimits) {
  // K = 400/0.004 = 1e5 N/m up to 400 N, then the curve: 600 N at 0.02 m
  const auto plastic = picturesOfLaw("link-elastoplastic");
  const LawCurve& curve = plastic.at(0).curves.at(0);
  EXPECT_NEAR(*std::max_element(curve.y.begin(), curve.y.begin() + 101),
              400.0 + 12500.0 * (0.02 / 3.0 - 0.004),
              1e-9);  // the first quarter cycle follows the curve
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (curve.x[i] <= 0.004 && i < 100) {
      EXPECT_NEAR(curve.y[i], 1e5 * curve.x[i], 1e-9);
    }
  // The stop buckles at 500 N, and has at most 200 N from then on.
  const auto stop = picturesOfLaw("link-buckling");
  const LawCurve& pushed = stop.at(0).curves.at(0);
  const auto buckled = std::find_if(pushed.x.begin(), pushed.x.end(), [](double x) { return x > 0.005; });
  ASSERT_NE(buckled, pushed.x.end());
  const auto at = buckled - pushed.x.begin();
  for (std::ptrdiff_t i = 0; i < at; ++i)
    EXPECT_NEAR(pushed.y[static_cast<std::size_t>(i)],
                std::max(0.0, 1e5 * pushed.x[static_cast<std::size_t>(i)]), 1e-9);
  EXPECT_NEAR(*std::max_element(pushed.y.begin() + at, pushed.y.end()), 200.0, 1e-9);
}

TEST(ManualCurves, ACrackedShaftIsStiffAsItsFunction) {
  const auto pictures = picturesOfLaw("link-cracked_rotor");
  // K = 100 + 30 cos phi by a spline through 720 points: (2 pi/720)^4 30 is a relative error of 2e-7.
  const double bend = 0.02;
  expectCurve(
      pictures.at(0).curves.at(0),
      [&](double deg, std::size_t) {
        return bend * (100.0 + 30.0 * std::cos(deg * std::numbers::pi / 180.0));
      },
      1e-8);
  expectCurve(
      pictures[0].curves.at(1),
      [&](double deg, std::size_t) { return 0.5 * bend * -30.0 * std::sin(deg * std::numbers::pi / 180.0); },
      1e-5);
}

TEST(ManualCurves, OutlinesAreWhereTheGapSaysSo) {
  const auto round = [](const std::string& name, double sign) {
    const auto pictures = picturesOfLaw(name);
    ASSERT_EQ(pictures.at(0).curves.size(), 3U);
    for (std::size_t c = 0; c < 3; ++c) {  // levels 0, 5 mm, -5 mm
      const LawCurve& line = pictures[0].curves[c];
      const double radius = 0.01 + sign * (c == 0 ? 0.0 : c == 1 ? 0.005 : -0.005);
      EXPECT_GT(line.x.size(), 100U);
      for (std::size_t i = 0; i < line.x.size(); ++i)
        if (std::isfinite(line.x[i])) {
          EXPECT_NEAR(std::hypot(line.x[i], line.y[i]), radius, 1e-15);
        }
    }
    const LawPicture& picture = pictures[0];
    for (std::size_t i = 0; i < picture.arrows.x.size(); ++i) {
      EXPECT_NEAR(picture.directions.x[i], sign * picture.arrows.x[i] / 0.01, 1e-12);
      EXPECT_NEAR(picture.directions.y[i], sign * picture.arrows.y[i] / 0.01, 1e-12);
    }
  };
  round("obstacle-circle", -1.0);
  round("obstacle-disc", 1.0);
  round("obstacle-sphere", 1.0);
  const auto slot = picturesOfLaw("obstacle-slot");
  for (const LawCurve& curve : slot.at(0).curves) {
    const double half = curve.label == "g = 0" ? 0.01 : curve.label == "g = 0.005 m" ? 0.005 : 0.015;
    for (const double x : curve.x)
      if (std::isfinite(x)) {
        EXPECT_NEAR(std::abs(x), half, 1e-15) << curve.label;
      }
  }
}

}  // namespace
}  // namespace ricochet
