// A run that is stopped at a checkpoint and continued in new objects gives the same bits as an uninterrupted
// run: for every scheme, on models with all internal variables of contacts.

#include "engine/contact/areas/fields/bristle.hpp"
#include "engine/contact/areas/patch_law.hpp"
#include "engine/links/link_set.hpp"
#include "engine/links/links.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/study/direct.hpp"
#include "engine/study/run_transient.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/checkpoints.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/models.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::Checkpointed;
using test::expectSameBits;
using test::ModelParts;

constexpr std::array<std::string_view, 1> kTime{"t"};

TimeFunction functionWithJump(double before, double after) {
  const std::vector<double> times{0.0, 0.0123, 0.0123, 0.0301, 0.0301, 1.0};
  const std::vector<double> values{before, before, after, after, 1.5 * before, 1.5 * before};
  return TimeFunction::table(times, values, TimeFunction::Outside::constant, TimeFunction::Outside::constant);
}

/// Three masses in a row that move along e1, e2 and e3 of their contacts: nine modes, coupled by damping on
/// request. The loads are a formula and a function that jumps.
ModelParts threeMasses(bool coupled) {
  ModelParts parts;
  constexpr Eigen::Index kModes = 9;
  const Vector eigenvalues = Vector::LinSpaced(kModes, 4e3, 9e4);
  Matrix damping = Vector::LinSpaced(kModes, 1.0, 6.0).asDiagonal();
  if (coupled) damping(1, 4) = damping(4, 1) = -0.8;
  parts.linear = LinearSystem(eigenvalues, damping, !coupled);
  parts.loads.push_back(
      {Vector::LinSpaced(kModes, 90.0, -70.0), TimeFunction::formula(Formula::parse("sin(210*t)", kTime))});
  parts.loads.push_back({Vector::LinSpaced(kModes, -20.0, 60.0), functionWithJump(1.0, -2.0)});
  return parts;
}

Contact contactOfMass(int mass, AnyObstacle obstacle, AnyNormalLaw normal, AnyFrictionLaw friction) {
  Contact contact = test::contactOf(9, obstacle, normal, friction);
  for (int axis = 0; axis < 3; ++axis) {
    contact.rows(axis, 3 * mass + axis) = 1.0;
    contact.rows(axis, (3 * mass + axis + 4) % 9) = 0.3;
  }
  return contact;
}

ModelParts pointContacts(bool coupled) {
  ModelParts parts = threeMasses(coupled);
  const RegularisedCoulomb stick{.muStatic = 0.4, .muDynamic = 0.25, .stiffness = 4e4, .damping = 20.0};
  parts.contacts.push_back(
      contactOfMass(0, Slot{2e-3}, LinearPenalty{.stiffness = 6e4, .damping = 8.0}, stick));
  parts.contacts.push_back(
      contactOfMass(1, Plane{-1e-3}, LinearPenalty{.stiffness = 5e4, .damping = 0.0}, stick));
  parts.contacts.push_back(contactOfMass(2, NoObstacle{}, ImposedForce{}, stick));
  parts.contacts.back().imposedForce = functionWithJump(60.0, 15.0);
  return parts;
}

/// Contact areas: an axisymmetric area, and an area of bristles.
ModelParts modelWithContactAreas() {
  ModelParts parts = threeMasses(false);
  constexpr double kStiffness = 3e4;
  PatchFriction friction;
  friction.stiffness = kStiffness;
  const auto add = [&](int mass, const PatchLaw::AnyArea& area, const patch::FrictionDrop& drop) {
    friction.muStatic = drop.muStatic;
    friction.muDynamic = drop.muDynamic;
    friction.dropSpeed = drop.speed;
    Contact contact = contactOfMass(mass, NoObstacle{}, ImposedForce{}, friction);
    contact.imposedForce = functionWithJump(50.0, 20.0);
    contact.spinRow = Eigen::RowVectorXd::Zero(9);
    contact.spinRow[3 * mass] = 1.0;
    contact.patch = std::make_shared<const PatchLaw>(area, drop);
    parts.contacts.push_back(contact);
  };
  add(0, AxialArea(patch::AxialPotential{}, kStiffness, 0.5), {0.4, 0.3, 0.1});
  add(1, BristleArea(patch::bristlePointsAboutPressureCentre({}, 3, 7), kStiffness), {0.3, 0.3, 0.0});
  return parts;
}

/// Set-valued laws and a moving surface.
ModelParts rigidContacts() {
  ModelParts parts = threeMasses(false);
  parts.contacts.push_back(contactOfMass(0, Slot{2e-3}, Rigid{0.4}, Coulomb{0.3, 0.2}));
  parts.contacts.push_back(contactOfMass(1, Plane{-1e-3}, Rigid{0.0}, Frictionless{}));
  parts.contacts.push_back(contactOfMass(2, NoObstacle{}, ImposedForce{}, Coulomb{0.4, 0.3}));
  parts.contacts.back().imposedForce = functionWithJump(60.0, 15.0);
  parts.contacts.back().surface.push_back(
      {TimeFunction::formula(Formula::parse("0.4*cos(150*t)", kTime)), {1.0, 0.2}});
  return parts;
}

State movingInitialState() {
  State s(9);
  s.q.head(9) = Vector::LinSpaced(9, 1e-3, -2e-3);
  s.v.head(9) = Vector::LinSpaced(9, -0.5, 0.8);
  return s;
}

TransientOptions optionsFor(bool atTimes) {
  TransientOptions options{.end = 0.0601, .step = 2e-5, .archiveEvery = 3};
  options.instants = {0.0, 0.0111113, 0.02, 0.0500001, 0.0601};
  if (atTimes)
    for (int i = 0; i <= 300; ++i) options.archiveTimes.push_back(2.003e-4 * i);
  return options;
}

void expectSameRunAfterRestart(std::string_view scheme, const ModelParts& parts, bool atTimes) {
  SCOPED_TRACE(std::string(scheme) + (atTimes ? " at times" : " at steps"));
  const auto runIt = [&](const TransientOptions& options, TransientObserver& observer) {
    // All objects of the first run are destroyed here, so that a checkpoint cannot point to them.
    const ModelParts own = parts;
    const ModalModel model = own.build();
    ModalEquation equation(model);
    State state = movingInitialState();
    const Report report = run(scheme, equation, state, options, observer);
    const auto totals = equation.contacts().runTotals();
    return test::RunEnd{report, state, {totals.begin(), totals.end()}};
  };
  test::expectCheckpointsContinue(runIt, optionsFor(atTimes));
}

void expectSameRunAfterRestart(std::string_view scheme, const ModelParts& parts) {
  expectSameRunAfterRestart(scheme, parts, false);
  expectSameRunAfterRestart(scheme, parts, true);
}

TEST(Checkpoint, ContinuesEveryListedSchemeOnPointContacts) {
  Integrators::forEach([]<class I>() { expectSameRunAfterRestart(I::keyword, pointContacts(false)); });
}

TEST(Checkpoint, ContinuesEveryListedSchemeWithCoupledDamping) {
  Integrators::forEach([]<class I>() { expectSameRunAfterRestart(I::keyword, pointContacts(true), false); });
}

TEST(Checkpoint, ContinuesContactAreas) {
  Integrators::forEach([]<class I>() {
    if constexpr (!kOwnsContacts<I>) expectSameRunAfterRestart(I::keyword, modelWithContactAreas(), false);
  });
}

/// Beside contacts, a link that yields repeatedly: its plastic displacement is part of the state of a run.
TEST(Checkpoint, ContinuesLinksWithMemory) {
  ModelParts parts = pointContacts(false);
  Link link;
  link.law = Elastoplastic{HardeningCurve({1e-4, 1e-2}, {5.0, 50.0}, true), false};
  link.rows = Eigen::Matrix<double, 2, Eigen::Dynamic>::Zero(2, 9);
  link.rows(0, 0) = 1.0;
  link.rows(0, 4) = -0.5;
  parts.links.push_back(std::move(link));
  Integrators::forEach([&]<class I>() {
    if constexpr (!kOwnsContacts<I>) expectSameRunAfterRestart(I::keyword, parts, false);
  });
}

TEST(Checkpoint, ContinuesSetValuedContacts) {
  Integrators::forEach([]<class I>() {
    if constexpr (kOwnsContacts<I>) expectSameRunAfterRestart(I::keyword, rigidContacts());
  });
}

TEST(Checkpoint, ContinuesTheEventScheme) {
  expectSameRunAfterRestart(kEventScheme, pointContacts(false));
  expectSameRunAfterRestart(kEventScheme, pointContacts(true));
  expectSameRunAfterRestart(kEventScheme, rigidContacts());
}

TEST(Checkpoint, ContinuesLongSteps) {
  constexpr int kMany = 40;
  test::ModelParts parts =
      test::tube({.modes = kMany, .stations = test::positionsOfTubeSlots(4), .loadsTo = 1e-4});
  parts.loads.resize(1);
  parts.loads[0].scale = TimeFunction::formula(Formula::parse("60*sin(80*t)", kTime));
  for (const Propagator propagator : {Propagator::automatic, Propagator::chebyshev}) {
    const auto runIt = [&](TransientOptions options, TransientObserver& observer) {
      const ModalModel model = parts.build();
      ModalEquation equation(model);
      State state(kMany);
      state.v.head(kMany).setConstant(0.02);
      options.scheme.propagator = propagator;
      options.scheme.stepMax = 5e-5;
      const Report report = run(kEventScheme, equation, state, options, observer);
      EXPECT_GT(report.events, 0);
      const auto totals = equation.contacts().runTotals();
      return test::RunEnd{report, state, {totals.begin(), totals.end()}};
    };
    test::expectCheckpointsContinue(runIt, optionsFor(false));
    test::expectCheckpointsContinue(runIt, optionsFor(true));
  }
}

TEST(Checkpoint, ContinuesLazyGapWatching) {
  const test::TubeData data{.modes = 12, .stations = test::positionsOfTubeSlots(10), .loadsTo = 0.07};
  for (const std::string_view scheme : {"kick_drift", "central_difference", "newmark"}) {
    SCOPED_TRACE(scheme);
    const auto runIt = [&](const TransientOptions& options, TransientObserver& observer) {
      const ModalModel model = test::tube(data).build();
      ModalEquation equation(model);
      State state(12);
      state.v.head(12).setConstant(0.05);
      const Report report = run(scheme, equation, state, options, observer);
      const auto totals = equation.contacts().runTotals();
      return test::RunEnd{report, state, {totals.begin(), totals.end()}};
    };
    test::expectCheckpointsContinue(runIt, optionsFor(false));
  }
}

TEST(Checkpoint, ContinuesTheDirectMode) {
  for (const std::string scheme : {"newmark", "hht", "central_difference"}) {
    SCOPED_TRACE(scheme);
    const Deck study = test::studyOf(test::kKnockingPair + ("[direct]\nscheme = \"" + scheme + "\"\n"));
    const auto simulation = prepareDirectSimulation(study);
    const auto runIt = [&](const TransientOptions& options, TransientObserver& observer) {
      DirectEquation equation(simulation->direct);
      State state = simulation->initial;
      const Report report = run(scheme, equation, state, options, observer);
      const auto totals = equation.contacts().runTotals();
      return test::RunEnd{report, state, {totals.begin(), totals.end()}};
    };
    test::expectCheckpointsContinue(runIt, optionsFor(false));
  }
}

/// The gap of a contact that the screening has skipped for long is the gap at its present position.
TEST(RunEnd, LeavesEveryOpenContactItsGap) {
  Integrators::forEach([]<class I>() {
    SCOPED_TRACE(I::keyword);
    ModelParts parts = kOwnsContacts<I> ? rigidContacts() : pointContacts(false);
    for (Contact& contact : parts.contacts)
      // The contact is out of reach.
      if (auto* slot = std::get_if<Slot>(&contact.obstacle)) slot->clearance = 0.5;
    const ModalModel model = parts.build();
    ModalEquation equation(model);
    State state = movingInitialState();
    Checkpointed observer;
    observer.keeps = false;
    ASSERT_EQ(run(I::keyword, equation, state, optionsFor(false), observer).status, RunStatus::complete);
    std::vector<ContactView> views;
    fillContactViews(equation.contacts(), state, views);
    int open = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const ContactState& left = equation.contacts().state(i);
      if (left.normal != NormalState::open) continue;
      ++open;
      EXPECT_GT(left.gap, 0.0) << i;
      EXPECT_NEAR(left.gap, views[i].gap, 1e-15) << i;
    }
    EXPECT_GT(open, 0);
  });
}

/// A rigid stop 1 mm away from a body at rest does not count as closed in the continued run: under F the
/// contact stays open while x = -(F/omega^2)(1 - cos(omega t)) is less than 1 mm.
TEST(RunEnd, LeavesAnOpenRigidStopOpenForTheNextRun) {
  constexpr double kOmegaSquared = 100.0, kForce = 10.0, kEnd = 0.01;
  const auto partsUnder = [&](double force) {
    ModelParts parts;
    const Vector eigenvalue = Vector::Constant(1, kOmegaSquared);
    parts.linear = LinearSystem(eigenvalue, Matrix::Zero(1, 1), true);
    parts.contacts.push_back(test::contactOf(1, Plane{-1e-3}, Rigid{0.0}, Frictionless{}));
    parts.contacts.back().rows(0, 0) = 1.0;
    const std::vector<double> times{0.0, 1.0}, values{force, force};
    parts.loads.push_back(
        {Vector::Constant(1, 1.0), TimeFunction::table(times, values, TimeFunction::Outside::constant,
                                                       TimeFunction::Outside::constant)});
    return parts;
  };
  TransientOptions options{.end = kEnd, .step = 1e-5};
  const ModalModel before = partsUnder(0.0).build(), after = partsUnder(-kForce).build();
  ModalEquation first(before), second(after);
  State state(1);
  Checkpointed observer;
  observer.keeps = false;
  run("moreau", first, state, options, observer);
  const RunMemory memory(first.contacts(), first.links());
  options.memory = &memory;
  State next(1);
  run("moreau", second, next, options, observer);
  const double omega = std::sqrt(kOmegaSquared);
  EXPECT_NEAR(next.q[0], -kForce / kOmegaSquared * (1.0 - std::cos(omega * kEnd)), 1e-9);
  EXPECT_EQ(second.contacts().runTotals()[0].impacts, 0);
}

TEST(Checkpoint, OfAnotherModelIsRefusedBeforeAnythingIsShown) {
  Checkpointed first;
  const ModalModel model = pointContacts(false).build();
  ModalEquation equation(model);
  State state = movingInitialState();
  run("newmark", equation, state, optionsFor(false), first);
  ASSERT_GT(first.kept.size(), 2U);
  const auto refuses = [&](std::string_view scheme, const ModalModel& other,
                           std::span<const std::byte> bytes) {
    TransientOptions options = optionsFor(false);
    options.resumeFrom = bytes;
    test::Recorder seen;
    ModalEquation fresh(other);
    State start = movingInitialState();
    EXPECT_THROW(run(scheme, fresh, start, options, seen), CheckpointError);
    EXPECT_TRUE(seen.rows.empty());
  };
  const std::span<const std::byte> bytes = first.kept[1].bytes;
  refuses("hht", model, bytes);
  refuses("event", model, bytes);
  refuses("newmark", modelWithContactAreas().build(), bytes);
  refuses("newmark", model, bytes.first(bytes.size() - 1));
}

}  // namespace
}  // namespace ricochet
