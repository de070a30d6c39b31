// Set-valued friction with two tangents, compared with results from outside the event scheme: the limit of a
// regularisation, rotated axes of the plane, closed forms.

#include "verification/support/formula_of_time.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

/// Two modes with a contact under 5 N and an oscillating load on both modes.
struct Plate {
  std::array<double, 2> omegaSquared;
  std::array<double, 2> speed;          ///< coordinates and rates at the start
  std::array<double, 2> first, second;  ///< rows of the tangents
  double friction;
  double amplitude, frequency;  ///< amplitude [N] and frequency [Hz] of the load
  double end;
};
constexpr double kPress = 5.0;
constexpr std::array<double, 2> kShape{1.0, 0.7};

const std::vector<Plate> kSlidesOnly{
    {{100.0, 150.0}, {1.0, 0.3}, {1.0, 0.0}, {0.0, 1.0}, 0.2, 0.0, 1.0, 1.3},
    {{100.0, 300.0}, {1.0, 0.3}, {1.0, 0.3}, {-0.2, 0.7}, 0.2, 30.0, 2.3, 1.5}};
const std::vector<Plate> kSticksToo{
    {{100.0, 300.0}, {0.0, 0.0}, {1.0, 0.3}, {-0.2, 0.7}, 0.2, 12.0, 1.3, 2.0},
    {{400.0, 300.0}, {0.0, 0.0}, {1.0, 0.3}, {-0.5, 1.7}, 0.6, 14.0, 1.3, 2.0}};

test::ModelParts modelOfPlate(const Plate& plate, double muStatic) {
  test::ModelParts parts;
  parts.linear =
      LinearSystem(Eigen::Map<const Vector>(plate.omegaSquared.data(), 2), Matrix::Zero(2, 2), true);
  Contact contact = test::contactOf(2, NoObstacle{}, ImposedForce{}, Coulomb{muStatic, plate.friction});
  contact.imposedForce = TimeFunction::constant(kPress);
  for (Eigen::Index i = 0; i < 2; ++i) {
    contact.rows(1, i) = plate.first[static_cast<std::size_t>(i)];
    contact.rows(2, i) = plate.second[static_cast<std::size_t>(i)];
  }
  parts.contacts.push_back(contact);
  const std::string load =
      std::to_string(plate.amplitude) + "*sin(2*pi*" + std::to_string(plate.frequency) + "*t)";
  parts.loads.push_back({Eigen::Map<const Vector>(kShape.data(), 2), test::formulaOfTime(load)});
  return parts;
}

test::Outcome runOf(const Plate& plate, const test::ModelParts& parts) {
  State initial(2);
  initial.v[0] = plate.speed[0];
  initial.v[1] = plate.speed[1];
  test::Recorder recorder;
  recorder.stopAfter = 5'000;
  return test::runModel(parts.build(), kEventScheme, initial,
                        {.end = plate.end, .step = 1.0, .archiveEvery = 1 << 30}, recorder);
}

using PlaneMotion = std::array<double, 4>;  // q, v

/// q'' under T = -mu N s'/sqrt(s'^2 + eps^2), as an independent implementation.
PlaneMotion rateOf(const Plate& p, double eps, double t, const PlaneMotion& y) {
  const double s1 = p.first[0] * y[2] + p.first[1] * y[3];
  const double s2 = p.second[0] * y[2] + p.second[1] * y[3];
  const double factor = -p.friction * kPress / std::sqrt(s1 * s1 + s2 * s2 + eps * eps);
  const double load = p.amplitude * std::sin(2.0 * std::numbers::pi * p.frequency * t);
  PlaneMotion rate{y[2], y[3], 0.0, 0.0};
  for (std::size_t i = 0; i < 2; ++i)
    rate[2 + i] =
        -p.omegaSquared[i] * y[i] + factor * (s1 * p.first[i] + s2 * p.second[i]) + load * kShape[i];
  return rate;
}

/// The classical Runge-Kutta method with steps that are stable for the slope mu N/eps.
PlaneMotion regularised(const Plate& p, double eps) {
  PlaneMotion y{0.0, 0.0, p.speed[0], p.speed[1]};
  const auto steps = static_cast<long>(std::ceil(p.end * 10.0 * p.friction * kPress / eps));
  const double h = p.end / static_cast<double>(steps);
  const auto moved = [](PlaneMotion from, double by, const PlaneMotion& rate) {
    for (std::size_t i = 0; i < 4; ++i) from[i] += by * rate[i];
    return from;
  };
  for (long i = 0; i < steps; ++i) {
    const double t = static_cast<double>(i) * h;
    const PlaneMotion a = rateOf(p, eps, t, y);
    const PlaneMotion b = rateOf(p, eps, t + 0.5 * h, moved(y, 0.5 * h, a));
    const PlaneMotion c = rateOf(p, eps, t + 0.5 * h, moved(y, 0.5 * h, b));
    const PlaneMotion d = rateOf(p, eps, t + h, moved(y, h, c));
    for (std::size_t j = 0; j < 4; ++j) y[j] += h / 6.0 * (a[j] + 2.0 * b[j] + 2.0 * c[j] + d[j]);
  }
  return y;
}

double difference(const test::Outcome& run, const PlaneMotion& y) {
  return std::hypot(run.state.q[0] - y[0], run.state.q[1] - y[1], 0.1 * (run.state.v[0] - y[2])) +
         0.1 * std::abs(run.state.v[1] - y[3]);
}

TEST(EventSlip, ARegularisedVelocityComesToItAsTheSquareOfItsWidth) {
  for (const Plate& plate : kSlidesOnly) {
    const test::Outcome run = runOf(plate, modelOfPlate(plate, plate.friction));
    ASSERT_EQ(run.report.status, RunStatus::complete);
    EXPECT_LT(run.report.steps, 200);
    const double wide = difference(run, regularised(plate, 1e-3));
    const double narrow = difference(run, regularised(plate, 1e-4));
    EXPECT_LT(narrow, 2e-8);
    EXPECT_GT(wide, 80.0 * narrow);
  }
}

TEST(EventSlip, ARegularisedVelocityThatCreepsInsteadOfStickingComesToItToo) {
  for (const Plate& plate : kSticksToo) {
    const test::Outcome run = runOf(plate, modelOfPlate(plate, plate.friction));
    ASSERT_EQ(run.report.status, RunStatus::complete);
    EXPECT_LT(run.report.steps, 300);
    EXPECT_LT(run.report.energyError, 1e-12);
    const double wide = difference(run, regularised(plate, 1e-3));
    const double narrow = difference(run, regularised(plate, 1e-4));
    EXPECT_LT(narrow, 5e-5);
    EXPECT_GT(wide, 4.0 * narrow);
  }
}

TEST(EventSlip, AxesOfTheTangentPlaneDoNotMatter) {
  for (const auto* plates : {&kSlidesOnly, &kSticksToo})
    for (const Plate& plate : *plates)
      for (const double drop : {1.0, 1.4}) {
        const test::Outcome run = runOf(plate, modelOfPlate(plate, drop * plate.friction));
        for (const double angle : {0.4, 2.9}) {
          test::ModelParts parts = modelOfPlate(plate, drop * plate.friction);
          auto& rows = parts.contacts[0].rows;
          const Matrix tangents = rows.bottomRows(2);
          rows.row(1) = std::cos(angle) * tangents.row(0) + std::sin(angle) * tangents.row(1);
          rows.row(2) = -std::sin(angle) * tangents.row(0) + std::cos(angle) * tangents.row(1);
          const test::Outcome turned = runOf(plate, parts);
          EXPECT_EQ(turned.seen.all.size(), run.seen.all.size());
          for (Eigen::Index i = 0; i < 2; ++i) {
            EXPECT_NEAR(turned.state.q[i], run.state.q[i], 1e-12);
            EXPECT_NEAR(turned.state.v[i], run.state.v[i], 1e-11);
          }
        }
      }
}

/// N = n t and a load c t: from rest s = s_3 t^3 with T = -mu N s_3/|s_3|.
TEST(EventSlip, AForceAndALoadThatGrowTogetherFromNothing) {
  Plate plate = kSticksToo[0];
  plate.omegaSquared = {0.0, 0.0};
  test::ModelParts parts = modelOfPlate(plate, 0.2);
  parts.contacts[0].imposedForce = test::formulaOfTime("8*t");
  parts.loads[0].scale = test::formulaOfTime("3*t");
  plate.end = 0.5;
  const test::Outcome run = runOf(plate, parts);
  ASSERT_EQ(run.report.status, RunStatus::complete);
  const Vector cubic = run.state.q.head(2) / std::pow(plate.end, 3);
  const Vector slip = parts.contacts[0].rows.bottomRows(2) * cubic;
  ASSERT_GT(slip.norm(), 0.0);
  const Vector friction = parts.contacts[0].rows.bottomRows(2).transpose() * slip.normalized() * (-0.2 * 8.0);
  const Vector expected = (3.0 * Eigen::Map<const Vector>(kShape.data(), 2) + friction) / 6.0;
  EXPECT_LT((cubic - expected).norm(), 1e-12 * expected.norm());
}

/// A rigid plane under 5 N equals an imposed force of 5 N, as long as no other force acts along the normal.
TEST(EventSlip, ARigidPlaneHoldsAsTheForceThatPressesOnIt) {
  const Plate& plate = kSlidesOnly[0];
  const test::Outcome pressed = runOf(plate, modelOfPlate(plate, 0.2));
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true);
  parts.linear.omegaSquared[1] = plate.omegaSquared[0];
  parts.linear.omegaSquared[2] = plate.omegaSquared[1];
  Contact contact = test::contactOf(3, Plane{}, Rigid{.restitution = 0.0}, Coulomb{0.2, 0.2});
  contact.rows.setIdentity();
  parts.contacts.push_back(contact);
  parts.loads.push_back({Vector::Unit(3, 0), TimeFunction::constant(-kPress)});
  State initial(3);
  initial.v[1] = plate.speed[0];
  initial.v[2] = plate.speed[1];
  test::Recorder recorder;
  recorder.stopAfter = 5'000;
  const test::Outcome held =
      test::runModel(parts.build(), kEventScheme, initial,
                     {.end = plate.end, .step = 1.0, .archiveEvery = 1 << 30}, recorder);
  ASSERT_EQ(held.report.status, RunStatus::complete);
  for (Eigen::Index i = 0; i < 2; ++i) {
    EXPECT_NEAR(held.state.q[i + 1], pressed.state.q[i], 1e-12);
    EXPECT_NEAR(held.state.v[i + 1], pressed.state.v[i], 1e-11);
  }
  EXPECT_LT(held.report.energyError, 1e-12);
}

/// Slip from rest on a rigid plane on which tangential forces increase N: N and the slip direction depend on
/// each other.
TEST(EventSlip, AStartOnARigidPlaneThatFrictionPressesOn) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true);
  Contact contact = test::contactOf(3, Plane{}, Rigid{.restitution = 0.0}, Coulomb{0.3, 0.2});
  contact.rows << 1.0, 0.4, -0.3, 0.0, 1.0, 0.2, 0.1, 0.0, 0.8;
  parts.contacts.push_back(contact);
  const Vector load{{-5.0, 3.0, 2.5}};
  parts.loads.push_back({load, TimeFunction::constant(1.0)});
  const test::Outcome run = test::runModel(parts.build(), kEventScheme, State(3),
                                           {.end = 0.4, .step = 1.0, .archiveEvery = 1 << 30});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  const Vector acceleration = run.state.v.head(3) / 0.4;
  const Vector slip = contact.rows * acceleration;
  EXPECT_NEAR(slip[0], 0.0, 1e-13);
  const Vector forces = contact.rows.transpose().fullPivLu().solve(acceleration - load);  // N and T
  ASSERT_GT(forces[0], 0.0);
  const Vector expected = -0.2 * forces[0] * slip.tail(2).normalized();
  EXPECT_LT((forces.tail(2) - expected).norm(), 1e-12 * forces[0]);
}

/// The distribution of the load on two feet of one body is not unique, but the motion is. The error is
/// larger, because both reach the cone together and the instant follows from the least sum of two limits.
TEST(EventSlip, TwoFeetUnderOneBodyActAsOne) {
  for (const auto* plates : {&kSlidesOnly, &kSticksToo})
    for (const Plate& plate : *plates) {
      const test::Outcome one = runOf(plate, modelOfPlate(plate, plate.friction));
      test::ModelParts parts = modelOfPlate(plate, plate.friction);
      parts.contacts[0].imposedForce = TimeFunction::constant(0.4 * kPress);
      parts.contacts.push_back(parts.contacts[0]);
      parts.contacts[1].imposedForce = TimeFunction::constant(0.6 * kPress);
      const test::Outcome two = runOf(plate, parts);
      ASSERT_EQ(two.report.status, RunStatus::complete) << two.report.time;
      EXPECT_LT(two.report.energyError, 1e-10);
      for (Eigen::Index i = 0; i < 2; ++i) {
        EXPECT_NEAR(two.state.q[i], one.state.q[i], 3e-9);
        EXPECT_NEAR(two.state.v[i], one.state.v[i], 3e-8);
      }
    }
}

SpeedCoulomb tableOf(std::vector<double> speeds, std::vector<double> coefficients) {
  SpeedCoulomb law;
  law.table = std::make_shared<const SpeedTable>(SpeedTable{std::move(speeds), std::move(coefficients)});
  return law;
}

/// A body of 1 kg on springs, pressed on a plane along which it moves in two directions, or in one.
Plate bodyOn(double stiffness, std::array<double, 2> speed, bool inPlane, double end) {
  return {{stiffness, stiffness}, speed, {1.0, 0.0}, {0.0, inPlane ? 1.0 : 0.0}, 0.2, 0.0, 1.0, end};
}

/// On a belt with the speed of a point of the table: mu N = k x stays valid within rounding, although mu
/// decreases below that speed. (A body of 2 kg on 200 N/m under 40 N, whose numbers cause rounding.)
TEST(EventSlip, ASpeedThatStaysAtAPointOfItsTable) {
  for (const bool inPlane : {false, true}) {
    const Plate plate = bodyOn(100.0, {0.0, 0.0}, inPlane, 2.0);
    test::ModelParts parts = modelOfPlate(plate, 0.2);
    parts.contacts[0].rows *= std::sqrt(0.5);
    parts.contacts[0].imposedForce = TimeFunction::constant(40.0);
    parts.contacts[0].friction = tableOf({0.0, 0.5, 1.0}, {0.3, 0.25, 0.25});
    parts.contacts[0].surface.push_back({TimeFunction::constant(0.5), {1.0, 0.0}});
    State initial(2);
    initial.q[0] = 0.25 * 40.0 / 200.0 * std::sqrt(2.0);
    test::Recorder recorder;
    recorder.stopAfter = 5'000;
    const test::Outcome run =
        test::runModel(parts.build(), kEventScheme, initial,
                       {.end = plate.end, .step = 1.0, .archiveEvery = 1 << 30}, recorder);
    ASSERT_EQ(run.report.status, RunStatus::complete) << run.report.time;
    EXPECT_NEAR(run.state.q[0], initial.q[0], 1e-12);
    EXPECT_NEAR(run.state.q[1], 0.0, 1e-12);
  }
}

/// A body that slides to rest at mu N/m; mu differs only below 1e-7 m/s. The other points of the table lie at
/// speeds a million times larger.
TEST(EventSlip, ATableThatBeginsWithATinySpeed) {
  for (const bool inPlane : {false, true}) {
    const Plate plate = bodyOn(0.0, {0.8, inPlane ? 0.6 : 0.0}, inPlane, 2.0);
    test::ModelParts parts = modelOfPlate(plate, 0.2);
    parts.contacts[0].friction = tableOf({0.0, 1e-7, 0.5}, {0.3, 0.25, 0.25});
    const test::Outcome run = runOf(plate, parts);
    ASSERT_EQ(run.report.status, RunStatus::complete) << run.report.time;
    for (std::size_t i = 0; i < 2; ++i) {
      const double way = plate.speed[i] * std::hypot(plate.speed[0], plate.speed[1]) / (2.0 * 0.25 * kPress);
      EXPECT_NEAR(run.state.q[static_cast<Eigen::Index>(i)], way, 1e-12);
      EXPECT_NEAR(run.state.v[static_cast<Eigen::Index>(i)], 0.0, 1e-12);
    }
  }
}

/// N = n t and a load c t, mu = a + b s': from rest s'' = t (c - n a - n b s').
TEST(EventSlip, FrictionThatRisesWithTheSpeedUnderAForceThatGrowsFromNothing) {
  constexpr double n = 8.0, a = 0.2, b = 0.5;
  const Plate plate = bodyOn(0.0, {0.0, 0.0}, true, 0.5);
  test::ModelParts parts = modelOfPlate(plate, 0.2);
  parts.contacts[0].friction = tableOf({0.0, 10.0}, {a, a + 10.0 * b});
  parts.contacts[0].imposedForce = test::formulaOfTime("8*t");
  parts.loads[0].scale = test::formulaOfTime("3*t");
  const test::Outcome run = runOf(plate, parts);
  ASSERT_EQ(run.report.status, RunStatus::complete);
  const double size = std::hypot(kShape[0], kShape[1]);
  const double fastest = (3.0 * size - n * a) / (n * b), root = std::sqrt(0.5 * n * b);
  const double speed = fastest * (1.0 - std::exp(-0.5 * n * b * plate.end * plate.end));
  const double way =
      fastest * (plate.end - 0.5 * std::sqrt(std::numbers::pi) / root * std::erf(root * plate.end));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(run.state.v[static_cast<Eigen::Index>(i)], speed * kShape[i] / size, 1e-12);
    EXPECT_NEAR(run.state.q[static_cast<Eigen::Index>(i)], way * kShape[i] / size, 1e-12);
  }
}

}  // namespace
}  // namespace ricochet
