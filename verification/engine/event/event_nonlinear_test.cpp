// The event scheme with forces that are nonlinear functions of the motion: laws with a power of the
// penetration, tables, moving supports. References: problems I10 and I09, closed forms and independent
// integrations with the digits given there.

#include "engine/study/run_transient.hpp"
#include "verification/support/models.hpp"
#include "verification/support/short_runs.hpp"

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

/// 0.5 kg that strikes a plane at 1 m/s after 1 ms.
test::ModelParts falls(const AnyNormalLaw& law) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(1), Matrix::Zero(1, 1), true);
  Contact contact = test::contactOf(1, Plane{}, law);
  contact.rows(0, 0) = std::sqrt(2.0);
  contact.offset[0] = 1e-3;
  parts.contacts.push_back(contact);
  return parts;
}

struct Rebound {
  double chi, restitution, duration;
};

/// Largest force of a free mass at 1 m/s: v dv/(1 + chi v) = -(K/m) d^1.5 dd gives d(v), and N(v) has a
/// single maximum.
double largestForce(double chi) {
  constexpr double kMass = 0.5, kSpring = 1e8;
  const auto force = [&](double v) {
    const double work =
        chi == 0.0 ? 0.5 * (1.0 - v * v) : (1.0 - v - std::log((1.0 + chi) / (1.0 + chi * v)) / chi) / chi;
    const double depth = std::pow(2.5 * kMass / kSpring * work, 0.4);
    return kSpring * depth * std::sqrt(depth) * (1.0 + chi * v);
  };
  double low = -0.5, high = 1.0;
  for (int i = 0; i < 100; ++i) {
    const double third = (high - low) / 3.0;
    (force(low + third) < force(high - third) ? low : high) +=
        force(low + third) < force(high - third) ? third : -third;
  }
  return force(low);
}

TEST(EventNonlinear, ReboundsFromPowersOfThePenetration) {
  for (const Rebound& r : {Rebound{0.0, 1.0, 0.0015388024734451407137},
                           Rebound{0.05, 0.96773857853093249551, 0.00154400919303986},
                           Rebound{0.2, 0.88218998624730637932, 0.00156045791261587},
                           Rebound{0.5, 0.74843493159743415812, 0.00159627318403598},
                           Rebound{0.9, 0.61973646608197513484, 0.00164836663329124}}) {
    SCOPED_TRACE(r.chi);
    const AnyNormalLaw law = r.chi == 0.0
                                 ? AnyNormalLaw(Hertz{.stiffness = 1e8})
                                 : AnyNormalLaw(HuntCrossley{.stiffness = 1e8, .damping = r.chi / 1.5});
    const ModalModel model = falls(law).build();
    ModalEquation equation(model);
    State state = test::stateOf({0.0}, {-std::sqrt(0.5)});
    test::Recorder recorder;
    recorder.stopAfter = test::kLong;
    const Report report =
        run(kEventScheme, equation, state, {.end = 3e-3, .step = 1.0, .archiveEvery = 1}, recorder);
    ASSERT_EQ(report.status, RunStatus::complete);
    const auto closings = recorder.times(EventKind::closing), openings = recorder.times(EventKind::opening);
    ASSERT_EQ(closings.size(), 1U);
    ASSERT_EQ(openings.size(), 1U);
    EXPECT_NEAR(closings[0], 1e-3, 1e-15);
    EXPECT_NEAR(openings[0] - closings[0], r.duration, 1e-9 * r.duration);
    EXPECT_NEAR(std::sqrt(2.0) * state.v[0], r.restitution, 1e-9);
    EXPECT_NEAR(equation.contacts().runTotals()[0].peakForce, largestForce(r.chi),
                1e-9 * largestForce(r.chi));
    EXPECT_NEAR(equation.contacts().runTotals()[0].impulse, 0.5 * (1.0 + r.restitution), 1e-9);
    EXPECT_LT(report.energyError, 1e-10);
  }
}

/// 1 kg at 1 m/s in a slot without a gap: half a period of x'' = -K |x|^1.5 sign(x) is
///     2 a/v (pi^1/2 / 2.5) Gamma(0.4)/Gamma(0.9),   a = (1.25 m v^2/K)^0.4.
TEST(EventNonlinear, PassesTheMiddleOfASlotWithoutAGap) {
  const double half =
      2.0 * std::pow(1.25e-8, 0.4) * std::sqrt(std::numbers::pi) / 2.5 * std::tgamma(0.4) / std::tgamma(0.9);
  for (const double way : {1.0, -1.0}) {
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(1), Matrix::Zero(1, 1), true);
    parts.contacts.push_back(test::contactOf(1, Slot{.clearance = 0.0}, Hertz{.stiffness = 1e8}));
    parts.contacts.back().rows(0, 0) = 1.0;
    const ModalModel model = parts.build();
    ModalEquation equation(model);
    State state = test::stateOf({0.0}, {way});
    test::Recorder recorder;
    recorder.stopAfter = test::kLong;
    const Report report =
        run(kEventScheme, equation, state, {.end = 0.01, .step = 1.0, .archiveEvery = 1}, recorder);
    ASSERT_EQ(report.status, RunStatus::complete);
    const auto closings = recorder.times(EventKind::closing);
    ASSERT_EQ(closings.size(), 4U);  // the contact starts closed
    for (std::size_t i = 0; i < closings.size(); ++i) {
      const double passed = static_cast<double>(i + 1) * half;
      EXPECT_NEAR(closings[i], passed, 1e-9 * passed);
    }
    EXPECT_LT(report.energyError, 1e-10);
  }
}

struct Blow {
  int modes;
  double force, peakTime, opening, sphere, beam;
};

/// I09: a steel sphere on a simply supported steel beam, S. Timoshenko, Z. Math. Phys. 62 (1913) 198.
TEST(EventNonlinear, ASphereStrikesABeam) {
  constexpr double kMass = 0.03334277003009968, kBeam = 0.122186, kLength = 0.1535;
  for (const Blow& b : {Blow{1, 5.481576990415133, 7.273647249101825e-05, 0.0001471101460986704,
                             -0.0030847133607857886, 8.094838207620354e-07},
                        Blow{5, 4.979434933411987, 7.25179427276366e-05, 0.00015634979147197356,
                             -0.003022628688236416, 8.02902802918822e-07},
                        Blow{15, 4.977222982738251, 7.255365407531043e-05, 0.00015640027595073915,
                             -0.003023221046276342, 8.027282670143494e-07}}) {
    SCOPED_TRACE(b.modes);
    Vector omegaSquared = Vector::Zero(b.modes + 1);
    Contact contact = test::contactOf(b.modes + 1, Plane{}, Hertz{.stiffness = 15805567765.567764});
    Vector middle = Vector::Zero(b.modes + 1);
    for (int i = 0; i < b.modes; ++i) {
      const double wave = (2.0 * i + 1.0) * std::numbers::pi / kLength;
      omegaSquared[i] = std::pow(wave, 4) * 2.15746e11 * 1e-8 / 12.0 / (7960.0 * 1e-4);
      middle[i] = std::sqrt(2.0 / kBeam) * (i % 2 == 0 ? 1.0 : -1.0);
    }
    contact.rows.row(0) = middle.transpose();
    contact.rows(0, b.modes) = -1.0 / std::sqrt(kMass);
    test::ModelParts parts;
    parts.linear = LinearSystem(omegaSquared, Matrix::Zero(b.modes + 1, b.modes + 1), true);
    parts.contacts.push_back(contact);
    const ModalModel model = parts.build();
    ModalEquation equation(model);
    State state(b.modes + 1);
    state.v[b.modes] = 0.01 * std::sqrt(kMass);
    test::Recorder recorder;
    recorder.stopAfter = test::kLong;
    const Report report =
        run(kEventScheme, equation, state,
            {.end = 1.2e-3, .step = 1.0, .archiveEvery = 1 << 30, .instants = {b.peakTime}}, recorder);
    ASSERT_EQ(report.status, RunStatus::complete);
    EXPECT_NEAR(equation.contacts().runTotals()[0].peakForce, b.force, 1e-7 * b.force);
    EXPECT_NEAR(recorder.shown[0].second.contacts[0].normalForce, b.force, 1e-7 * b.force);
    EXPECT_NEAR(recorder.times(EventKind::opening)[0], b.opening, 1e-7 * b.opening);
    EXPECT_NEAR(state.v[b.modes] / std::sqrt(kMass), b.sphere, 1e-7 * 0.01);
    EXPECT_NEAR(middle.dot(state.q.head(middle.size())), b.beam, 1e-7 * 1e-6);
    EXPECT_LT(report.energyError, 1e-10);
  }
}

/// 1 kg on unequal springs in a plane under a load, inside or beside an obstacle.
test::ModelParts oscillates(const AnyObstacle& obstacle, const AnyNormalLaw& normal,
                            const AnyFrictionLaw& friction) {
  test::ModelParts parts;
  Vector omegaSquared(2);
  omegaSquared << 900.0, 1600.0;
  parts.linear = LinearSystem(omegaSquared, Matrix(1.5 * Matrix::Identity(2, 2)), true);
  Contact contact = test::contactOf(2, obstacle, normal, friction);
  contact.rows.block(0, 0, 2, 2).setIdentity();
  parts.contacts.push_back(contact);
  parts.loads.push_back({Vector::Unit(2, 0), test::formula("60*cos(17*t)")});
  parts.loads.push_back({Vector::Unit(2, 1), test::formula("45*sin(23*t)")});
  return parts;
}

struct Case {
  const char* name;
  test::ModelParts parts;
  double end, tolerance;
};

std::vector<Case> cases() {
  // Accuracy of steps of rk54: through 20 impacts, through kinks of the force, and through its jumps and
  // breakaways, where the steps are of first order.
  constexpr double kSmooth = 1e-8, kBroken = 1e-6, kRough = 1e-3;
  const AnyObstacle circle = Curved{Circle{.clearance = 0.02}};
  const AnyNormalLaw spring = LinearPenalty{.stiffness = 1e5};
  const AnyNormalLaw damped = LinearPenalty{.stiffness = 1e5, .damping = 20.0};
  const AnyNormalLaw hertz = Hertz{.stiffness = 1e6};
  const AnyNormalLaw crossley = HuntCrossley{.stiffness = 1e6, .exponent = 1.3, .damping = 0.4};
  const AnyFrictionLaw none = Frictionless{};
  const AnyFrictionLaw stiff = RegularisedCoulomb{0.3, 0.2, 2e4, 0.0};
  const AnyFrictionLaw dashpot = RegularisedCoulomb{0.3, 0.2, 2e4, 15.0};
  std::vector<Case> all;
  all.push_back({"circle", oscillates(circle, spring, none), 0.5, kSmooth});
  all.push_back({"damped circle", oscillates(circle, damped, none), 0.5, kRough});
  all.push_back({"hertz circle", oscillates(circle, hertz, none), 0.5, kSmooth});
  all.push_back({"crossley circle", oscillates(circle, crossley, none), 0.5, kSmooth});
  all.push_back({"table circle", oscillates(circle, ForceTable{}, none), 0.5, kBroken});
  all.push_back({"rough circle", oscillates(circle, spring, stiff), 0.5, kRough});
  all.push_back({"rough damped circle", oscillates(circle, damped, dashpot), 0.5, kRough});
  all.push_back({"rough hertz circle", oscillates(circle, hertz, stiff), 0.5, kRough});
  all.push_back({"rough crossley plane", oscillates(Plane{}, crossley, stiff), 0.5, kRough});
  all.push_back({"rough hertz slot", oscillates(Slot{.clearance = 0.02}, hertz, dashpot), 0.5, kRough});
  all.push_back({"disc", oscillates(Curved{Disc{.radius = 0.03}}, spring, stiff), 0.5, kRough});
  all.back().parts.contacts[0].offset[0] = 0.05;
  all.push_back({"sphere", oscillates(Curved{Sphere{.radius = 0.03}}, spring, none), 0.5, kSmooth});
  all.back().parts.contacts[0].offset = Vec3(0.04, 0.0, 0.02);
  all.push_back({"spinning circle", oscillates(circle, spring, stiff), 0.5, kRough});
  std::get<Circle>(std::get<Curved>(all.back().parts.contacts[0].obstacle).shape).body = 0.1;
  all.back().parts.contacts[0].surfaceSpin.push_back({test::formula("3+5*t")});
  all.push_back({"carried plane", oscillates(Plane{}, spring, stiff), 0.5, kRough});
  all.back().parts.contacts[0].drift.push_back(
      {test::formula("0.01*sin(9*t)"), test::formula("0.09*cos(9*t)"), Vec3(1.0, 0.5, 0.0)});
  return all;
}

/// 1 kg strikes at v and slides at u << v. Under N = K (v t)^1.5 the slider of its regularised friction stops
/// when mu N' equals k_t u,
///
///     t = (k_t u/(1.5 mu K v^1.5))^2
///
/// with a relative error of 1e-9, long before forces change the penetration or the slip rate. Without mu_s >
/// mu_d a stick follows.
TEST(EventNonlinear, ASliderStopsUnderAGrowingPower) {
  constexpr double kSpeed = 0.1, kSlide = 0.01, kPower = 1e8, kTangent = 1e5, kMu = 0.5;
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(2), Matrix::Zero(2, 2), true);
  Contact contact =
      test::contactOf(2, Plane{}, Hertz{.stiffness = kPower}, RegularisedCoulomb{kMu, kMu, kTangent, 0.0});
  contact.rows(0, 0) = contact.rows(1, 1) = 1.0;
  contact.offset[0] = 1e-4;
  parts.contacts.push_back(contact);
  const test::Outcome run =
      test::runUntilEndTime(parts, test::stateOf({0.0, 0.0}, {-kSpeed, kSlide}), 1.001e-3);
  ASSERT_EQ(run.report.status, RunStatus::complete);
  const double expected = std::pow(kTangent * kSlide / (1.5 * kMu * kPower * std::pow(kSpeed, 1.5)), 2);
  const auto closings = run.seen.times(EventKind::closing), stops = run.seen.times(EventKind::slipToStick);
  ASSERT_EQ(closings.size(), 1U);
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_NEAR(stops[0] - closings[0], expected, 1e-8 * expected);
  EXPECT_TRUE(run.seen.times(EventKind::stickToSlip).empty());
}

/// The body rebounds with its approach speed, however slowly it slides.
TEST(EventNonlinear, ASlowSliderReboundsElastically) {
  for (const double exponent : {1.0, 1.2, 1.5, 2.0})
    for (const double slide : {1e-3, 2.8e-6, 1e-9, 1e-12, 0.0}) {
      SCOPED_TRACE(testing::Message() << exponent << " " << slide);
      test::ModelParts parts;
      parts.linear = LinearSystem(Vector::Zero(2), Matrix::Zero(2, 2), true);
      Contact contact = test::contactOf(
          2, Plane{}, Hertz{.stiffness = 1e8 * std::pow(1e-5, 1.5 - exponent), .exponent = exponent},
          RegularisedCoulomb{0.5, 0.5, 1e5, 0.0});
      contact.rows(0, 0) = contact.rows(1, 1) = 1.0;
      contact.offset[0] = 1e-4;
      parts.contacts.push_back(contact);
      const test::Outcome run = test::runUntilEndTime(parts, test::stateOf({0.0, 0.0}, {-0.1, slide}), 0.051);
      ASSERT_EQ(run.report.status, RunStatus::complete);
      EXPECT_NEAR(run.state.v[0], 0.1, 1e-8);
      EXPECT_LT(run.report.energyError, 1e-8);
    }
}

/// An adaptive scheme of order 5 with a step that resolves all motions.
TEST(EventNonlinear, AgreesWithRungeKutta) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    const test::Outcome events = test::runUntilEndTime(each.parts, State(2), each.end);
    const test::Outcome steps = test::runUntilEndTime(each.parts, State(2), each.end, {}, "rk54");
    EXPECT_EQ(events.report.status, RunStatus::complete);
    EXPECT_LT(events.report.energyError, 1e-10);
    const double scale = steps.state.v.norm();
    EXPECT_NEAR((events.state.v - steps.state.v).norm(), 0.0, each.tolerance * scale);
  }
}

/// A contact whose support does not move uses the functions for linear contacts.
TEST(EventNonlinear, AgreesWithTheLinearKind) {
  const AnyNormalLaw spring = LinearPenalty{.stiffness = 1e5};
  const AnyNormalLaw damped = LinearPenalty{.stiffness = 1e5, .damping = 20.0};
  for (const AnyObstacle& obstacle : {AnyObstacle(Plane{}), AnyObstacle(Slot{.clearance = 0.02})})
    for (const AnyNormalLaw& normal : {spring, damped})
      for (const AnyFrictionLaw& friction :
           {AnyFrictionLaw(Frictionless{}), AnyFrictionLaw(Coulomb{0.3, 0.2}),
            AnyFrictionLaw(RegularisedCoulomb{0.3, 0.2, 2e4, 0.0}),
            AnyFrictionLaw(RegularisedCoulomb{0.3, 0.2, 2e4, 15.0})}) {
        SCOPED_TRACE(testing::Message() << obstacle.index() << friction.index());
        test::ModelParts parts = oscillates(obstacle, normal, friction);
        const test::Outcome linear = test::runUntilEndTime(parts, State(2), 0.5);
        const auto none = TimeFunction::constant(0.0);
        parts.contacts[0].drift.push_back({none, none, Vec3(1.0, 0.5, 0.0)});
        const test::Outcome other = test::runUntilEndTime(parts, State(2), 0.5);
        ASSERT_EQ(linear.report.status, RunStatus::complete);
        ASSERT_EQ(other.report.status, RunStatus::complete);
        ASSERT_EQ(other.seen.all.size(), linear.seen.all.size());
        for (std::size_t i = 0; i < linear.seen.all.size(); ++i) {
          EXPECT_EQ(other.seen.all[i].kind, linear.seen.all[i].kind);
          EXPECT_NEAR(other.seen.all[i].time, linear.seen.all[i].time, 1e-9);
        }
        EXPECT_LT((other.state.v - linear.state.v).norm(), 1e-8 * linear.state.v.norm());
        EXPECT_NEAR(other.report.energy.friction, linear.report.energy.friction, 1e-9);
        EXPECT_NEAR(other.report.energy.damping, linear.report.energy.damping, 1e-9);
      }
}

/// A repeated run is equal, and so is a run in which a checkpoint is read.
class Interrupted : public test::Recorder {
 public:
  std::vector<std::byte> kept;
  bool onProgress(double, long long) override { return true; }
  bool isCheckpointRequested() override { return kept.empty(); }
  void saveCheckpoint(std::span<const std::byte> bytes) override { kept.assign(bytes.begin(), bytes.end()); }
};

TEST(EventNonlinear, GoesOnWithTheSameBits) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    const ModalModel model = each.parts.build();
    const auto runOnce = [&](Interrupted& seen, const std::vector<std::byte>* from) {
      ModalEquation equation(model);
      State state(2);
      TransientOptions options{.end = each.end, .step = 1.0, .archiveEvery = 7};
      if (from != nullptr) options.resumeFrom = std::span<const std::byte>(*from);
      run(kEventScheme, equation, state, options, seen);
      return state;
    };
    Interrupted first, second, third;
    const State whole = runOnce(first, nullptr);
    const State again = runOnce(second, nullptr);
    ASSERT_FALSE(first.kept.empty());
    const State resumed = runOnce(third, &first.kept);
    EXPECT_EQ(whole.q, again.q);
    EXPECT_EQ(whole.v, again.v);
    EXPECT_EQ(whole.q, resumed.q);
    EXPECT_EQ(whole.v, resumed.v);
  }
}

}  // namespace
}  // namespace ricochet
