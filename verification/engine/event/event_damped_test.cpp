// A stick with a dashpot in the event scheme, whose spring relaxes during slip. Comparisons with closed
// forms, with the limit without a dashpot, with time-stepping schemes, and with rotated axes of the plane.

#include "verification/support/formula_of_time.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <sstream>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

/// First root after a, with f(a) > 0, to 1e-15: coarse steps, then bisection.
double firstRootAfter(double a, double step, const std::function<double(double)>& f) {
  double b = a + step;
  while (f(b) > 0.0) b += step;
  a = b - step;
  while (b - a > 1e-15 * b) {
    const double middle = 0.5 * (a + b);
    if (middle <= a || middle >= b) break;
    (f(middle) > 0.0 ? a : b) = middle;
  }
  return 0.5 * (a + b);
}

constexpr double kStiffness = 1e4;  // k_t [N/m] on 1 kg: the critical damping is 200 N s/m
constexpr double kCritical = 200.0;

RegularisedCoulomb damped(double damping, double muStatic = 0.3, double muDynamic = 0.2) {
  return {.muStatic = muStatic, .muDynamic = muDynamic, .stiffness = kStiffness, .damping = damping};
}

/// The same friction with one coefficient as a table of the slip speed: its force is computed as a series.
Stribeck tableOfCoefficient(double damping, double coefficient) {
  Stribeck law;
  law.stiffness = kStiffness;
  law.damping = damping;
  law.table = std::make_shared<const SpeedTable>(SpeedTable{{0.0, 100.0}, {coefficient, coefficient}});
  return law;
}

/// 1 kg thrown at 1 m/s against a constant force under N = first + slope t, with friction as the only
/// constraint. With c v > mu_s N slip begins at once, the spring without force, and T_e = -y along the
/// motion:
///
///     v = 1 + (F - mu N(0)) t - mu N' t^2/2
///     y = mu N - mu N'/kappa + C exp(-kappa t), y(0) = 0
///
/// The body sticks where y + c v = mu N; from there on a damped spring with the force -y acts.
struct Throw {
  double damping, first, slope, force, muStatic;

  double mu() const { return 0.2; }
  double kappa() const { return kStiffness / damping; }
  double frictionCompression(double t) const { return first + slope * t; }
  double speed(double t) const { return 1.0 + (force - mu() * first) * t - 0.5 * mu() * slope * t * t; }
  double way(double t) const {
    return t + 0.5 * (force - mu() * first) * t * t - mu() * slope * t * t * t / 6.0;
  }
  double spring(double t) const {
    const double lag = mu() * slope / kappa();
    return mu() * frictionCompression(t) - lag + (lag - mu() * first) * std::exp(-kappa() * t);
  }
  /// y + c v - mu N, written without cancellation
  double slides(double t) const {
    const double lag = mu() * slope / kappa();
    return damping * speed(t) - lag + (lag - mu() * first) * std::exp(-kappa() * t);
  }
  double stop() const {
    return firstRootAfter(0.0, 1e-3, [this](double t) { return slides(t); });
  }
};

void expectExactMotion(const Throw& thrown, const AnyFrictionLaw& friction) {
  test::ModelParts parts = test::slider({.mass = 1.0}, 1.0, {});
  parts.contacts[0].friction = friction;
  const std::array times{0.0, 10.0};
  const std::array values{thrown.first, thrown.frictionCompression(10.0)};
  const auto outside = TimeFunction::Outside::constant;
  parts.contacts[0].imposedForce = TimeFunction::table(times, values, outside, outside);
  parts.loads.push_back({Vector::Ones(1), TimeFunction::constant(thrown.force)});
  State initial(1);
  initial.v[0] = 1.0;
  const double stop = thrown.stop();
  const double end = stop + 0.02;
  const test::Outcome run =
      test::runModel(parts.build(), kEventScheme, initial,
                     {.end = end, .step = 1.0, .archiveEvery = 1, .instants = {0.5 * stop}});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  ASSERT_EQ(run.seen.all.size(), 1U);
  EXPECT_EQ(run.seen.all[0].kind, EventKind::slipToStick);
  EXPECT_NEAR(run.seen.all[0].time, stop, 1e-11 * stop);
  EXPECT_LT(run.report.energyError, 1e-10);
  EXPECT_LT(run.report.steps, 120);
  EXPECT_NEAR(run.seen.shown[0].second.state.q[0], thrown.way(0.5 * stop), 1e-12);
  // The energy of the springs is part of the energy balance.
  const double held = thrown.spring(0.5 * stop);
  EXPECT_NEAR(run.seen.shown[0].second.ledger.contact, 0.5 * held * held / kStiffness, 1e-12);

  // From there on x'' + c x' + k x = F - y.
  const double y = thrown.spring(stop);
  const double rest = (thrown.force - y) / kStiffness;
  const double half = 0.5 * thrown.damping;
  const double omega = std::sqrt(kStiffness - half * half);
  const double t = end - stop;
  const double v = thrown.speed(stop);
  const double x = rest + std::exp(-half * t) *
                              (-rest * std::cos(omega * t) + (v - half * rest) / omega * std::sin(omega * t));
  EXPECT_NEAR(run.state.q[0], thrown.way(stop) + x, 1e-11);
}

TEST(EventDamped, AThrownMassStopsUnderAForceThatGrowsOrFalls) {
  for (const double ratio : {0.9, 0.1, 1e-2, 1e-3})
    for (const double slope : {300.0, 20.0, 0.0, -20.0})
      for (const double share : {0.0, -0.3})
        for (const double muStatic : {0.2, 0.3}) {
          const double damping = ratio * kCritical;
          const double first = std::min(60.0, 0.5 * damping / muStatic);  // slip begins at once
          const double force = 0.2 * share * first;
          // The contact must stay closed until the body stops, and beyond.
          if (0.2 * first - force + 0.2 * slope < 1.5) continue;
          SCOPED_TRACE(testing::Message()
                       << damping << " N s/m, " << slope << " N/s, " << force << " N, mu_s " << muStatic);
          const Throw thrown{damping, first, slope, force, muStatic};
          expectExactMotion(thrown, damped(damping, muStatic, thrown.mu()));
          if (muStatic != thrown.mu()) continue;
          expectExactMotion(thrown, tableOfCoefficient(damping, muStatic));
        }
}

/// 1 kg on a spring under an oscillating force, with an initial velocity: the body slips in both directions
/// with rests in between.
test::Outcome runOscillatingLoad(double damping, double end) {
  test::ModelParts parts =
      test::slider({.mass = 1.0, .stiffness = 400.0, .damping = 0.5}, 1.0, damped(damping));
  parts.contacts[0].imposedForce = test::formulaOfTime("20 + 8*sin(23*t)");
  State initial(1);
  initial.v[0] = 1.5;
  return test::runModel(parts.build(), kEventScheme, initial, {.end = end, .step = 1.0, .archiveEvery = 1});
}

TEST(EventDamped, AWeakDashpotIsNoDashpot) {
  const test::Outcome limit = runOscillatingLoad(0.0, 0.6);
  ASSERT_EQ(limit.report.status, RunStatus::complete);
  EXPECT_GE(limit.report.events, 6);
  const auto differenceAt = [&](double ratio) {
    const test::Outcome run = runOscillatingLoad(ratio * kCritical, 0.6);
    EXPECT_EQ(run.report.status, RunStatus::complete);
    EXPECT_EQ(run.report.events, limit.report.events);
    EXPECT_LT(run.report.steps, 5 * limit.report.steps);
    EXPECT_LT(run.report.energyError, 1e-10);
    return run.state.q[0] - limit.state.q[0];
  };
  // The error is linear in c down to rounding, at 1e-8 of the critical damping.
  const double reference = differenceAt(1e-5) / 1e-5;
  EXPECT_NEAR(differenceAt(1e-6) / 1e-6, reference, 0.01 * std::abs(reference));
  EXPECT_NEAR(differenceAt(1e-7) / 1e-7, reference, 0.02 * std::abs(reference));
  EXPECT_LT(std::abs(differenceAt(1e-8)), 2e-8 * std::abs(reference));
}

/// 1 kg on springs with different stiffness along the axes of a plane, under an oscillating force.
test::ModelParts roundPlate(Eigen::Index tangents, double first, double second,
                            const RegularisedCoulomb& law) {
  test::ModelParts parts;
  Vector eigenvalues = Vector::Constant(tangents, first);
  if (tangents > 1) eigenvalues[1] = second;
  parts.linear = LinearSystem(eigenvalues, Matrix::Zero(tangents, tangents), true);
  Contact contact = test::contactOf(tangents, NoObstacle{}, ImposedForce{}, law);
  contact.imposedForce = test::formulaOfTime("20 + 8*sin(23*t)");
  contact.rows.block(1, 0, tangents, tangents).setIdentity();
  parts.contacts.push_back(contact);
  return parts;
}

TEST(EventDamped, AMotionAlongALineOfThePlaneIsOneOfASingleTangent) {
  for (const double ratio : {2.0, 1.0, 0.2, 0.02})
    for (const double muStatic : {0.2, 0.3})
      for (const double angle : {0.0, 0.3, 2.5}) {
        SCOPED_TRACE(testing::Message() << ratio << " of critical, mu_s " << muStatic << " at " << angle);
        const RegularisedCoulomb law = damped(ratio * kCritical, muStatic);
        State onLine(1), inPlane(2);
        onLine.v[0] = 1.5;
        inPlane.v[0] = 1.5 * std::cos(angle);
        inPlane.v[1] = 1.5 * std::sin(angle);
        const TransientOptions options{.end = 0.6, .step = 1.0, .archiveEvery = 1};
        const test::Outcome line =
            test::runModel(roundPlate(1, 400.0, 0.0, law).build(), kEventScheme, onLine, options);
        const test::Outcome plane =
            test::runModel(roundPlate(2, 400.0, 400.0, law).build(), kEventScheme, inPlane, options);
        ASSERT_EQ(line.report.status, RunStatus::complete);
        ASSERT_EQ(plane.report.status, RunStatus::complete);
        EXPECT_GE(line.report.events, 4);
        ASSERT_EQ(plane.seen.all.size(), line.seen.all.size());
        for (std::size_t i = 0; i < line.seen.all.size(); ++i) {
          EXPECT_EQ(plane.seen.all[i].kind, line.seen.all[i].kind);
          EXPECT_NEAR(plane.seen.all[i].time, line.seen.all[i].time, 1e-11);
        }
        EXPECT_NEAR(plane.state.q[0], std::cos(angle) * line.state.q[0], 1e-12);
        EXPECT_NEAR(plane.state.q[1], std::sin(angle) * line.state.q[0], 1e-12);
        EXPECT_LT(plane.report.energyError, 1e-11);
      }
}

TEST(EventDamped, SchemesThatStepConvergeToItInThePlane) {
  for (const double ratio : {1.0, 0.2}) {
    // Without a drop of the friction force the errors keep their order.
    const RegularisedCoulomb law = damped(ratio * kCritical, 0.2);
    const test::ModelParts parts = roundPlate(2, 400.0, 900.0, law);
    State initial(2);
    initial.v[0] = 1.5;
    initial.v[1] = -0.7;
    const auto endOf = [&](std::string_view scheme, double step) {
      const test::Outcome run =
          test::runModel(parts.build(), scheme, initial, {.end = 0.4, .step = step, .archiveEvery = 1 << 30});
      EXPECT_EQ(run.report.status, RunStatus::complete);
      return run.state;
    };
    const State exact = endOf(kEventScheme, 1.0);
    for (const std::string_view scheme : {"newmark", "central_difference"}) {
      SCOPED_TRACE(testing::Message() << scheme << ", " << ratio << " of critical");
      const double coarse = (endOf(scheme, 1e-4).q - exact.q).norm();
      const double fine = (endOf(scheme, 1e-5).q - exact.q).norm();
      EXPECT_LT(fine, 1e-7 * initial.v.norm());
      EXPECT_GT(std::log10(coarse / fine), 1.7);
    }
  }
}

TEST(EventDamped, AMassDraggedFromRestUnderAForceThatGrowsFromZero) {
  // N = n t and F = f t: T* and mu_s N both start from zero; slip begins at the first instant if the dashpot
  // cannot carry the force beyond the cone.
  for (const Eigen::Index tangents : {1, 2}) {
    SCOPED_TRACE(testing::Message() << tangents << " tangents");
    test::ModelParts parts = roundPlate(tangents, 0.0, 0.0, damped(kCritical, 0.2));
    parts.contacts[0].imposedForce = test::formulaOfTime("10*t");
    parts.loads.push_back({Vector::Ones(tangents), TimeFunction::constant(5.0)});
    const test::Outcome run = test::runModel(parts.build(), kEventScheme, State(tangents),
                                             {.end = 0.5, .step = 1.0, .archiveEvery = 1});
    ASSERT_EQ(run.report.status, RunStatus::complete);
    const double pull = 5.0 * std::sqrt(static_cast<double>(tangents));
    EXPECT_NEAR(run.state.q.norm(), 0.5 * pull * 0.25 - 0.2 * 10.0 * 0.125 / 6.0, 1e-12);
    EXPECT_LT(run.report.energyError, 1e-11);
  }
}

/// 1 kg strikes a damped plane at 1 m/s and slides at u: N begins with c_n 1 m/s = 10 N, and the dashpot of
/// its stick would give c u. Between mu_d N = 2 N and mu_s N = 8 N the body sticks, as there was no slip
/// before; above 8 N it slips under mu_d N. Closed forms until 1 ms and 0.1 ms later.
TEST(EventDamped, SticksWhereItClosesOnADashpot) {
  constexpr double kDashpot = 10.0, kPush = 1e4, kClosing = 1e-3, kHalf = 0.5 * kDashpot;
  const double circular = std::sqrt(kStiffness - kHalf * kHalf);
  const auto strikes = [&](double slide, double after, bool carried) {
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(2), Matrix::Zero(2, 2), true);
    Contact contact = test::contactOf(2, Plane{}, LinearPenalty{.stiffness = kPush, .damping = kDashpot},
                                      damped(kDashpot, 0.8, 0.2));
    contact.rows(0, 0) = contact.rows(1, 1) = 1.0;
    contact.offset[0] = kClosing;
    const auto none = TimeFunction::constant(0.0);
    if (carried) contact.drift.push_back({none, none, Vec3(1.0, 0.0, 0.0)});
    parts.contacts.push_back(contact);
    State initial(2);
    initial.v[0] = -1.0;
    initial.v[1] = slide;
    const test::Outcome run = test::runModel(parts.build(), kEventScheme, initial,
                                             {.end = kClosing + after, .step = 1.0, .archiveEvery = 1 << 30});
    EXPECT_EQ(run.report.status, RunStatus::complete);
    EXPECT_EQ(run.seen.all.size(), 1U);  // event of the closing
    EXPECT_EQ(run.seen.rows.back().contacts[0].phase,
              slide * kDashpot < 8.0 ? ContactPhase::stick : ContactPhase::slip);
    return run.state.v;
  };
  const auto speed = [&](double first, double t) {  // damped oscillator that starts without displacement
    return first * std::exp(-kHalf * t) *
           (std::cos(circular * t) - kHalf / circular * std::sin(circular * t));
  };
  for (const bool carried : {false, true}) {
    EXPECT_NEAR(strikes(0.5, 1e-3, carried)[1], speed(0.5, 1e-3), 1e-12);
    const Vector v = strikes(1.5, 1e-4, carried);
    EXPECT_NEAR(v[0], speed(-1.0, 1e-4), 1e-12);
    EXPECT_NEAR(v[1], 1.5 - 0.2 * (v[0] + 1.0), 1e-12);
  }
}

/// A contact that closes with a dashpot and slips does not affect the contact beside it, which the dashpot of
/// a stick would open: 1 kg in q2 oscillates on the spring of the second contact, 100 N/m under 10 N.
TEST(EventDamped, ClosingDoesNotTearLooseWhatItWillNotPull) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true);
  Contact belt = test::contactOf(3, Plane{}, LinearPenalty{.stiffness = 1e4, .damping = 10.0},
                                 RegularisedCoulomb{0.5, 0.5, 1e3, 20.0});
  belt.rows(0, 0) = belt.rows(1, 1) = 1.0;
  belt.offset[0] = 1e-3;
  belt.surface.push_back({TimeFunction::constant(3.0), {1.0, 0.0}});
  Contact wall =
      test::contactOf(3, Plane{}, Rigid{.restitution = 0.0}, RegularisedCoulomb{0.5, 0.5, 100.0, 0.0});
  wall.rows(0, 1) = wall.rows(1, 2) = 1.0;
  parts.contacts = {belt, wall};
  parts.loads.push_back({Vector::Unit(3, 1), TimeFunction::constant(-10.0)});
  State initial(3);
  initial.v[0] = -0.01;
  initial.v[2] = 0.1;
  const test::Outcome run = test::runModel(parts.build(), kEventScheme, initial,
                                           {.end = 0.2, .step = 1.0, .archiveEvery = 1 << 30});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  EXPECT_NEAR(run.state.v[2], 0.1 * std::cos(10.0 * 0.2), 1e-12);
  for (const Event& event : run.seen.all) EXPECT_EQ(event.contact, 0) << event.time;
}

TEST(EventDamped, AStiffStickGoesOnThroughItsReversals) {
  // A coordinate of 0.3 m has the rounding 5e-17 m, which a spring of 1e11 N/m multiplies to 5e-6 N: the cone
  // is reached to this accuracy.
  const auto lost = [](double mass, AnyFrictionLaw law) {
    test::ModelParts parts = test::slider({.mass = mass, .stiffness = 300.0, .damping = 1.0}, 30.0, {});
    parts.contacts[0].friction = law;
    parts.loads.push_back({Vector::Constant(1, 1.0 / std::sqrt(mass)), test::formulaOfTime("60*sin(9*t)")});
    State start(1);
    start.v[0] = 0.3 * std::sqrt(mass);
    const test::Outcome run = test::runModel(parts.build(), "event", start, {.end = 20.0, .step = 1.0});
    EXPECT_EQ(run.report.status, RunStatus::complete) << mass;
    EXPECT_LT(run.report.energyError, 1e-9) << mass;
    return run.report.energy.friction;
  };
  for (const double mass : {0.5, 1.0, 1.3, 2.0, 3.0}) {
    const double limit = lost(mass, Coulomb{0.4, 0.4});  // a set-valued stick
    for (const double stiffness : {1e8, 1e9, 1e10, 1e11}) {
      const RegularisedCoulomb law{.muStatic = 0.4,
                                   .muDynamic = 0.4,
                                   .stiffness = stiffness,
                                   .damping = 2.0 * std::sqrt(mass * stiffness)};
      EXPECT_NEAR(lost(mass, law) / limit, 1.0, 1e4 / std::sqrt(stiffness * 1e8)) << mass << ' ' << stiffness;
    }
  }
}

}  // namespace
}  // namespace ricochet
