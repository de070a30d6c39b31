// Long steps of the event scheme: no event between their points is missed, results equal those of the power
// series and closed forms, and runs resume.

#include "engine/event/chebyshev/chebyshev_root.hpp"
#include "engine/event/event_scheme.hpp"
#include "engine/study/run_transient.hpp"
#include "verification/support/formula_of_time.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"
#include "verification/support/swung_tube.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace ricochet {
namespace {

using test::modelOfSwungTube;
using test::ModelParts;
using test::Outcome;

TransientOptions optionsUntil(double end, Propagator propagator, double tolerance = 1e-12) {
  TransientOptions options;
  options.end = options.step = end;
  options.archiveEvery = 1 << 30;
  options.scheme.propagator = propagator;
  options.scheme.eventRelativeTolerance = tolerance;
  return options;
}

// ---- roots

/// Coefficients of the product of (1 - t/root) over the roots.
std::vector<double> productOf(std::span<const double> roots) {
  std::vector<double> p{1.0};
  for (const double root : roots) {
    p.push_back(0.0);
    for (std::size_t k = p.size() - 1; k > 0; --k) p[k] -= p[k - 1] / root;
  }
  return p;
}

TEST(ChebyshevRoot, IsTheFirstOfSeveral) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> anywhere(0.05, 3.0);
  int seen = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> roots(8);
    for (double& root : roots) root = anywhere(random);
    std::sort(roots.begin(), roots.end());
    // Change of the root by rounding of the coefficients: their sizes over the slope at the root.
    double sizes = 0.0, slope = 1.0 / roots[0];
    const std::vector<double> p = productOf(roots);
    for (std::size_t k = 0; k < p.size(); ++k)
      sizes += std::abs(p[k]) * std::pow(1.5, static_cast<double>(k));
    for (std::size_t k = 1; k < roots.size(); ++k) slope *= std::abs(1.0 - roots[0] / roots[k]);
    const double error = 1e-15 * sizes / slope;
    if (error > 1e-3) continue;
    const RootSearch search = ChebyshevPolynomial(p, 1.5).firstRoot();
    ASSERT_EQ(search.found, roots[0] <= 1.5) << i;
    if (!search.found) continue;
    EXPECT_NEAR(search.time, roots[0], error) << i;
    ++seen;
  }
  EXPECT_GT(seen, 1000);
}

TEST(ChebyshevRoot, FindsADipBetweenItsPointsAndNoNearMiss) {
  // (t - 0.4321)^2 - d has two roots 2 sqrt(d) apart, or none.
  for (const double d : {1e-4, 1e-8, 1e-12}) {
    constexpr double kAt = 0.4321;
    const std::array<double, 3> dip{kAt * kAt - d, -2.0 * kAt, 1.0}, miss{kAt * kAt + d, -2.0 * kAt, 1.0};
    const RootSearch search = ChebyshevPolynomial(dip, 2.0).firstRoot();
    ASSERT_TRUE(search.found) << d;
    EXPECT_NEAR(search.time, kAt - std::sqrt(d), 1e-15 / std::sqrt(d)) << d;
    EXPECT_FALSE(ChebyshevPolynomial(miss, 2.0).firstRoot().found) << d;
  }
}

TEST(ChebyshevRoot, ConvertsPowersOfALongStepWithoutLoss) {
  // Power series of cos(12 x), whose terms reach 2e4, truncated where the terms are 1e-19.
  std::vector<double> p(40, 0.0);
  double term = 1.0;
  for (std::size_t k = 0; k + 1 < p.size(); k += 2) {
    p[k] = term;
    term *= -144.0 / static_cast<double>((k + 1) * (k + 2));
  }
  const RootSearch search = ChebyshevPolynomial(p, 1.0).firstRoot();
  ASSERT_TRUE(search.found);
  EXPECT_NEAR(search.time, std::numbers::pi / 24.0, 1e-13);
}

// ---- whole runs

Outcome runOf(const ModelParts& parts, const TransientOptions& options) {
  const ModalModel model = parts.build();
  return test::runModel(model, kEventScheme, State(model.linear.modes), options);
}

class LongSteps : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(LongSteps, GiveWhatThePowerSeriesGive) {
  const auto [modes, contacts] = GetParam();
  const ModelParts parts = modelOfSwungTube(modes, contacts);
  constexpr double kEnd = 0.06;
  const Outcome exact = runOf(parts, optionsUntil(kEnd, Propagator::taylor, 1e-14));
  const Outcome found = runOf(parts, optionsUntil(kEnd, Propagator::chebyshev));
  ASSERT_EQ(found.report.status, RunStatus::complete);
  EXPECT_EQ(exact.report.longSteps, 0);
  EXPECT_GT(found.report.longSteps, found.report.steps / 4);
  ASSERT_EQ(found.seen.all.size(), exact.seen.all.size());
  ASSERT_GT(exact.seen.all.size(), 10U);
  for (std::size_t i = 0; i < exact.seen.all.size(); ++i) {
    EXPECT_EQ(found.seen.all[i].contact, exact.seen.all[i].contact) << i;
    EXPECT_EQ(found.seen.all[i].kind, exact.seen.all[i].kind) << i;
    EXPECT_NEAR(found.seen.all[i].time, exact.seen.all[i].time, 1e-9 * kEnd) << i;
  }
  const double speed = exact.state.v.norm();
  EXPECT_LT((found.state.v - exact.state.v).norm(), 1e-8 * speed);
  EXPECT_LT(found.report.energyError, 1e-10);
  // The dissipated energy of dampers is the remainder of the balance in long steps, and an integral in the
  // other steps.
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-8 * std::abs(b); };
  EXPECT_PRED2(near, found.report.energy.damping, exact.report.energy.damping);
  EXPECT_PRED2(near, found.report.energy.external, exact.report.energy.external);
  EXPECT_PRED2(near, found.report.energy.friction, exact.report.energy.friction);
}

INSTANTIATE_TEST_SUITE_P(Tubes, LongSteps,
                         testing::Values(std::pair{20, 4}, std::pair{50, 10}, std::pair{100, 4}),
                         [](const auto& tube) {
                           return fmt::format("m{}c{}", tube.param.first, tube.param.second);
                         });

TEST(EventScheme, AContactThatClosesAndSlipsAtOnceStaysClosed) {
  // At this tolerance the rounding of a force of 1e8 N/m that grows from zero exceeds the rounding level of
  // its sign.
  ModelParts parts = modelOfSwungTube(200, 40);
  for (Contact& contact : parts.contacts) {
    contact.normal = LinearPenalty{.stiffness = 1e8};
    contact.friction =
        RegularisedCoulomb{.muStatic = 0.2, .muDynamic = 0.2, .stiffness = 1e7, .damping = 0.0};
  }
  constexpr double kEnd = 0.03;
  const Outcome exact = runOf(parts, optionsUntil(kEnd, Propagator::taylor, 1e-13));
  ASSERT_EQ(exact.report.status, RunStatus::complete);
  for (const Propagator propagator : {Propagator::taylor, Propagator::automatic, Propagator::chebyshev}) {
    const Outcome found = runOf(parts, optionsUntil(kEnd, propagator, 1e-9));
    EXPECT_EQ(found.report.status, RunStatus::complete);
    EXPECT_EQ(found.report.events, exact.report.events);
  }
}

/// A load on a mode with twenty times the critical damping, whose response decays long before the end of a
/// step of its period, beside a slow mode with impacts.
TEST(LongSteps, AreAsExactWhereAModeIsDampedBeyondTheCritical) {
  constexpr double kSlow = 100.0, kStiff = 1e6;  // omega^2
  ModelParts parts;
  const Vector eigenvalues{{kSlow, kStiff}};
  const Matrix damping{{0.1, 0.0}, {0.0, 40.0 * std::sqrt(kStiff)}};
  parts.linear = LinearSystem(eigenvalues, damping, true);
  parts.loads.push_back({Vector{{0.0, kStiff}}, test::formulaOfTime("sin(40*t)")});
  parts.contacts.push_back(test::contactOf(2, Plane{-0.5}, LinearPenalty{.stiffness = 1e3}));
  parts.contacts[0].rows.row(0) << 1.0, 0.1;
  const ModalModel model = parts.build();
  State start(2);
  start.q[0] = 1.0;
  const auto runWith = [&](Propagator propagator, double tolerance) {
    return test::runModel(model, kEventScheme, start, optionsUntil(1.0, propagator, tolerance));
  };
  const Outcome exact = runWith(Propagator::taylor, 1e-14);
  const Outcome found = runWith(Propagator::chebyshev, 1e-12);
  ASSERT_EQ(found.report.status, RunStatus::complete);
  EXPECT_GT(found.report.longSteps, 10);
  EXPECT_GT(found.report.events, 1);
  EXPECT_EQ(found.report.events, exact.report.events);
  EXPECT_LT((found.state.v - exact.state.v).norm(), 1e-10 * exact.state.v.norm());
  EXPECT_LT((found.state.q - exact.state.q).norm(), 1e-10 * exact.state.q.norm());
}

TEST(LongSteps, CloseTheLedgerOfAnUndampedTube) {
  ModelParts parts = modelOfSwungTube(60, 4);
  const Vector eigenvalues = parts.linear.omegaSquared.head(60);
  parts.linear = LinearSystem(eigenvalues, Matrix::Zero(60, 60), true);
  const Outcome found = runOf(parts, optionsUntil(0.1, Propagator::chebyshev));
  ASSERT_EQ(found.report.status, RunStatus::complete);
  EXPECT_GT(found.report.longSteps, 10);
  EXPECT_GT(found.report.events, 10);
  EXPECT_LT(found.report.energyError, 1e-10);  // no term is computed from the balance here
}

/// A slow and a fast mode that both move the gap of a wall: b.q = A cos(w t) + a cos(W t + phase).
struct TwoModes {
  double slow{10.0}, fast{0.0}, large{1.0}, small{0.0}, phase{0.0};

  double at(double t) const { return large * std::cos(slow * t) + small * std::cos(fast * t + phase); }
  ModelParts parts(double wall) const {
    ModelParts parts;
    const Vector eigenvalues{{slow * slow, fast * fast}};
    parts.linear = LinearSystem(eigenvalues, Matrix::Zero(2, 2), true);
    parts.contacts.push_back(test::contactOf(2, Plane{wall}, LinearPenalty{.stiffness = 1e3}));
    parts.contacts[0].rows.row(0).setConstant(1.0);
    return parts;
  }
  State start() const {
    State s(2);
    s.q[0] = large;
    s.q[1] = small * std::cos(phase);
    s.v[1] = -small * fast * std::sin(phase);
    return s;
  }
  /// Smallest value and, if it is below a level, the first instant below this level: by samples at 1/400 of
  /// the fast period, ternary search of every minimum, and bisection.
  double leastBetween(double low, double high) const {
    for (int i = 0; i < 100; ++i) {
      const double third = (high - low) / 3.0;
      if (at(low + third) < at(high - third))
        high -= third;
      else
        low += third;
    }
    return 0.5 * (low + high);
  }
  template <class Visit>
  void minima(double end, Visit&& visit) const {
    const double step = 2.0 * std::numbers::pi / fast / 400.0;
    for (double t = step; t < end; t += step)
      if (at(t) <= at(t - step) && at(t) <= at(t + step)) visit(leastBetween(t - step, t + step));
  }
  double lowest(double end) const {
    double least = 1e9;
    minima(end, [&](double t) { least = std::min(least, t < end ? at(t) : least); });
    return least;
  }
  double firstBelow(double level, double end) const {
    double first = end;
    double before = 0.0;  // the last minimum
    minima(end, [&](double t) {
      if (first == end && at(t) <= level) {
        double low = before, high = t;  // start of the fall to this minimum: the largest value in between
        for (int i = 1; i < 1000; ++i)
          if (const double s = before + (t - before) * i / 1000.0; at(s) > at(low)) low = s;
        for (int i = 0; i < 100; ++i) (at(0.5 * (low + high)) > level ? low : high) = 0.5 * (low + high);
        first = high;
      }
      before = t;
    });
    return first;
  }
};

TEST(LongSteps, MissNoGrazingByASingleFastMode) {
  // The wall is slightly inside the smallest value of the sum of both modes: the value is below the wall for
  // a small part of one fast period, in a step of up to 17 rad of the fast mode.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    TwoModes modes;
    modes.fast = 10.0 * (20.0 + 100.0 * part(random));
    modes.small = std::pow(10.0, -2.0 - 4.0 * part(random));
    modes.phase = 2.0 * std::numbers::pi * part(random);
    constexpr double kEnd = 0.5;
    const double lowest = modes.lowest(kEnd);
    const double level = lowest + 1e-3 * modes.small;
    const ModalModel model = modes.parts(level).build();
    const Outcome found =
        test::runModel(model, kEventScheme, modes.start(), optionsUntil(kEnd, Propagator::chebyshev, 1e-10));
    ASSERT_EQ(found.report.status, RunStatus::complete) << i;
    ASSERT_FALSE(found.seen.all.empty()) << i;
    EXPECT_EQ(found.seen.all[0].kind, EventKind::closing);
    EXPECT_NEAR(found.seen.all[0].time, modes.firstBelow(level, kEnd), 1e-8) << i;
    // A wall that is out of reach by the same distance is never reached.
    const ModalModel free = modes.parts(lowest - 1e-3 * modes.small).build();
    EXPECT_EQ(
        test::runModel(free, kEventScheme, modes.start(), optionsUntil(kEnd, Propagator::chebyshev, 1e-10))
            .report.events,
        0)
        << i;
  }
}

TEST(LongSteps, FollowResonanceAndARigidBody) {
  // q1'' = t^0, from rest: t^2/2; q2'' + w^2 q2 = sin(w t): (sin(w t) - w t cos(w t))/(2 w^2)
  constexpr double kOmega = 30.0;
  ModelParts parts;
  const Vector eigenvalues{{0.0, kOmega * kOmega}};
  parts.linear = LinearSystem(eigenvalues, Matrix::Zero(2, 2), true);
  parts.loads.push_back({Vector{{1.0, 0.0}}, TimeFunction::constant(1.0)});
  parts.loads.push_back({Vector{{0.0, 1.0}}, test::formulaOfTime("sin(30*t)")});
  const Outcome found = runOf(parts, optionsUntil(3.0, Propagator::chebyshev));
  ASSERT_EQ(found.report.status, RunStatus::complete);
  EXPECT_GT(found.report.longSteps, 3);
  const double phase = kOmega * 3.0;
  EXPECT_NEAR(found.state.q[0], 4.5, 1e-11);
  EXPECT_NEAR(found.state.q[1], (std::sin(phase) - phase * std::cos(phase)) / (2.0 * kOmega * kOmega), 1e-11);
  EXPECT_LT(found.report.energyError, 1e-11);
}

TEST(LongSteps, ShowInstantsInsideThem) {
  ModelParts parts = modelOfSwungTube(50, 4);
  TransientOptions options = optionsUntil(0.03, Propagator::chebyshev);
  for (int i = 1; i < 30; ++i) options.instants.push_back(1e-3 * i + 1.7e-5);
  const Outcome found = runOf(parts, options);
  options.scheme.propagator = Propagator::taylor;
  const Outcome exact = runOf(parts, options);
  ASSERT_EQ(found.seen.shown.size(), exact.seen.shown.size());
  const double speed = exact.state.v.norm();
  for (std::size_t i = 0; i < exact.seen.shown.size(); ++i) {
    const State& a = found.seen.shown[i].second.state;
    const State& b = exact.seen.shown[i].second.state;
    EXPECT_LT((a.v - b.v).norm(), 1e-9 * speed) << i;
    EXPECT_LT((a.a - b.a).norm(), 1e-6 * b.a.norm()) << i;
    for (std::size_t c = 0; c < 4; ++c)
      EXPECT_NEAR(found.seen.shown[i].second.contacts[c].normalForce,
                  exact.seen.shown[i].second.contacts[c].normalForce, 1e-6)
          << i;
  }
}

TEST(LongSteps, AreTakenWhereTheyPay) {
  // Long steps pay with many modes and few events, and do not pay with few modes and many events.
  const Outcome many = runOf(modelOfSwungTube(200, 4), optionsUntil(0.05, Propagator::automatic, 1e-9));
  EXPECT_GT(many.report.longSteps, 20);
  const Outcome few = runOf(modelOfSwungTube(20, 10), optionsUntil(0.05, Propagator::automatic, 1e-9));
  EXPECT_EQ(few.report.longSteps, 0);
}

TEST(LongSteps, AreRefusedWithTheReason) {
  ModelParts parts = modelOfSwungTube(20, 4);
  EXPECT_EQ(reasonAgainstLongSteps(parts.build()), "");
  parts.loads[0].scale = test::formulaOfTime("if(t < 0.1, 1, 0)");
  EXPECT_EQ(reasonAgainstLongSteps(parts.build()), "the formula of a load decides");
  parts = test::oscillator({.mass = 1.0, .stiffness = 100.0});
  parts.contacts.push_back(test::contactOf(1, Plane{0.1}, Hertz{}));
  EXPECT_EQ(reasonAgainstLongSteps(parts.build()), "a contact is curved or its law is not linear");
}

}  // namespace
}  // namespace ricochet
