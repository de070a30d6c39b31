// Properties that every law of combined sliding and spinning must have, whatever its accuracy.

#include "engine/contact/areas/fields/bristle.hpp"
#include "engine/contact/areas/fields/exact.hpp"
#include "engine/contact/areas/fields/pade.hpp"
#include "engine/contact/areas/fields/potential.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/patches.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace ricochet::patch {
namespace {

using test::patchShapeNamed;

constexpr std::array kPatches{"disc_uniform",  "disc_hertz",          "ring",      "annulus_0.5",
                              "ellipse_1_0.5", "hertz_ellipse_1_0.5", "rect_2x1",  "square",
                              "triangle_eq",   "triangle_right_2x1",  "half_disc", "disc_linear_0.8",
                              "disc_punch"};

/// Calls `what(law, name)` with every law of every patch of the tables.
template <class What>
void forAllLaws(const What& what) {
  for (const std::string name : kPatches) {
    const ExactPatch exact(patchShapeNamed(name));
    const PatchMoments& m = exact.moments();
    what(exact, name + " exact");
    what(Potential(m), name + " potential");
    what(Pade(m), name + " pade");
    what(LinearFractional(m), name + " linear fractional");
    what(BristlePatch(bristlePointsAboutPressureCentre(patchShapeNamed(name), 4, 16)), name + " bristle");
    what(Resized<Pade>{Pade(m), 1e-3}, name + " resized");
    if (!m.isAxisymmetric()) continue;
    what(AxialPotential::fromMoments(m), name + " axial potential");
    what(Axial<PadeKernel>{PadeKernel::fromMoments(m)}, name + " axial pade");
    what(Axial<LinearKernel>{LinearKernel::fromMoments(m)}, name + " axial linear fractional");
  }
}

/// Random directions, from sliding almost without spin to spin almost without sliding.
std::vector<Twist<double>> randomTwists(unsigned seed, int count, double size = 1.0) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> decade(-2.0, 2.0);
  std::vector<Twist<double>> all;
  for (int i = 0; i < count; ++i)
    all.push_back({{normal(random), normal(random)}, normal(random) * std::pow(10.0, decade(random)) / size});
  return all;
}

double distance(const Wrench<double>& a, const Wrench<double>& b) {
  return std::hypot(a.force.first - b.force.first, a.force.second - b.force.second, a.moment - b.moment);
}

TEST(PatchModels, TakePower) {
  forAllLaws([](const auto& law, const std::string& name) {
    for (const Twist<double>& q : randomTwists(1, 200)) EXPECT_GT(meanSlipSpeedOfPatch(law, q), 0.0) << name;
  });
}

TEST(PatchModels, DependOnTheDirectionOfTheTwistAlone) {
  forAllLaws([](const auto& law, const std::string& name) {
    for (const Twist<double>& q : randomTwists(2, 20))
      // Rounding of the operations and of the ends of the quadratures.
      for (const double factor : {1e-9, 1e9})
        EXPECT_NEAR(
            distance(law.wrench(Twist<double>{scaled(factor, q.sliding), factor * q.spin}), law.wrench(q)),
            0.0, 1e-12)
            << name;
  });
}

TEST(PatchModels, OpposeTheOppositeTwist) {
  forAllLaws([](const auto& law, const std::string& name) {
    for (const Twist<double>& q : randomTwists(3, 50)) {
      const Wrench<double> w = law.wrench(q);
      const Wrench<double> back = law.wrench(Twist<double>{scaled(-1.0, q.sliding), -q.spin});
      EXPECT_NEAR(distance(back, {scaled(-1.0, w.force), -w.moment}), 0.0, 1e-13) << name;
    }
  });
}

TEST(PatchModels, TangentIsTheirDerivative) {
  forAllLaws([](const auto& law, const std::string& name) {
    if (name.find("bristle") != std::string::npos) return;  // its own test: points near rest are steep
    for (const Twist<double>& q : randomTwists(4, 40)) {
      const double V = std::sqrt(dot(q.sliding, q.sliding));
      // Slopes are large at rims: the logarithm of ring and annulus, the corner of the punch, see friction.md
      // section 3.
      if (std::abs(V - std::abs(q.spin)) < 0.05 * V || std::abs(V - 0.5 * std::abs(q.spin)) < 0.05 * V)
        continue;
      const WrenchTangent slope = law.tangentMatrix(q);
      for (std::size_t j = 0; j < 3; ++j) {
        const double h = 1e-5 * (j < 2 ? V : std::abs(q.spin));
        std::array<Twist<double>, 2> at{q, q};
        for (std::size_t side = 0; side < 2; ++side) {
          std::array<double*, 3> x{&at[side].sliding.first, &at[side].sliding.second, &at[side].spin};
          *x[j] += side == 0 ? h : -h;
        }
        const std::array<double, 3> up = wrenchComponents(law.wrench(at[0])),
                                    down = wrenchComponents(law.wrench(at[1]));
        // Central differences: rounding 1e-16/1e-5, and 1e-10/6 of the third derivative.
        for (std::size_t i = 0; i < 3; ++i)
          EXPECT_NEAR(slope[i][j], (up[i] - down[i]) / (2.0 * h), 1e-5 + 1e-4 * std::abs(slope[i][j]))
              << name;
      }
    }
  });
}

TEST(PatchModels, AcceptDuals) {
  forAllLaws([](const auto& law, const std::string& name) {
    for (const Twist<double>& q : randomTwists(5, 20)) {
      const WrenchTangent a = law.tangentMatrix(q), b = tangentMatrixByDualNumbers(law, q);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          EXPECT_NEAR(a[i][j], b[i][j], 1e-11 * (1.0 + std::abs(a[i][j]))) << name;
    }
  });
}

TEST(PatchModels, PotentialsAreReciprocalAndOthersAreNot) {
  forAllLaws([](const auto& law, const std::string& name) {
    double defect = 0.0;
    for (const Twist<double>& q : randomTwists(6, 100)) {
      const WrenchTangent t = law.tangentMatrix(q);
      for (const auto [i, j] : {std::array{0u, 1u}, std::array{0u, 2u}, std::array{1u, 2u}})
        defect =
            std::max(defect, std::abs(t[i][j] - t[j][i]) / (1.0 + std::abs(t[i][j]) + std::abs(t[j][i])));
    }
    if (law.kPotential)
      EXPECT_LT(defect, 1e-11) << name;
    else
      EXPECT_GT(defect, 1e-5) << name;
  });
}

TEST(PatchModels, PotentialsAreMonotone) {
  // (w(q1) - w(q2)).(q1 - q2) <= 0 for a convex potential
  forAllLaws([](const auto& law, const std::string& name) {
    if (!law.kPotential) return;
    const std::vector<Twist<double>> all = randomTwists(7, 400);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const Twist<double> difference{all[i].sliding - all[i + 1].sliding, all[i].spin - all[i + 1].spin};
      const double size = std::sqrt(dot(difference.sliding, difference.sliding)) + std::abs(difference.spin);
      EXPECT_LE(powerOfFrictionWrench(law.wrench(all[i]), difference) -
                    powerOfFrictionWrench(law.wrench(all[i + 1]), difference),
                1e-13 * size)
          << name;
    }
  });
}

TEST(PatchModels, PotentialsLieOnTheirLimitSurface) {
  // |f.q| <= Phi(q) for all f of the surface, equal for the f of q (by the definition of Phi)
  forAllLaws([](const auto& law, const std::string& name) {
    if (!law.kPotential) return;
    const std::vector<Twist<double>> all = randomTwists(8, 60);
    for (const Twist<double>& p : all) {
      const Wrench<double> f = law.wrench(p);
      for (const Twist<double>& q : all)
        EXPECT_LE(-powerOfFrictionWrench(f, q),
                  meanSlipSpeedOfPatch(law, q) + 1e-13 * (1.0 + std::abs(q.spin)))
            << name;
    }
  });
}

TEST(PatchModels, SlipSpeedIsTheMeanOverThePressure) {
  const ExactPatch exact(patchShapeNamed("rect_2x1"));
  std::vector<Particle> fine = integrationPoints(patchShapeNamed("rect_2x1"), 300);
  for (const Twist<double>& q : randomTwists(9, 10)) {
    double mean = 0.0;
    for (const auto& [p, weight] : fine)
      mean += weight * std::hypot(q.sliding.first - q.spin * p.second, q.sliding.second + q.spin * p.first);
    // |v| has a kink at the pole: the rule has an error of h^3 there, h = 1/300.
    EXPECT_NEAR(meanSlipSpeedOfPatch(exact, q), mean, 1e-6 * (1.0 + std::abs(q.spin)));
  }
}

TEST(PatchModels, ASmallPatchIsAPoint) {
  forAllLaws([](const auto& law, const std::string& name) {
    constexpr double kSize = 1e-9;
    const Resized<std::decay_t<decltype(law)>> small{law, kSize};
    for (Twist<double> q : randomTwists(10, 20)) {
      q.spin = std::min(q.spin, 1.0);
      const double V = std::sqrt(dot(q.sliding, q.sliding));
      // Forces differ from Coulomb's by terms of the order omega/V, moments by terms of the order of the
      // size.
      const Wrench<double> w = small.wrench(q);
      EXPECT_NEAR(w.force.first, -q.sliding.first / V, 1e-6) << name;
      EXPECT_NEAR(w.force.second, -q.sliding.second / V, 1e-6) << name;
      EXPECT_NEAR(w.moment, 0.0, kSize) << name;
    }
  });
}

TEST(PatchModels, PureMotionsHaveTheirLimits) {
  forAllLaws([](const auto& law, const std::string& name) {
    const bool isMesh = name.find("bristle") != std::string::npos;
    const Wrench<double> sliding = law.wrench(Twist<double>{{0.6, -0.8}, 0.0});
    EXPECT_NEAR(sliding.force.first, -0.6, 1e-14) << name;
    EXPECT_NEAR(sliding.force.second, 0.8, 1e-14) << name;
    EXPECT_NEAR(sliding.moment, 0.0, 1e-14) << name;
    if (isMesh || name.find("resized") != std::string::npos) return;
    const std::string patch = name.substr(0, name.find(' '));
    const double M0 = ExactPatch(patchShapeNamed(patch)).moments().M0;
    EXPECT_NEAR(law.wrench(Twist<double>{{}, 3.0}).moment, -M0, 1e-13) << name;
    EXPECT_NEAR(law.wrench(Twist<double>{{}, -3.0}).moment, M0, 1e-13) << name;
  });
}

TEST(PatchModels, RestIsLeftToStick) {
  forAllLaws([](const auto& law, const std::string& name) {
    const Wrench<double> w = law.wrench(Twist<double>{});
    EXPECT_EQ(distance(w, {}), 0.0) << name;
  });
}

TEST(PatchModels, MirroredMotionsMirror) {
  // For a rectangle along its axes and a half disc along its axis of symmetry, y -> -y reverses the spin.
  for (const char* name : {"rect_2x1", "half_disc", "ellipse_1_0.5", "disc_linear_0.8"}) {
    const ExactPatch exact(patchShapeNamed(name));
    const Potential potential(exact.moments());
    const auto check = [&](const auto& law) {
      for (const Twist<double>& q : randomTwists(11, 30)) {
        const Wrench<double> w = law.wrench(q);
        const Wrench<double> m = law.wrench(Twist<double>{{q.sliding.first, -q.sliding.second}, -q.spin});
        EXPECT_NEAR(distance(m, {{w.force.first, -w.force.second}, -w.moment}), 0.0, 1e-13) << name;
      }
    };
    check(exact);
    check(potential);
  }
}

TEST(PatchModels, EvaluationDoesNotAllocate) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  forAllLaws([](const auto& law, const std::string& name) {
    const std::vector<Twist<double>> all = randomTwists(12, 20);
    double sum = 0.0;
    const test::AllocationCounter allocations;
    for (const Twist<double>& q : all) sum += law.wrench(q).moment + law.tangentMatrix(q)[0][0];
    EXPECT_EQ(allocations.count(), 0) << name << sum;
  });
}

TEST(Potential, OfAnAxialPatchIsTheShortForm) {
  for (const char* name : {"disc_uniform", "disc_hertz", "ring", "annulus_0.5", "disc_punch"}) {
    const PatchMoments m = ExactPatch(patchShapeNamed(name)).moments();
    const AxialPotential brief = AxialPotential::fromMoments(m);
    EXPECT_TRUE(brief.isConvex()) << name;
    for (const Twist<double>& q : randomTwists(13, 100))
      EXPECT_NEAR(distance(brief.wrench(q), Potential(m).wrench(q)), 0.0, 2e-14) << name;
  }
}

TEST(Potential, MomentsTypedByHandMayNotBeConvex) {
  // J is far above the largest value of an area with this M0: the law would not be monotone.
  EXPECT_FALSE(AxialPotential::fromMoments(PatchMoments::forAxisymmetricPatch(0.1, 1.0, 1.0)).isConvex());
}

TEST(Potential, PowerKeepsItsDigits) {
  for (double P = 0.05; P < 20.0; P *= 1.0003)
    // Series error 2e-15 and rounding.
    EXPECT_NEAR(powerMinusFiveSixths(P) / std::pow(P, -5.0 / 6.0), 1.0, 4e-15) << P;
}

TEST(Pade, HasTheLateralForceOfThePaperWhereThereIsOne) {
  // Disc under a linear pressure at 45 degrees: b1 w^2/(b2 V^2 + b3 V w + w^2), coefficients of friction.md.
  const Pade law(ExactPatch(patchShapeNamed("disc_linear_0.8")).moments());
  const double b1 = 0.03943698683405864, b2 = 1.9718493417029321, b3 = -0.865720213546841;
  for (const double u : {0.1, 1.0, 5.0}) {
    const double Y = b1 * u * u / (b2 + b3 * u + u * u);
    EXPECT_NEAR(test::frictionResistancesOfPatch(law, std::numbers::pi / 4.0, u).Y, Y, 1e-13);
    // For the opposite spin the area is rotated by pi: there the formula has a pole and is not compared.
    EXPECT_NEAR(test::frictionResistancesOfPatch(law, std::numbers::pi / 4.0, -u).Y, 0.0, 1e-15);
    // Relative to the rotated area both vectors are rotated: Y(a, -w) = Y(a + pi, w).
    EXPECT_NEAR(test::frictionResistancesOfPatch(law, std::numbers::pi * 1.25, -u).Y, Y, 1e-13);
  }
}

}  // namespace
}  // namespace ricochet::patch
