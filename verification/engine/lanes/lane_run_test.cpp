// Variants in lanes have the same bits as runs of each variant alone.

#include "engine/lanes/lane_group.hpp"
#include "verification/support/formula_of_time.hpp"
#include "verification/support/study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

using test::ModelParts;
using test::StudyVariants;

class LaneRunTest : public ::testing::TestWithParam<const char*> {
 protected:
  const std::string scheme = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Schemes, LaneRunTest, ::testing::Values("kick_drift", "central_difference"),
                         [](const auto& suite) { return std::string(suite.param); });

TimeFunction scaledTable(double factor, double until) {
  const std::vector<double> times{0.0, 0.025, 0.05, until, until, 1.0};
  std::vector<double> values{0.5, 1.0, 1.0, 1.0, 0.0, 0.0};
  for (double& value : values) value *= factor;
  return TimeFunction::table(times, values, TimeFunction::Outside::constant, TimeFunction::Outside::constant);
}

/// SDND106 with different friction, stick, load and initial state in every variant; every other variant is
/// damped. Variants with too little friction slip from the start.
StudyVariants shoeVariants(int count) {
  std::mt19937 random(106);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  StudyVariants study;
  for (int i = 0; i < count; ++i) {
    ModelParts parts = test::sdnd106();
    RegularisedCoulomb law;
    law.muStatic = 0.15 + 0.2 * part(random);
    law.muDynamic = law.muStatic * (0.6 + 0.4 * part(random));
    law.stiffness = 2e6 * std::exp(2.0 * part(random));
    law.damping = i % 2 == 0 ? 0.0 : 2000.0 * part(random);
    parts.contacts[0].friction = law;
    parts.loads[0].scale = scaledTable(2000.0 + 2000.0 * part(random), 0.2);
    State start(2);
    if (i % 3 == 0) start.v[0] = part(random);
    if (i % 5 == 0) start.q[1] = 0.1 * part(random);
    study.emplace_back(parts, start);
  }
  return study;
}

TEST_P(LaneRunTest, ShoesOfEveryKindAreTheSame) {
  for (const int count : {1, 7, 8, 9, 17, 40}) {
    const StudyVariants study = test::expectSameInLanes([&] { return shoeVariants(count); }, scheme,
                                                        {.end = 0.34, .step = 1e-4, .archiveEvery = 100});
    if (count < 40) continue;
    long slips = 0, sticks = 0;
    for (const auto& variant : study)
      for (const Event& event : variant.observer.all) {
        slips += event.kind == EventKind::stickToSlip ? 1 : 0;
        sticks += event.kind == EventKind::slipToStick ? 1 : 0;
      }
    EXPECT_GT(slips, 40);
    EXPECT_GT(sticks, 20);
  }
}

/// The tube with different gaps, stiffnesses, friction and dashpots in every variant; loads and damping are
/// equal.
StudyVariants tubeVariants(int count, int contacts = 4, int modes = 20) {
  const ModelParts base =
      test::tube({.modes = modes, .stations = test::positionsOfTubeSlots(contacts), .loadsTo = 0.2});
  std::mt19937 random(20);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  StudyVariants study;
  for (int i = 0; i < count; ++i) {
    ModelParts parts = base;
    for (Contact& contact : parts.contacts) {
      contact.obstacle = Slot{1e-4 + 6e-4 * part(random)};
      contact.normal = LinearPenalty{.stiffness = 5e5 + 1e6 * part(random),
                                     .damping = i % 3 == 1 ? 20.0 * part(random) : 0.0,
                                     .tension = i % 7 == 5};
      contact.friction = RegularisedCoulomb{.muStatic = 0.3 * part(random),
                                            .muDynamic = 0.1 * part(random),
                                            .stiffness = 1e5,
                                            .damping = i % 4 == 2 ? 10.0 * part(random) : 0.0};
      contact.offset[0] = i % 5 == 4 ? 1e-4 * part(random) : 0.0;
    }
    State start(modes);
    start.q[1] = 1e-4 * part(random);
    study.emplace_back(parts, start);
  }
  return study;
}

TEST_P(LaneRunTest, TubesWithOtherGapsAreTheSame) {
  const StudyVariants study = test::expectSameInLanes([] { return tubeVariants(19); }, scheme,
                                                      {.end = 0.15, .step = 1e-5, .archiveEvery = 1000});
  std::array<long, 5> kinds{};
  for (const auto& variant : study)
    for (const Event& event : variant.observer.all) ++kinds[static_cast<std::size_t>(event.kind)];
  for (const EventKind kind :
       {EventKind::closing, EventKind::opening, EventKind::stickToSlip, EventKind::slipToStick})
    EXPECT_GT(kinds[static_cast<std::size_t>(kind)], 100) << nameOfEventKind(kind);
}

/// A function with the values of another times a factor.
TimeFunction functionTimesFactor(double factor, const TimeFunction& table) {
  std::vector<double> instants, values;
  for (std::size_t k = 1; k <= table.lastPiece(); ++k) {
    instants.push_back(table.piece(k).begin);
    values.push_back(factor * table.piece(k).value);
  }
  const auto outside = TimeFunction::Outside::constant;
  return TimeFunction::table(instants, values, outside, outside);
}

TEST_P(LaneRunTest, LoadsOfTheirOwnThatChangeAtEveryStepAreTheSame) {
  // Three variants stop early, so that their lanes continue with other variants at other instants.
  const auto make = [] {
    StudyVariants study;
    for (int i = 0; i < 14; ++i) {
      ModelParts parts = test::tube({.modes = 9, .stations = {2.0, 7.0}, .loadsTo = 0.03});
      for (Load& load : parts.loads)
        if (i % 3 != 0) load.scale = functionTimesFactor(1.0 + 0.1 * i, load.scale);
      study.emplace_back(parts, State(9));
    }
    for (const std::size_t i : {1U, 5U, 6U}) study[i].observer.stopAfter = 256 * static_cast<long long>(i);
    return study;
  };
  test::expectSameInLanes(make, scheme, {.end = 0.03, .step = 1e-5, .archiveEvery = 700});
}

TEST_P(LaneRunTest, FormulasThatAreSharedAreTheSame) {
  const ModelParts base = [] {
    ModelParts parts = test::sdnd106(1000.0);
    std::get<RegularisedCoulomb>(parts.contacts[0].friction).stiffness = 1e6;
    parts.loads[0].scale = test::formulaOfTime("2000 + 2000*sin(40*t)");
    parts.contacts[0].imposedForce = test::formulaOfTime("8000 + 3000*cos(90*t)");
    return parts;
  }();
  const auto make = [&] {
    StudyVariants study;
    for (int i = 0; i < 12; ++i) {
      ModelParts parts = base;
      std::get<RegularisedCoulomb>(parts.contacts[0].friction).muStatic = 0.25 + 0.01 * i;
      study.emplace_back(parts, State(2));
    }
    study[2].observer.stopAfter = 600;
    return study;
  };
  test::expectSameInLanes(make, scheme, {.end = 0.3, .step = 1e-4, .archiveEvery = 90});
}

TEST_P(LaneRunTest, ManyContactsAndModesAreTheSame) {
  test::expectSameInLanes([] { return tubeVariants(10, 10, 35); }, scheme,
                          {.end = 0.02, .step = 1e-6, .archiveEvery = 5000});
  test::expectSameInLanes([] { return tubeVariants(3, 7, 3); }, scheme,
                          {.end = 0.05, .step = 1e-5, .archiveEvery = 999});
}

TEST_P(LaneRunTest, EveryProcessorGivesTheSame) {
  for (const batch::LaneKernels* kernels : batch::laneKernels())
    for (const std::size_t groups : {1U, 2U, 3U}) {
      SCOPED_TRACE(std::string(kernels->processor));
      const batch::LaneOptions lanes{.groups = groups, .kernels = kernels};
      test::expectSameInLanes([] { return shoeVariants(21); }, scheme,
                              {.end = 0.3, .step = 2e-4, .archiveEvery = 77}, lanes);
      test::expectSameInLanes([] { return tubeVariants(11); }, scheme,
                              {.end = 0.03, .step = 1e-5, .archiveEvery = 1 << 30}, lanes);
    }
}

TEST_P(LaneRunTest, InstantsAndArchiveTimesAreTheSame) {
  TransientOptions options{.end = 0.1, .step = 1e-5};
  options.archiveTimes = {0.0, 0.00123, 0.05, 0.050003, 0.0999999, 0.1};
  options.instants = {0.07, 0.0, 0.01234567, 0.01234568, 0.1};
  const StudyVariants study = test::expectSameInLanes([] { return tubeVariants(9); }, scheme, options);
  EXPECT_EQ(study.front().observer.rows.size(), options.archiveTimes.size());
  EXPECT_EQ(study.front().observer.shown.size(), options.instants.size());
}

TEST_P(LaneRunTest, ShowsEveryStep) {
  test::expectSameInLanes([] { return shoeVariants(9); }, scheme,
                          {.end = 0.25, .step = 1e-3, .archiveEvery = 1});
}

/// A variant that diverges, because its stick is far too stiff for the step.
TEST_P(LaneRunTest, VariantsThatDivergeLeaveTheOthersAlone) {
  const auto make = [] {
    StudyVariants study = shoeVariants(0);
    for (int i = 0; i < 26; ++i) {
      ModelParts parts = test::sdnd106();
      auto& law = std::get<RegularisedCoulomb>(parts.contacts[0].friction);
      law.stiffness = 1e6;
      law.damping = i % 6 == 1 ? 1e7 : 100.0;
      // The normal force is so large that the contact never slips.
      if (i % 6 == 1) parts.contacts[0].imposedForce = TimeFunction::constant(1e300);
      parts.loads[0].scale = scaledTable(3000.0 + i, 0.2);
      State start(2);
      start.v[0] = 0.1;
      study.emplace_back(parts, start);
    }
    return study;
  };
  const StudyVariants study =
      test::expectSameInLanes(make, scheme, {.end = 0.4, .step = 1e-4, .archiveEvery = 64});
  const auto diverged = std::count_if(study.begin(), study.end(), [](const auto& variant) {
    return variant.report.status == RunStatus::diverged;
  });
  EXPECT_EQ(diverged, 5);
}

TEST_P(LaneRunTest, StopsOfTheObserverAreTheSame) {
  const auto make = [] {
    StudyVariants study = shoeVariants(12);
    study[3].observer.stopAfter = 300;
    study[10].observer.stopAfter = 1000;
    return study;
  };
  const StudyVariants study =
      test::expectSameInLanes(make, scheme, {.end = 0.3, .step = 1e-4, .archiveEvery = 50});
  EXPECT_EQ(study[3].report.status, RunStatus::interrupted);
}

TEST_P(LaneRunTest, ImposedForcesAndLoadsThatJumpAnywhereAreTheSame) {
  const auto make = [] {
    StudyVariants study;
    for (int i = 0; i < 13; ++i) {
      ModelParts parts = test::sdnd106(500.0 + 100.0 * i);
      auto& law = std::get<RegularisedCoulomb>(parts.contacts[0].friction);
      law.stiffness = 1e6 + 1e5 * i;
      const auto outside = TimeFunction::Outside::constant;
      const std::vector<double> times{0.0, 0.0312345, 0.0312345, 0.06, 0.0600001, 0.1, 0.1, 0.12};
      std::vector<double> forces{1e4, 1.2e4, 0.8e4, 0.9e4, 0.7e4, 1e4, -10.0, 500.0};
      for (double& force : forces) force *= 1.0 + 0.01 * i;
      parts.contacts[0].imposedForce = TimeFunction::table(times, forces, outside, outside);
      parts.loads[0].scale = scaledTable(2500.0 + 100.0 * i, 0.07777);
      study.emplace_back(parts, State(2));
    }
    return study;
  };
  test::expectSameInLanes(make, scheme, {.end = 0.15, .step = 1e-4, .archiveEvery = 33});
}

TEST_P(LaneRunTest, DecayToNothingIsTheSame) {
  // exp(-0.9 * 1000 * 1) = 1e-391: subnormal numbers on the way are flushed to zero.
  const auto make = [] {
    StudyVariants study;
    for (int i = 0; i < 9; ++i) {
      ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = 1e6, .damping = 1800.0});
      parts.contacts.push_back(test::contactOf(1, Plane{}, LinearPenalty{.stiffness = 1e4 * (1.0 + i)}));
      parts.contacts.back().rows(0, 0) = 1.0;
      State start(1);
      start.q[0] = 1.0 - 0.3 * i;
      study.emplace_back(parts, start);
    }
    return study;
  };
  const StudyVariants study =
      test::expectSameInLanes(make, scheme, {.end = 1.0, .step = 1e-5, .archiveEvery = 1000});
  EXPECT_LT(std::abs(study.front().state.q[0]), 1e-300);
}

TEST_P(LaneRunTest, SlipInThePlaneIsTheSame) {
  const auto make = [] {
    StudyVariants study;
    for (int i = 0; i < 11; ++i) {
      const RegularisedCoulomb law{
          .muStatic = 0.3, .muDynamic = 0.2 + 0.01 * i, .stiffness = 1e5, .damping = i % 2 == 0 ? 0.0 : 30.0};
      ModelParts parts;
      parts.linear = LinearSystem(Vector::Constant(2, 100.0), Matrix::Zero(2, 2), true);
      parts.contacts.push_back(test::contactOf(2, NoObstacle{}, ImposedForce{}, law));
      parts.contacts[0].imposedForce = TimeFunction::constant(10.0);
      parts.contacts[0].rows(1, 0) = parts.contacts[0].rows(2, 1) = 1.0;
      State start(2);
      start.q.head(2) << 0.5 + 0.1 * i, 0.0;
      start.v.head(2) << 0.0, i == 4 ? 0.0 : 1.0 - 0.2 * i;
      study.emplace_back(parts, start);
    }
    return study;
  };
  test::expectSameInLanes(make, scheme, {.end = 1.0, .step = 1e-4, .archiveEvery = 100});
}

TEST_P(LaneRunTest, StatisticsAreTheSame) {
  const auto make = [] {
    std::vector<StepChannel> channels(3, {Vector::Zero(24), true});
    for (Eigen::Index i = 0; i < 20; ++i) {
      channels[0].row[i] = std::sin(0.3 * static_cast<double>(i));
      channels[1].row[i] = i % 2 == 0 ? 0.0 : 1.0;
      channels[2].row[i] = channels[0].row[i];
    }
    channels[2].ofDisplacement = false;
    StudyVariants study;
    for (test::StudyVariant& variant : tubeVariants(13)) {
      study.push_back(std::move(variant));
      study.back().observer.statistics = std::make_unique<StepStatistics>(channels);
    }
    return study;
  };
  TransientOptions options{.end = 0.08, .step = 1e-5, .archiveEvery = 500};
  options.instants = {0.0123456};
  test::expectSameInLanes(make, scheme, options);
}

}  // namespace
}  // namespace ricochet
