// An anti-seismic dashpot whose force is infinitely steep at rest (exponent below 1): the motion ends, and
// the device then balances the load, in time-stepping schemes.
//
// On a mass m without other forces, m v dv/dx = -C (v x/D)^alpha has the solution
//
//     v^(2 - alpha)/(2 - alpha) = v_0^(2 - alpha)/(2 - alpha) - C x^(1 + alpha)/((1 + alpha) m D^alpha)

#include "engine/links/antiseismic.hpp"
#include "engine/study/run.hpp"
#include "engine/study/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string_view>

namespace ricochet {
namespace {

struct RestCase {
  std::string_view scheme;
  bool direct;
  /// Tolerance of the position of rest, relative to the path: the force jumps from 0 in the first step.
  double place;
  double force;  ///< tolerance of the balancing force, relative to the load
  double creep;  ///< largest motion of a device in balance, relative to the path [-]
};
void PrintTo(const RestCase& c, std::ostream* to) { *to << (c.direct ? "direct " : "") << c.scheme; }

constexpr double kMassOf = 2.0, kC = 3000.0, kD = 0.07, kAlpha = 0.07, kSpeed = 0.3;
constexpr double kRestStep = 1e-6, kUntil = 2e-3;

double wayToRest() {
  const double power = (1.0 + kAlpha) * kMassOf * std::pow(kD, kAlpha) * std::pow(kSpeed, 2.0 - kAlpha) /
                       ((2.0 - kAlpha) * kC);
  return std::pow(power, 1.0 / (1.0 + kAlpha));
}

class AntiseismicRest : public ::testing::TestWithParam<RestCase> {
 protected:
  /// One device, or two devices of the same total strength, in opposite directions.
  static Study study(double share = 1.0) {
    Study s;
    s.addNode("m");
    s.addMass({NodeIndex{0}}, kMassOf);
    s.fix({NodeIndex{0}}, {Component::uy, Component::uz});
    LinkRequest device;
    device.name = "device";
    device.first = NodeIndex{0};
    device.axes = {{1.0}};
    device.law = Antiseismic{.damping = share * kC, .exponent = kAlpha, .displacementMax = kD};
    s.links.push_back(device);
    if (share < 1.0) {
      device.name = "opposite";
      device.axes = {{-1.0}};
      device.law = Antiseismic{.damping = (1.0 - share) * kC, .exponent = kAlpha, .displacementMax = kD};
      s.links.push_back(device);
    }
    s.transient.emplace().duration = kUntil;
    (GetParam().direct ? s.direct.scheme : s.transient->scheme) = GetParam().scheme;
    (GetParam().direct ? s.direct.step : s.transient->step) = kRestStep;
    if (GetParam().scheme == "adaptive_central") s.transient->options.stepMax = kRestStep;
    return s;
  }
  static Result runOf(const Study& s) {
    RunChoice choice;
    choice.direct = GetParam().direct;
    for (int i = 0; i <= 20; ++i) choice.archiveTimes.push_back(0.05 * kUntil * i);
    Result result = run(s, choice);
    EXPECT_EQ(result.report().status, RunStatus::complete);
    EXPECT_LT(std::abs(result.report().energy.balanceResidual()), 2e-3);
    return result;
  }
};

TEST_P(AntiseismicRest, StopsWhereTheEnergyIsSpent) {
  Study s = study();
  s.initialVelocity.push_back({NodeIndex{0}, {kSpeed}});
  const Result result = runOf(s);
  const auto x = result.displacement(NodeIndex{0}, Component::ux);
  EXPECT_NEAR(x.back(), wayToRest(), GetParam().place * wayToRest());
  EXPECT_NEAR(x[10], wayToRest(), GetParam().place * wayToRest());  // the mass is at rest in the second half
  EXPECT_NEAR(result.link("device").back().dissipated, 0.5 * kMassOf * kSpeed * kSpeed, 2e-3 * 0.09);
}

/// Starts the mass at a position where the device acts, under a growing load.
void addGrowingLoad(Study& s) {
  s.initialDisplacement.push_back({NodeIndex{0}, {1e-3}});
  NodalLoad load;
  load.node = NodeIndex{0};
  load.components = {40.0};
  load.scale = TimeFunction::line(0.0, 0.0, 1.0 / kUntil);
  s.loads.push_back(load);
}

TEST_P(AntiseismicRest, HoldsALoadThatGrows) {
  Study s = study();
  addGrowingLoad(s);
  const Result result = runOf(s);
  const auto x = result.displacement(NodeIndex{0}, Component::ux);
  const double free = 40.0 * kUntil * kUntil / (6.0 * kMassOf);  // path without the device
  EXPECT_NEAR(x.back(), 1e-3, GetParam().creep * free);
  EXPECT_NEAR(result.link("device").back().force[0], 40.0, GetParam().force * 40.0);
}

/// Only the sum of both forces moves the mass: each device takes its share.
TEST_P(AntiseismicRest, PairHoldsAsOneDevice) {
  Study s = study(0.4);
  addGrowingLoad(s);
  const Result result = runOf(s);
  const auto x = result.displacement(NodeIndex{0}, Component::ux);
  EXPECT_NEAR(x.back(), 1e-3, GetParam().creep * 40.0 * kUntil * kUntil / (6.0 * kMassOf));
  EXPECT_NEAR(result.link("device").back().force[0], 0.4 * 40.0, GetParam().force * 40.0);
  EXPECT_NEAR(result.link("opposite").back().force[0], -0.6 * 40.0, GetParam().force * 40.0);
}

INSTANTIATE_TEST_SUITE_P(Schemes, AntiseismicRest,
                         ::testing::Values(RestCase{"newmark", false, 2e-3, 1e-6, 1e-9},
                                           RestCase{"hht", false, 2e-3, 1e-6, 1e-9},
                                           RestCase{"moreau", false, 1e-2, 1e-6, 1e-9},
                                           RestCase{"newmark", true, 2e-3, 1e-6, 1e-9},
                                           RestCase{"hht", true, 2e-3, 1e-6, 1e-9},
                                           RestCase{"kick_drift", false, 1e-2, 1e-2, 1e-2},
                                           RestCase{"central_difference", false, 1e-2, 1e-2, 1e-2},
                                           RestCase{"central_difference", true, 1e-2, 1e-2, 1e-2},
                                           RestCase{"symplectic_euler", false, 3e-2, 1e-2, 1e-2},
                                           RestCase{"devogelaere", false, 1e-2, 1e-2, 1e-2},
                                           RestCase{"adaptive_central", false, 1e-2, 1e-2, 1e-2}));

}  // namespace
}  // namespace ricochet
