// Links in a run: memory, schemes, energy accounts.

#include "engine/accounts/checkpoint.hpp"
#include "engine/links/link_set.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/schemes/stability.hpp"
#include "engine/study/run_transient.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/link_laws.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

/// A link of one axis on the only mode of a unit mass.
Link linkOnMode(AnyLinkLaw law) {
  Link link;
  link.law = std::move(law);
  link.rows = Eigen::Matrix<double, 2, Eigen::Dynamic>::Zero(2, 1);
  link.rows(0, 0) = 1.0;
  return link;
}

/// A unit mass on a spring and a link.
test::ModelParts massOnLink(AnyLinkLaw law, double stiffness) {
  test::ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = stiffness});
  parts.links.push_back(linkOnMode(std::move(law)));
  return parts;
}

struct Start {
  double x{0.0};
  double v{0.0};
};

struct LinkOutcome {
  double x;
  double v;
  Report report;
  std::vector<Event> events;
};

LinkOutcome runOf(const ModalModel& model, std::string_view scheme, double h, double end, Start start,
                  const SchemeOptions& options = {}) {
  ModalEquation equation(model);
  State state(1);
  state.q[0] = start.x;
  state.v[0] = start.v;
  test::Recorder recorder;
  const Report report = run(scheme, equation, state,
                            {.end = end, .step = h, .archiveEvery = 1000000, .scheme = options}, recorder);
  EXPECT_EQ(report.status, RunStatus::complete) << scheme;
  return {state.q[0], state.v[0], report, recorder.all};
}

constexpr SchemeOptions kTight{.absoluteTolerance = 1e-14, .relativeTolerance = 1e-12};

// ---- the set and its memory

TEST(LinkRun, KeepsATrialOnlyWhenItIsAccepted) {
  const LinkSet set({linkOnMode(test::exampleLinkLaw<Elastoplastic>())}, 1);
  LinkRun run(set, 0);
  State s(1);
  run.start(0.0, {s.q.data(), s.v.data(), 0.0, s.v.data()});
  std::vector<Event> events;
  Vector velocity = Vector::Zero(8);
  const auto evaluate = [&](double t, double x) {
    s.q[0] = x;
    run.evaluate(t, {s.q.data(), s.v.data(), 0.0, s.v.data()});
  };
  evaluate(1.0, 3.0);  // a motion far beyond yielding, which is discarded
  evaluate(1.0, 0.25);
  EXPECT_DOUBLE_EQ(run.trialState(0).force[0], 100.0);
  run.acceptStep(1.0, events, velocity.data());
  EXPECT_EQ(run.state(0).memory[Elastoplastic::kAccumulated], 0.0);
  EXPECT_TRUE(events.empty());
  evaluate(2.0, 1.0);
  run.acceptStep(1.0, events, velocity.data());
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, EventKind::yield);
  EXPECT_NEAR(events[0].time, 1.0 + 0.25 / 0.75, 1e-14);
}

TEST(LinkRun, CountsWhatIsLostFromItsStart) {
  // 400 N/m, yielding at 200 N: the link starts at 1.5 m, and the energy dissipated before the start does not
  // belong to the run; on the return to 0.5 m it yields at -200 N after 1 m, and the motion continues to -0.5
  // m.
  const LinkSet set({linkOnMode(Elastoplastic{HardeningCurve({0.5}, {200.0}, false), false})}, 1);
  LinkRun run(set, 0);
  State s(1);
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
  s.q[0] = 1.5;
  run.start(0.0, motion);
  EXPECT_DOUBLE_EQ(run.storedEnergy(), 50.0);
  EXPECT_EQ(run.dissipatedEnergy(), 0.0);
  std::vector<Event> events;
  Vector velocity = Vector::Zero(8);
  double time = 0.0;
  for (const auto& [x, lost] :
       {std::pair{1.5, 0.0}, std::pair{1.0, 0.0}, std::pair{0.5, 0.0}, std::pair{-0.5, 200.0}}) {
    s.q[0] = x;
    run.evaluate(time += 1.0, motion);
    run.acceptStep(1.0, events, velocity.data());
    EXPECT_NEAR(run.dissipatedEnergy(), lost, 1e-10) << x;
  }
  // The next run continues with a yield force of 100 N: the energy of the immediate drop does not belong to
  // this run either.
  const LinkSet weaker({linkOnMode(Elastoplastic{HardeningCurve({0.25}, {100.0}, false), false})}, 1);
  LinkRun next(weaker, 0);
  next.start(0.0, motion);
  next.restore(run.states(), 0.0, motion);
  EXPECT_NEAR(next.state(0).force[0], -100.0, 1e-12);
  EXPECT_NEAR(next.storedEnergy(), 12.5, 1e-12);
  EXPECT_NEAR(next.dissipatedEnergy(), 200.0, 1e-10);
  s.q[0] = -1.5;
  next.evaluate(1.0, motion);
  next.acceptStep(1.0, events, velocity.data());
  EXPECT_NEAR(next.dissipatedEnergy(), 300.0, 1e-10);
}

TEST(LinkRun, ShowsTheInsideOfAStepFromItsStart) {
  const LinkSet set({linkOnMode(test::exampleLinkLaw<Elastoplastic>())}, 1);
  LinkRun run(set, 0);
  State s(1);
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
  run.start(0.0, motion);
  std::vector<Event> events;
  Vector velocity = Vector::Zero(8);
  s.q[0] = 1.0;
  run.evaluate(1.0, motion);
  run.acceptStep(1.0, events, velocity.data());
  s.q[0] = 0.25;
  EXPECT_DOUBLE_EQ(run.stateInsideStep(0, 0.25, motion).force[0], 100.0);  // the link has not yielded there
}

TEST(LinkRun, GoesOnFromACheckpointWithTheSameBits) {
  std::vector<Link> links;
  LinkLaws::forEach([&]<class L>() {
    Link link = linkOnMode(test::exampleLinkLaw<L>());
    if (link.axisCount() == 2) link.rows(1, 0) = -0.5;
    links.push_back(std::move(link));
  });
  const LinkSet set(std::move(links), 1);
  State s(1);
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
  std::vector<Event> events;
  Vector velocity = Vector::Zero(8);
  const auto advance = [&](LinkRun& run, double t) {
    s.q[0] = std::sin(7.0 * t);
    s.v[0] = 7.0 * std::cos(7.0 * t);
    run.evaluate(t, motion);
    run.acceptStep(0.01, events, velocity.data());
  };
  LinkRun whole(set, 0), resumed(set, 0);
  whole.start(0.0, motion);
  resumed.start(0.0, motion);
  for (int i = 1; i <= 50; ++i) advance(whole, 0.01 * i);
  std::vector<std::byte> bytes;
  CheckpointWriter writer(bytes);
  writer(whole);
  CheckpointReader reader(bytes);
  reader(resumed);
  for (int i = 51; i <= 80; ++i) {
    advance(whole, 0.01 * i);
    advance(resumed, 0.01 * i);
  }
  for (int i = 0; i < set.size(); ++i) {
    EXPECT_EQ(whole.state(i).force, resumed.state(i).force) << i;
    EXPECT_EQ(whole.state(i).memory, resumed.state(i).memory) << i;
    EXPECT_EQ(whole.state(i).dissipated, resumed.state(i).dissipated) << i;
  }
}

TEST(LinkRun, TakesTheMotionOfDrives) {
  Link link = linkOnMode(test::exampleLinkLaw<Antiseismic>());
  link.drives.push_back({TimeFunction::line(0.0, 0.5, 2.0), TimeFunction::constant(2.0), {-1.0, 0.0}});
  const LinkSet set({link}, 1);
  State s(1);
  s.q[0] = 3.0;
  const LinkMotion<double> motion = set.linkMotionAtTime(0, 1.0, {s.q.data(), s.v.data(), 0.0, s.v.data()});
  EXPECT_DOUBLE_EQ(motion.x[0], 3.0 - 2.5);
  EXPECT_DOUBLE_EQ(motion.v[0], -2.0);
}

TEST(LinkRun, PushesBothNodesApart) {
  // Two unit masses and a spring of 100 N/m between them: u = (q1, q2), x = u1 - u2.
  Link link;
  link.law = ForceDisplacement{test::formulaOf("100*x", "x")};
  link.rows = Eigen::Matrix<double, 2, Eigen::Dynamic>::Zero(2, 2);
  link.rows.row(0) << 1.0, -1.0;
  const LinkSet set({link}, 2);
  LinkRun run(set, 0);
  State s(2);
  s.q[0] = 0.3;
  s.q[1] = 0.1;
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
  run.start(0.0, motion);
  run.evaluate(0.1, motion);
  Vector force = Vector::Zero(8);
  run.addForces(force.data());
  EXPECT_DOUBLE_EQ(force[0], -20.0);
  EXPECT_DOUBLE_EQ(force[1], 20.0);
}

// ---- schemes

/// Duffing's oscillator of N01: 100 x + 4e4 x^3 on 1 kg from 0.1 m, at 0.5 s.
constexpr double kDuffing = -0.08743926078599011;

double duffingError(std::string_view scheme, double h) {
  const ModalModel model = massOnLink(ForceDisplacement{test::formulaOf("4e4*x^3", "x")}, 100.0).build();
  return std::abs(runOf(model, scheme, h, 0.5, {.x = 0.1}).x - kDuffing);
}

TEST(Links, KeepTheOrderOfTheSchemes) {
  struct Case {
    std::string_view scheme;
    double h;
    double order;
  };
  for (const Case& c : {Case{"kick_drift", 1e-3, 2.0}, Case{"central_difference", 1e-3, 2.0},
                        Case{"symplectic_euler", 1e-4, 1.0}, Case{"newmark", 1e-3, 2.0},
                        Case{"hht", 2.5e-4, 2.0}, Case{"devogelaere", 1e-3, 4.0}}) {
    const double order = std::log2(duffingError(c.scheme, c.h) / duffingError(c.scheme, 0.5 * c.h));
    EXPECT_NEAR(order, c.order, 0.15) << c.scheme;
  }
}

TEST(Links, AreTheSameUnderEveryScheme) {
  // Each law on a mass with a motion through all states of the law; fixed steps compared with very small
  // steps. The limit is that of second-order schemes with kinks of the force, (w h)^2 ~ 1e-6 of the motion.
  LinkLaws::forEach([&]<class L>() {
    const bool large = std::is_same_v<L, Elastoplastic>;
    const double amplitude = large ? 2.0 : 0.05;
    test::ModelParts parts = massOnLink(test::exampleLinkLaw<L>(), large ? 20.0 : 400.0);
    if (parts.links[0].axisCount() == 2) parts.links[0].rows(1, 0) = 0.3;
    // Load 2.5 t; otherwise the law would stick at once.
    if (std::is_same_v<L, Antiseismic>) parts.links[0].rows(0, 0) = 0.02;
    const ModalModel model = parts.build();
    const Start start{.x = 0.0, .v = (large ? 30.0 : 60.0) * amplitude / parts.links[0].rows(0, 0)};
    const double end = 0.3;
    const LinkOutcome tight = runOf(model, "rk54", 1e-4, end, start, kTight);
    EXPECT_LT(tight.report.energyError, 1e-6) << L::keyword;
    for (const std::string_view scheme :
         {"kick_drift", "central_difference", "newmark", "devogelaere", "rk32", "adaptive_central"}) {
      const SchemeOptions options =
          scheme == "adaptive_central" ? SchemeOptions{.stepMax = 1e-5}
                                       : SchemeOptions{.absoluteTolerance = 1e-12, .relativeTolerance = 1e-9};
      const LinkOutcome other = runOf(model, scheme, 1e-5, end, start, options);
      EXPECT_NEAR(other.x, tight.x, 2e-5 * amplitude / parts.links[0].rows(0, 0))
          << L::keyword << " " << scheme;
      EXPECT_LT(other.report.energyError, 1e-4) << L::keyword << " " << scheme;
    }
  });
}

TEST(Links, StayOfSecondOrderThroughAForceThatFalls) {
  // N03 with fixed steps: without the correction of the impulse the error would be of first order, J h/2 =
  // 1.5 mm/s at h = 1e-4. Largest error over four shifts of the time grid.
  Buckling law;
  law.stiffness = 1.0e4;  // mass of 1 kg instead of 10
  law.criticalForce = 50.0;
  law.postBucklingForce = 20.0;
  law.crush = {{0.001 + 20.0 / 5.0e3, 0.001, 0.0}};
  const ModalModel model = massOnLink(law, 0.0).build();
  const auto worst = [&](std::string_view scheme, double h) {
    double largest = 0.0;
    for (const double part : {0.93, 0.96, 0.98, 1.0})
      largest =
          std::max(largest, std::abs(runOf(model, scheme, part * h, 0.2, {.v = 3.0}).v + 0.282842712474619));
    return largest;
  };
  for (const std::string_view scheme : {"kick_drift", "central_difference"}) {
    EXPECT_LT(worst(scheme, 1e-4), 2e-4) << scheme;
    EXPECT_LT(worst(scheme, 1e-5), 4e-6) << scheme;
  }
}

TEST(Links, StopAMassUnderNewmark) {
  // N02: 2 kg at 3 m/s on a dashpot of 4 |v|^0.3 stops after 1.9038258352717 m, where the slope is infinite.
  test::ModelParts parts = massOnLink(ForceVelocity{test::formulaOf("4*sign(v)*abs(v)^0.3", "v")}, 0.0);
  const double shape = 1.0 / std::sqrt(2.0);
  parts.links[0].rows(0, 0) = shape;
  const ModalModel model = parts.build();
  const LinkOutcome end = runOf(model, "newmark", 1e-3, 1.7, {.v = 3.0 / shape});
  EXPECT_NEAR(shape * end.x, 1.9038258352716997, 1e-5);
  EXPECT_NEAR(shape * end.v, 0.0, 1e-4);
  EXPECT_LT(end.report.energyError, 1e-4);
}

TEST(Links, ClosedCyclesDissipate) {
  // A mass on an elastoplastic link oscillates until the motion is elastic: the lost energy is the energy
  // dissipated by the link.
  const ModalModel model = massOnLink(test::exampleLinkLaw<Elastoplastic>(), 0.0).build();
  const LinkOutcome end = runOf(model, "kick_drift", 1e-4, 2.0, {.v = 40.0});
  const EnergyLedger& e = end.report.energy;
  // The remaining energy is at most F^2/(2 K), with the largest force on the curve, below 350 N.
  EXPECT_GT(e.damping, 800.0 - 350.0 * 350.0 / 800.0);
  EXPECT_NEAR(e.kinetic + e.contact + e.damping, 800.0, 1e-4 * 800.0);
  // The link yields once: on the return the force just reaches the limit, which has increased.
  EXPECT_EQ(end.events.size(), 1U);
}

TEST(Links, CountInTheLimitOfTheStep) {
  test::ModelParts parts = massOnLink(ForceDisplacement{test::formulaOf("9e4*x", "x")}, 1.0e4);
  parts.links[0].bounds = {9.0e4, 0.0};
  EXPECT_NEAR(largestSafeStep(parts.build(), "central_difference"), 2.0 / std::sqrt(1.0e5), 1e-8);
  EXPECT_NEAR(stiffnessBounds(parts.build()).contact, 9.0e4, 1e-8);
  parts.links[0].bounds = {0.0, 500.0};
  EXPECT_LT(largestSafeStep(parts.build(), "central_difference"), 2.0 / 500.0);
}

TEST(Links, TakeNothingFromTheHeapInAStep) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  test::ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = 400.0});
  LinkLaws::forEach([&]<class L>() {
    Link link = linkOnMode(test::exampleLinkLaw<L>());
    if (link.axisCount() == 2) link.rows(1, 0) = 0.3;
    parts.links.push_back(std::move(link));
  });
  const ModalModel model = parts.build();
  const auto allocations = [&](std::string_view scheme, double end) {
    ModalEquation equation(model);
    State state(1);
    state.v[0] = 3.0;
    TransientOptions options{.end = end, .step = 1e-5, .archiveEvery = 100000};
    options.scheme.stepMax = 1e-5;
    class Silent : public TransientObserver {
      void archive(const StepView&) override {}
    } silent;
    const test::AllocationCounter counter;
    EXPECT_EQ(run(scheme, equation, state, options, silent).status, RunStatus::complete) << scheme;
    return counter.count();
  };
  Integrators::forEach([&]<class I>() {
    if constexpr (!kOwnsContacts<I>) {
      EXPECT_EQ(allocations(I::keyword, 0.04), allocations(I::keyword, 0.02)) << I::keyword;
    }
  });
}

}  // namespace
}  // namespace ricochet
