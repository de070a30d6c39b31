// The event scheme in round obstacles. References: problems I07, F10 and S01, closed forms and independent
// integrations with the digits given there; a tube computed by another code.

#include "verification/support/models.hpp"
#include "verification/support/short_runs.hpp"
#include "verification/support/table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// 1 kg whose modes are its coordinates, rotated by an angle, in a circle of 1 m with a spring of 1e5 N/m.
test::ModelParts insideCircle(const AnyFrictionLaw& friction = Frictionless{}, double angle = 0.0) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(2), Matrix::Zero(2, 2), true);
  Contact contact =
      test::contactOf(2, Curved{Circle{.clearance = 1.0}}, LinearPenalty{.stiffness = 1e5}, friction);
  contact.rows(0, 0) = contact.rows(1, 1) = std::cos(angle);
  contact.rows(0, 1) = -std::sin(angle);
  contact.rows(1, 0) = std::sin(angle);
  parts.contacts.push_back(contact);
  return parts;
}

double radius(const State& s) { return std::hypot(s.q[0], s.q[1]); }

constexpr double kOrbit = 1.00003999840012798720;  // radius of problem I07: m v^2/r = k (r - R) at 2 m/s [m]

TEST(EventCurved, OrbitsInACircle) {
  const double period = 3.1417183122697906681;
  const test::Outcome run = test::runUntilEndTime(insideCircle(), test::stateOf({kOrbit, 0.0}, {0.0, 2.0}),
                                                  period, {0.25 * period, 0.5 * period});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  for (const auto& [index, row] : run.seen.shown) {
    EXPECT_NEAR(radius(row.state), kOrbit, 1e-11);
    EXPECT_NEAR(row.contacts[0].normalForce, 3.99984001279872, 1e-6);  // 1e5 N/m times the rounding of 1 m
  }
  EXPECT_NEAR(run.state.q[0], kOrbit, 1e-9);
  EXPECT_NEAR(run.state.q[1], 0.0, 1e-9);
  EXPECT_LT(run.report.energyError, 1e-11);
}

TEST(EventCurved, IsLaunchedAlongTheWall) {
  const test::Outcome run = test::runUntilEndTime(insideCircle(), test::stateOf({1.0, 0.0}, {0.0, 2.0}), 5.0,
                                                  {0.00993399233947309});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  EXPECT_NEAR(radius(run.seen.shown[0].second.state), 1.000079990402175390910, 1e-11);
  EXPECT_NEAR(run.seen.shown[0].second.contacts[0].normalForce, 7.999040217539091, 1e-6);
  EXPECT_NEAR(run.state.q[0], -0.83955798009182, 1e-8);
  EXPECT_NEAR(run.state.q[1], -0.54338270247761, 1e-8);
  EXPECT_NEAR(run.state.q[0] * run.state.v[1] - run.state.q[1] * run.state.v[0], 2.0, 1e-10);
  EXPECT_LT(run.report.energyError, 1e-10);
}

TEST(EventCurved, BouncesAlongChords) {
  for (const double angle : {0.0, 0.7, 2.9}) {
    const double c = std::cos(angle), s = std::sin(angle);
    const test::Outcome run =
        test::runUntilEndTime(insideCircle(Frictionless{}, angle),
                              test::stateOf({0.6 * s, 0.6 * c}, {2.0 * c, -2.0 * s}), 3.0, {1.0});
    ASSERT_EQ(run.report.status, RunStatus::complete);
    const auto back = [&](const State& at) {
      return std::array{c * at.q[0] - s * at.q[1], s * at.q[0] + c * at.q[1]};
    };
    const auto first = back(run.seen.shown[0].second.state), last = back(run.state);
    EXPECT_NEAR(first[0], 0.4632170401957992, 1e-8);
    EXPECT_NEAR(first[1], -0.5384258288746273, 1e-8);
    EXPECT_NEAR(last[0], 0.3738383846043, 1e-8);
    EXPECT_NEAR(last[1], 0.6710284979549134, 1e-8);
    EXPECT_LT(run.report.energyError, 1e-11);
  }
}

TEST(EventCurved, SlowsDownByFrictionInACircle) {
  for (const AnyFrictionLaw& law : {AnyFrictionLaw(Coulomb{0.2, 0.2})}) {
    const test::Outcome run =
        test::runUntilEndTime(insideCircle(law), test::stateOf({kOrbit, 0.0}, {0.0, 2.0}), 2.0);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    EXPECT_NEAR(run.state.v.norm(), 1.1111388753361557, 1.1e-8);
    EXPECT_NEAR(std::atan2(run.state.q[1], run.state.q[0]), 2.93892104060997, 3e-8);
    EXPECT_LT(run.report.energyError, 1e-10);
  }
}

/// A body in set-valued stick on the wall under a force F that rotates at w: r - R = F cos(wt)/(k - w^2) and
/// T = F sin(wt), until tan(wt) = mu_s k/(k - w^2).
TEST(EventCurved, HoldsOnUntilTheConeEnds) {
  constexpr double kForce = 50.0, kSpeed = 2.0, kStiffness = 1e5, kStatic = 0.4;
  test::ModelParts parts = insideCircle(Coulomb{kStatic, 0.3});
  parts.loads.push_back({Vector::Unit(2, 0), test::formula("50*cos(2*t)")});
  parts.loads.push_back({Vector::Unit(2, 1), test::formula("50*sin(2*t)")});
  const double share = kStiffness / (kStiffness - kSpeed * kSpeed);
  const double end = std::atan(kStatic * share) / kSpeed;
  const State initial = test::stateOf({1.0 + kForce * share / kStiffness, 0.0}, {0.0, 0.0});
  const test::Outcome run = test::runUntilEndTime(parts, initial, 1.5 * end, {0.5 * end, 0.9 * end});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  EXPECT_LT(run.report.energyError, 1e-10);
  for (const auto& [index, row] : run.seen.shown) {
    const double angle = kSpeed * row.state.time;
    // The tangent is e3 x normal, and the normal is -e1.
    EXPECT_NEAR(row.contacts[0].tangentialForce.first, kForce * std::sin(angle), 1e-9 * kForce);
    EXPECT_NEAR(row.contacts[0].normalForce, kForce * share * std::cos(angle), 1e-9 * kForce);
    EXPECT_NEAR(row.state.q[1], 0.0, 1e-13);
  }
  const auto slips = run.seen.times(EventKind::stickToSlip);
  ASSERT_FALSE(slips.empty());
  EXPECT_NEAR(slips[0], end, 1e-10);
}

struct Rub {
  double speed, force, radius, normal, lag, power;
};

/// Steady annular rub of 1 kg on 400 N/m and 2 N s/m in a circle of 10 mm, 2e4 N/m, mu = 0.15.
TEST(EventCurved, RubsAllAround) {
  for (const Rub& r :
       {Rub{30.0, 12.0, 0.010849517814659081, 16.990356293181623, 0.26989168340043074, 0.8295172797612558},
        Rub{22.0, 8.0, 0.010434010081959969, 8.680201639199387, 0.22195884619913742, 0.29887872767561113},
        Rub{60.0, 80.0, 0.01649221097407577, 129.84421948151544, 0.2715201746274339, 19.27276435308017}}) {
    SCOPED_TRACE(r.speed);
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Constant(2, 400.0), Matrix(2.0 * Matrix::Identity(2, 2)), true);
    Contact contact = test::contactOf(2, Curved{Circle{.clearance = 0.01}}, LinearPenalty{.stiffness = 2e4},
                                      Coulomb{0.15, 0.15});
    contact.rows.block(0, 0, 2, 2).setIdentity();
    parts.contacts.push_back(contact);
    for (const int axis : {0, 1}) {
      const std::string wave = axis == 0 ? "cos" : "sin";
      parts.loads.push_back(
          {Vector::Unit(2, axis), test::formula(fmt::format("{}*{}({}*t)", r.force, wave, r.speed))});
    }
    const double c = std::cos(r.lag), s = -std::sin(r.lag), w = r.speed;
    const State initial = test::stateOf({r.radius * c, r.radius * s}, {-w * r.radius * s, w * r.radius * c});
    const test::Outcome run = test::runUntilEndTime(parts, initial, 1.0);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    EXPECT_NEAR(radius(run.state), r.radius, 1e-8 * r.radius);
    EXPECT_NEAR(run.report.energy.friction, r.power, 1e-8 * r.power);
    EXPECT_LT(run.report.energyError, 1e-10);
  }
}

/// S01: 1 kg on springs of 20 and 23 Hz with 5 % of damping, in a circle of 0.5 mm under a tabulated random
/// force, with set-valued stick. Reference: an independent integration by Moreau's midpoint rule with steps
/// of 1.6e-7 s, accurate to its difference from half the step.
TEST(EventCurved, IsShakenInASupport) {
  const double x = 40.0 * std::numbers::pi, y = 46.0 * std::numbers::pi;
  Vector omegaSquared(2), damping(2);
  omegaSquared << x * x, y * y;
  damping << 0.1 * x, 0.1 * y;
  test::ModelParts parts;
  parts.linear = LinearSystem(omegaSquared, damping.asDiagonal(), true);
  Contact contact = test::contactOf(2, Curved{Circle{.clearance = 5e-4}}, LinearPenalty{.stiffness = 2e6},
                                    Coulomb{0.25, 0.25});
  contact.rows.block(0, 0, 2, 2).setIdentity();
  parts.contacts.push_back(contact);
  std::vector<double> times, first, second;
  for (const test::TableRow& row : test::readTable("random_force.csv", 0)) {
    times.push_back(row.numbers[0]);
    first.push_back(row.numbers[1]);
    second.push_back(row.numbers[2]);
  }
  const auto outside = TimeFunction::Outside::constant;
  parts.loads.push_back({Vector::Unit(2, 0), TimeFunction::table(times, first, outside, outside)});
  parts.loads.push_back({Vector::Unit(2, 1), TimeFunction::table(times, second, outside, outside)});
  const test::Outcome run = test::runUntilEndTime(parts, State(2), 0.1, {0.02, 0.05});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  EXPECT_LT(run.report.energyError, 1e-10);
  const auto expectAt = [](const State& s, double atX, double atY, double relative) {
    EXPECT_NEAR(s.q[0], atX, relative * 5e-4);
    EXPECT_NEAR(s.q[1], atY, relative * 5e-4);
  };
  expectAt(run.seen.shown[0].second.state, 5.797289039844e-5, 0.0002580644271607, 1e-9);
  expectAt(run.seen.shown[1].second.state, 0.0003274497708143, 7.647989313659e-5, 4e-8);
  expectAt(run.state, 0.0004797715497488, -0.0001752916272399, 5e-7);
}

/// The tube of ten modes in round supports with an elastic stick: kick_drift converges to the motion of event
/// as its step decreases.
TEST(EventCurved, ATubeKnocksInRoundSupports) {
  for (const int count : {1, 10}) {
    SCOPED_TRACE(count);
    test::ModelParts parts =
        test::tube({.modes = 10, .stations = test::positionsOfTubeSlots(count), .loadsTo = 0.1});
    for (Contact& contact : parts.contacts) {
      contact.obstacle = Curved{Circle{.clearance = 0.5e-3}};
      contact.rows.row(1) = contact.rows.row(2);
      contact.rows.row(2).setZero();
    }
    const test::Outcome events = test::runUntilEndTime(parts, State(10), 0.1, {0.05});
    ASSERT_EQ(events.report.status, RunStatus::complete);
    EXPECT_LT(events.report.energyError, 1e-12);
    EXPECT_GT(events.report.events, 10 * count);
    const auto difference = [&](double step) {
      const test::Outcome steps = test::runModel(parts.build(), "kick_drift", State(10),
                                                 {.end = 0.05, .step = step, .archiveEvery = 1 << 30});
      return (steps.state.q - events.seen.shown[0].second.state.q).norm();
    };
    const double fine = difference(1e-6);
    EXPECT_LT(fine, 2e-4 * events.seen.shown[0].second.state.q.norm());
    EXPECT_LT(fine, 0.2 * difference(1e-5));
  }
}

}  // namespace
}  // namespace ricochet
