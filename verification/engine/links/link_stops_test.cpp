// Link laws with crushing or rotation, compared with closed forms.

#include "verification/support/link_laws.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

using test::DrivenLink;
using test::motionAlong;

// ---- buckling

Buckling bucklingStop() {
  Buckling law;
  law.stiffness = 1.0;
  law.criticalForce = 1.0;
  law.postBucklingForce = 0.5;
  law.plateau = 1.0;
  law.drop = 1.0;
  law.crush = {{4.5, 2.0, 0.0}, {3.0 + 0.5 / 0.15, 3.0, 0.0}, {8.0, 4.0, 0.0}, {10.0, 5.0, 0.0}};
  return law;
}

TEST(Buckling, FollowsItsEnvelope) {
  const Buckling law = bucklingStop();
  for (const auto& [p, f] :
       {std::pair(0.5, 0.5), {1.0, 1.0}, {1.7, 1.0}, {2.5, 0.75}, {3.0, 0.5}, {6.5, 0.5}}) {
    DrivenLink<Buckling> link(law);
    link.start({});
    link.take(motionAlong(1.0, p, 0.0));
    EXPECT_NEAR(link.state().force[0], f, 1e-12) << p;
  }
}

TEST(Buckling, LeavesTheCrushOfItsTable) {
  // At 6.5 the residual crush is 3 + (6.5 - 6.3333)/(8 - 6.3333) = 3.1, and the unloading stiffness 0.5/3.4.
  DrivenLink<Buckling> link(bucklingStop());
  link.start({});
  link.take(motionAlong(1.0, 6.5, 0.0));
  EXPECT_NEAR(link.state().memory[Buckling::kResidual], 3.1, 1e-12);
  EXPECT_NEAR(link.state().stored, 0.5 * 0.5 * 3.4, 1e-12);
  // Work: elastic 1/2, plateau 1, drop 0.75, then 1/2 over 3.5.
  EXPECT_NEAR(link.state().dissipated, 0.5 + 1.0 + 0.75 + 1.75 - 0.85, 1e-12);
  link.take(motionAlong(2.0, 4.8, 0.0));
  EXPECT_NEAR(link.state().force[0], 0.5 / 3.4 * 1.7, 1e-12);
  link.take(motionAlong(3.0, 3.0, 0.0));
  EXPECT_EQ(link.state().force[0], 0.0);
  // All work except the returned elastic energy.
  EXPECT_NEAR(link.state().dissipated, 0.5 + 1.0 + 0.75 + 1.75, 1e-12 + 0.85);
  link.take(motionAlong(4.0, 6.5, 0.0));
  EXPECT_NEAR(link.state().force[0], 0.5, 1e-12);
}

TEST(Buckling, GivesBackWhatTheElasticStopHeldWithoutATable) {
  Buckling law;
  law.criticalForce = 1.0;
  law.postBucklingForce = 0.5;
  DrivenLink<Buckling> link(law);
  link.start({});
  link.take(motionAlong(1.0, 4.0, 0.0));
  EXPECT_NEAR(link.state().memory[Buckling::kResidual], 3.0, 1e-14);
  EXPECT_NEAR(link.state().stored, 0.25, 1e-14);
  EXPECT_NEAR(link.state().dissipated, 0.5 + 1.5 - 0.25, 1e-14);
  EXPECT_NEAR(link.state().event, 0.25, 1e-14);
  EXPECT_NEAR(link.state().jump[0], -0.5, 1e-14);
  EXPECT_NEAR(link.state().jumpAt, 0.25, 1e-14);
}

TEST(Buckling, SeesATurnInsideAStep) {
  DrivenLink<Buckling> link(bucklingStop());
  link.start(motionAlong(0.0, 4.0, 2.0));
  link.take(motionAlong(1.0, 4.0, -2.0));  // a parabola from 4 up to 4.5 and back
  EXPECT_NEAR(link.state().memory[Buckling::kLargest], 4.5, 1e-12);
  EXPECT_NEAR(link.state().memory[Buckling::kResidual], 2.0, 1e-12);
  EXPECT_NEAR(link.state().force[0], 0.2 * 2.0, 1e-12);
}

TEST(Buckling, DampingInTheCriterionCounts) {
  Buckling law;
  law.stiffness = 1000.0;
  law.criticalForce = 100.0;
  law.postBucklingForce = 50.0;
  law.plateau = 0.1;
  law.damping = 10.0;
  DrivenLink<Buckling> link(law);
  link.start({});
  link.take(motionAlong(1e-3, 0.05, 6.0));  // elastic 50 N and 60 N of the dashpot
  EXPECT_EQ(link.state().memory[Buckling::kBuckled], 1.0);
  EXPECT_NEAR(link.state().force[0], 100.0, 1e-12);
  law.dampingInCriterion = false;
  link = DrivenLink<Buckling>(law);
  link.start({});
  link.take(motionAlong(1e-3, 0.05, 6.0));
  EXPECT_EQ(link.state().memory[Buckling::kBuckled], 0.0);
  EXPECT_NEAR(link.state().force[0], 110.0, 1e-12);
}

TEST(Buckling, NeverPulls) {
  Buckling law = bucklingStop();
  law.damping = 5.0;
  DrivenLink<Buckling> link(law);
  link.start({});
  for (int i = 1; i <= 400; ++i) {
    const double t = 0.02 * i;
    link.take(motionAlong(t, 3.0 * std::sin(2.0 * t), 6.0 * std::cos(2.0 * t)));
    EXPECT_GE(link.state().force[0], 0.0);
  }
}

// ---- crushing

/// 2000 N/m; limit force 400 N up to 0.2 m, 450 N at 0.5 m, 300 N from 0.8 m on.
Crushing crushedStop() {
  Crushing law;
  law.stiffness = 2000.0;
  law.gap = 0.1;
  const std::vector<double> points{0.0, 0.2, 0.5, 0.8}, forces{400.0, 400.0, 450.0, 300.0};
  constexpr auto kOutside = TimeFunction::Outside::constant;
  law.limit = LinkFunction(TimeFunction::table(points, forces, kOutside, kOutside));
  return law;
}

TEST(Crushing, CarriesItsLimitAndUnloadsBySpring) {
  DrivenLink<Crushing> link(crushedStop());
  link.start({});
  link.take(motionAlong(1.0, 0.45, 0.0));  // p = 0.35: F = 425 N, S = 0.35 - 425/2000
  EXPECT_NEAR(link.state().force[0], 425.0, 1e-12 * 425.0);
  EXPECT_NEAR(link.state().memory[Crushing::kResidual], 0.1375, 1e-15);
  EXPECT_NEAR(link.state().event, 0.3 / 0.45, 1e-15);  // k p = 400 N at p = 0.2
  EXPECT_NEAR(link.state().stored, 0.5 * 425.0 * 0.2125, 1e-12 * 45.0);
  // The force is elastic up to 0.2 m, then at the limit over 0.15 m.
  EXPECT_NEAR(link.state().dissipated, 40.0 + 0.15 * 412.5 - 0.5 * 425.0 * 0.2125, 1e-12 * 60.0);
  const double spent = link.state().dissipated;
  link.take(motionAlong(2.0, 0.40, 0.0));
  EXPECT_NEAR(link.state().force[0], 2000.0 * (0.3 - 0.1375), 1e-10);
  EXPECT_EQ(link.state().event, -1.0);
  link.take(motionAlong(3.0, 0.2, 0.0));
  EXPECT_EQ(link.state().force[0], 0.0);
  EXPECT_EQ(link.state().dissipated, spent);
  EXPECT_EQ(link.state().stored, 0.0);
  link.take(motionAlong(4.0, 0.45, 0.0));
  EXPECT_NEAR(link.state().force[0], 425.0, 1e-10);
  EXPECT_NEAR(link.state().dissipated, spent, 1e-12 * spent);
}

TEST(Crushing, FollowsALimitThatFalls) {
  DrivenLink<Crushing> link(crushedStop());
  link.start({});
  link.take(motionAlong(1.0, 1.9, 0.0));
  EXPECT_NEAR(link.state().force[0], 300.0, 1e-10);
  EXPECT_NEAR(link.state().memory[Crushing::kResidual], 1.8 - 0.15, 1e-14);
  // Work: elastic 40 J, 0.3 m at 425 N, 0.3 m at 375 N, 1 m at 300 N, less the energy in the spring.
  EXPECT_NEAR(link.state().dissipated, 40.0 + 127.5 + 112.5 + 300.0 - 22.5, 1e-10);
}

TEST(Crushing, SeesATurnInsideAStep) {
  DrivenLink<Crushing> link(crushedStop());
  link.start({});
  link.take(motionAlong(1.0, 0.3, 1.0));
  link.take(motionAlong(2.0, 0.3, -1.0));  // the cubic has its peak half a step later, 1/4 m further in
  EXPECT_NEAR(link.state().memory[Crushing::kLargest], 0.45, 1e-14);
  EXPECT_NEAR(link.state().memory[Crushing::kResidual], 0.45 - (400.0 + 50.0 * 0.25 / 0.3) / 2000.0, 1e-14);
}

TEST(Crushing, NeverPulls) {
  Crushing law = crushedStop();
  law.damping = 500.0;
  DrivenLink<Crushing> link(law);
  link.start({});
  link.take(motionAlong(1.0, 0.25, 1.0));
  EXPECT_NEAR(link.state().force[0], 2000.0 * 0.15 + 500.0, 1e-10);  // the dashpot acts in parallel
  link.take(motionAlong(1.1, 0.2, -1.0));
  EXPECT_EQ(link.state().force[0], 0.0);
}

// ---- cracked rotor

TEST(CrackedRotor, IsASpringWhenTheStiffnessIsConstant) {
  const CrackedRotor law{AngleFunction({0.0, 2.0, 4.0}, {50.0, 50.0, 50.0}), 30.0, 7.0};
  const LinkMotion<double> at{{1e-3, -2e-3}, {}, 0.3};
  const auto response = law.computeResponse<double>({}, at);
  EXPECT_NEAR(response.force[0], 0.05, 1e-15);
  EXPECT_NEAR(response.force[1], -0.1, 1e-15);
}

TEST(CrackedRotor, IsTheGradientOfItsPotential) {
  const CrackedRotor law = test::exampleLinkLaw<CrackedRotor>();
  const auto stored = [&](double r1, double r2) {
    LinkState state;
    state.motion = {{r1, r2}, {}, 0.4};
    law.addEnergiesOfStep(state, state);
    return state.stored;
  };
  const double r1 = 0.02, r2 = -0.03, d = 1e-6;
  const auto f = law.computeResponse<double>({}, {{r1, r2}, {}, 0.4}).force;
  EXPECT_NEAR(f[0], (stored(r1 + d, r2) - stored(r1 - d, r2)) / (2.0 * d), 1e-8);
  EXPECT_NEAR(f[1], (stored(r1, r2 + d) - stored(r1, r2 - d)) / (2.0 * d), 1e-8);
}

TEST(CrackedRotor, TurnsWithItsShaft) {
  // A quarter of a turn later the same moments are rotated by a quarter of a turn.
  CrackedRotor law = test::exampleLinkLaw<CrackedRotor>();
  law.speed = 0.5 * std::numbers::pi;
  const auto now = law.computeResponse<double>({}, {{0.02, -0.03}, {}, 0.0}).force;
  // In axes that rotate with the shaft, (r1, r2) at psi + 90 deg is (r2, -r1): the shaft gets (-r2, r1).
  const auto later = law.computeResponse<double>({}, {{0.03, 0.02}, {}, 1.0}).force;
  EXPECT_NEAR(later[0], -now[1], 1e-14);
  EXPECT_NEAR(later[1], now[0], 1e-14);
}

/// The law evaluated on series agrees with the law on numbers; the first piece begins at the end of the last
/// piece, within rounding.
TEST(CrackedRotor, IsTheSameOnSeries) {
  const CrackedRotor law{AngleFunction({0.0, 0.8, 1.5, 4.1}, {100.0, 110.0, 140.0, 90.0}), 0.0, 2.0};
  for (const double phi : {-3.0, -1e-17, 0.0, 0.5, 0.8, 2.0, 6.0, 6.5}) {
    const double time = 0.3, r1 = 0.01 * std::sin(phi - 0.6), r2 = 0.01 * std::cos(phi - 0.6);
    SeriesTape tape(3);
    LinkMotion<Series> moving;
    moving.x = {tape.recordInput(std::array{r1, 0.02}), tape.recordInput(std::array{r2, -0.03})};
    moving.time = tape.recordInput(std::array{time, 1.0});
    const LinkResponse<Series> series = law.computeResponse<Series>({}, moving);
    tape.computeSeriesOrders(1, 3);
    ASSERT_EQ(tape.decisionsOfRecordedBranches().size(), 2U);
    for (const Series& distance : tape.decisionsOfRecordedBranches()) EXPECT_GT(distance.value(), 0.0) << phi;
    // phi increases: the distance from the begin of the piece increases, the distance to its end decreases.
    EXPECT_GT(tape.decisionsOfRecordedBranches()[0].coefficient(1), 0.0);
    EXPECT_LT(tape.decisionsOfRecordedBranches()[1].coefficient(1), 0.0);
    const LinkResponse<double> number = law.computeResponse<double>({}, {{r1, r2}, {}, time});
    for (std::size_t a = 0; a < 2; ++a) EXPECT_NEAR(series.force[a].value(), number.force[a], 1e-13);
    constexpr double kShort = 1e-6;
    const LinkMotion<double> later{{r1 + 0.02 * kShort, r2 - 0.03 * kShort}, {}, time + kShort};
    for (std::size_t a = 0; a < 2; ++a)
      EXPECT_NEAR(law.computeResponse<double>({}, later).force[a] - number.force[a],
                  kShort * series.force[a].coefficient(1), 1e-10 * std::abs(number.force[a]));
  }
}

TEST(AngleFunction, IsAPeriodicSpline) {
  std::vector<double> angles, values;
  for (int i = 0; i < 60; ++i) {
    angles.push_back(0.05 + 2.0 * std::numbers::pi * i / 60);
    values.push_back(std::sin(angles.back()) + 0.3 * std::cos(2.0 * angles.back()));
  }
  const AngleFunction f(angles, values);
  for (const double a : {-7.0, 0.0, 0.02, 1.0, 3.1, 6.28, 12.0}) {
    EXPECT_NEAR(f.at(a).value, std::sin(a) + 0.3 * std::cos(2.0 * a), 2e-5) << a;  // h^4/384 times 5.8
    EXPECT_NEAR(f.at(a).slope, std::cos(a) - 0.6 * std::sin(2.0 * a), 5e-4) << a;
  }
}

}  // namespace
}  // namespace ricochet
