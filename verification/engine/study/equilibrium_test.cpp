// Static equilibria that friction holds, compared with closed forms.

#include "engine/study/run.hpp"
#include "engine/study/simulation.hpp"
#include "physical/elements/elements.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

constexpr NodeIndex kBodyNode{0};
constexpr double kBodyMass = 2.0, kFall = 9.81, kFloorUnderBody = 1.0e5, kHold = 1.0e4;

/// A body of 2 kg on a stop in the direction of its weight; the caller sets the position.
Study bodyOnObstacle(const AnyObstacle& obstacle, const Mat3& frame, const Vec3& origin) {
  Study study;
  study.addNode("body");
  study.addMass({kBodyNode}, kBodyMass);
  study.fix({kBodyNode}, {Component::uy});
  study.gravity = {0.0, 0.0, -kFall};
  ContactRequest stop;
  stop.name = "stop";
  stop.first = kBodyNode;
  stop.obstacle = obstacle;
  stop.frame = frame;
  stop.origin = origin;
  stop.normal = LinearPenalty{.stiffness = kFloorUnderBody};
  stop.friction.law = RegularisedCoulomb{0.8, 0.8, kHold};
  study.contacts.push_back(stop);
  study.transient.emplace().duration = 0.05;
  study.equilibrium = Equilibrium::withFriction;
  study.direct.step = 1e-4;
  return study;
}

struct EquilibriumCase {
  std::string_view scheme;
  bool direct;
};

class EquilibriumWithFriction : public testing::TestWithParam<EquilibriumCase> {
 protected:
  /// Runs a study from its equilibrium and returns the displacements along x and z at the start and the end.
  static std::array<std::array<double, 2>, 2> startAndEndOf(Study study) {
    study.transient->scheme = GetParam().direct ? "" : std::string(GetParam().scheme);
    if (GetParam().direct) study.direct.scheme = std::string(GetParam().scheme);
    if (GetParam().scheme != "event") study.transient->step = 1e-4;
    RunChoice choice;
    choice.direct = GetParam().direct;
    choice.archiveTimes = {0.0, study.transient->duration};
    const Result result = run(study, choice);
    std::array<std::array<double, 2>, 2> ends{};
    for (const std::size_t row : {0U, 1U})
      ends[row] = {result.displacement(kBodyNode, Component::ux)[row],
                   result.displacement(kBodyNode, Component::uz)[row]};
    return ends;
  }
};

TEST_P(EquilibriumWithFriction, OnASlopeStays) {
  // A slope of 30 degrees, down along x: T = m g sin 30, N = m g cos 30.
  const double sine = 0.5, cosine = std::sqrt(0.75);
  Study study = bodyOnObstacle(Plane{}, contactFrame({sine, 0.0, cosine}), Vec3::Zero());
  const double along = kBodyMass * kFall * sine / kHold, into = kBodyMass * kFall * cosine / kFloorUnderBody;
  for (const auto& [x, z] : startAndEndOf(study)) {
    EXPECT_NEAR(x, along * cosine - into * sine, 1e-11);
    EXPECT_NEAR(z, -along * sine - into * cosine, 1e-11);
  }
}

TEST_P(EquilibriumWithFriction, InABoreStays) {
  // A bore of radius 0.1 m about y; the body touches the bore 30 degrees from its lowest point, at its node.
  constexpr double kRadius = 0.1, kAngle = M_PI / 6.0;
  const Vec3 centre(-kRadius * std::sin(kAngle), 0.0, kRadius * std::cos(kAngle));
  Mat3 frame;  // e3 along the axis of the bore
  frame << 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0;
  Study study = bodyOnObstacle(Curved{Circle{.clearance = kRadius}}, frame, centre);
  // The body moves down the bore by the arc s = T/k_t of the mean radius: T = m g sin(angle), N = m g
  // cos(angle).
  double angle = kAngle;
  double r = kRadius;
  for (int i = 0; i < 100; ++i) {
    r = kRadius + kBodyMass * kFall * std::cos(angle) / kFloorUnderBody;
    angle = kAngle - kBodyMass * kFall * std::sin(angle) / kHold / (0.5 * (kRadius + r));
  }
  for (const auto& [x, z] : startAndEndOf(study)) {
    EXPECT_NEAR(x, centre[0] + r * std::sin(angle), 2e-8);
    EXPECT_NEAR(z, centre[2] - r * std::cos(angle), 2e-8);
  }
}

TEST(EquilibriumOnTop, IsRefused) {
  // On the top of a bar of radius 0.1 m about y the weight is in balance, but the stiffness around the bar is
  // -N/R.
  Mat3 frame;
  frame << 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0;
  Study study = bodyOnObstacle(Curved{Disc{.radius = 0.1}}, frame, {0.0, 0.0, -0.1});
  study.equilibrium = Equilibrium::withoutFriction;
  study.transient->scheme = "event";
  try {
    run(study);
    FAIL() << "an unstable equilibrium was taken";
  } catch (const StudyError& error) {
    EXPECT_NE(std::string(error.what()).find("unstable"), std::string::npos) << error.what();
  }
}

TEST(EquilibriumOnTop, FrictionHoldsIt) {
  Mat3 frame;
  frame << 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0;
  Study study = bodyOnObstacle(Curved{Disc{.radius = 0.1}}, frame, {0.0, 0.0, -0.1});
  study.transient->scheme = "event";
  RunChoice choice;
  choice.archiveTimes = {0.0};
  const Result result = run(study, choice);
  EXPECT_NEAR(result.displacement(kBodyNode, Component::uz)[0], -kBodyMass * kFall / kFloorUnderBody, 1e-11);
}

TEST(EquilibriumOfAFreeBody, IsRefusedWhereALinkActsAcrossTheLoad) {
  // A spring along (-0.6, 0.8) holds no load beside this axis: the body would move on until the load is lost
  // in the rounding of the force of the spring.
  Study study;
  study.addNode("body");
  study.addMass({kBodyNode}, kBodyMass);
  LinkRequest link;
  link.name = "spring";
  link.first = kBodyNode;
  link.axes = {{-0.6, 0.8, 0.0}};
  constexpr std::array<std::string_view, 1> kPlace{"x"};
  link.law = ForceDisplacement{.function = LinkFunction(Formula::parse("1e4*x", kPlace))};
  study.links.push_back(link);
  study.transient.emplace().duration = 0.01;
  study.equilibrium = Equilibrium::withoutFriction;
  for (const double across : {0.0, 1.0}) {
    Study loaded = study;
    loaded.gravity = {-30.0, 40.0 + across, 0.0};
    RunChoice choice;
    choice.archiveTimes = {0.0};
    if (across == 0.0)
      EXPECT_NEAR(run(loaded, choice).displacement(kBodyNode, Component::ux)[0], -0.006, 1e-14);
    else
      EXPECT_THROW(run(loaded, choice), StudyError);
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, EquilibriumWithFriction,
                         testing::Values(EquilibriumCase{"event", false},
                                         EquilibriumCase{"kick_drift", false},
                                         EquilibriumCase{"newmark", false}, EquilibriumCase{"rk54", false},
                                         EquilibriumCase{"moreau", false}, EquilibriumCase{"newmark", true},
                                         EquilibriumCase{"central_difference", true}),
                         [](const auto& each) {
                           return std::string(each.param.direct ? "direct_" : "") +
                                  std::string(each.param.scheme);
                         });

}  // namespace
}  // namespace ricochet
