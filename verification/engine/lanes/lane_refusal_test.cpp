// Models and variants that cannot run in lanes are refused with a reason; a step in lanes allocates no
// memory.

#include "engine/contact/areas/patch_law.hpp"
#include "engine/lanes/lane_run.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ricochet {
namespace {

using batch::reasonAgainstLanes;
using batch::reasonAgainstSharingLanes;
using ::testing::HasSubstr;

const TransientOptions kOptions{.end = 0.1, .step = 1e-5};

TEST(LaneRefusal, OfSchemesAndOptions) {
  const ModalModel shoe = test::sdnd106().build();
  EXPECT_EQ(reasonAgainstLanes("kick_drift", shoe, kOptions), "");
  EXPECT_EQ(reasonAgainstLanes("central_difference", shoe, kOptions), "");
  for (const char* scheme : {"newmark", "event", "moreau", "symplectic_euler"})
    EXPECT_THAT(reasonAgainstLanes(scheme, shoe, kOptions), HasSubstr("kick_drift")) << scheme;
  // 1e4 s in steps of 1e-6 s: the rounding of the ends of steps exceeds 1e-9 of a step.
  EXPECT_THAT(reasonAgainstLanes("kick_drift", shoe, {.end = 1e4, .step = 1e-6}), HasSubstr("too short"));
}

TEST(LaneRefusal, OfWhatAModelHas) {
  test::ModelParts parts = test::sdnd106();
  Matrix coupled = Matrix::Constant(2, 2, 0.1);
  parts.linear = LinearSystem(parts.linear.omegaSquared.head(2), coupled, false);
  EXPECT_THAT(reasonAgainstLanes("kick_drift", parts.build(), kOptions), HasSubstr("couples"));

  parts = test::sdnd106();
  parts.linear.dampingDiagonal[1] = 3e3;  // c h = 0.03
  EXPECT_THAT(reasonAgainstLanes("kick_drift", parts.build(), kOptions), HasSubstr("heavily"));
  EXPECT_EQ(reasonAgainstLanes("central_difference", parts.build(), kOptions), "");

  parts = test::sdnd106();
  parts.contacts[0].friction = Coulomb{0.3, 0.2};
  EXPECT_THAT(reasonAgainstLanes("kick_drift", parts.build(), kOptions), HasSubstr("law"));

  parts = test::sdnd106();
  parts.contacts[0].normal = Rigid{};
  EXPECT_THAT(reasonAgainstLanes("kick_drift", parts.build(), kOptions), HasSubstr("law"));

  parts = test::sdnd106();
  parts.contacts[0].surface.push_back({TimeFunction::constant(1.0), {1.0, 0.0}});
  EXPECT_THAT(reasonAgainstLanes("kick_drift", parts.build(), kOptions), HasSubstr("surface"));
}

TEST(LaneRefusal, OfVariantsThatDifferInMoreThanNumbersOfLaws) {
  const test::ModelParts base = test::tube({.modes = 6, .stations = {3.0, 5.0}, .loadsTo = 1e-3});
  const ModalModel first = base.build();
  const auto why = [&](auto&& change) {
    test::ModelParts parts = base;
    change(parts);
    return reasonAgainstSharingLanes(first, parts.build());
  };
  EXPECT_EQ(why([](test::ModelParts&) {}), "");
  EXPECT_EQ(why([](test::ModelParts& p) { p.contacts[0].obstacle = Slot{1.0}; }), "");
  EXPECT_EQ(why([](test::ModelParts& p) { p.contacts[0].offset[0] = 1.0; }), "");
  EXPECT_THAT(why([](test::ModelParts& p) { p.linear.omegaSquared[0] *= 2.0; }), HasSubstr("linear"));
  EXPECT_THAT(why([](test::ModelParts& p) { p.contacts[0].rows(0, 1) *= 2.0; }), HasSubstr("contact"));
  EXPECT_THAT(why([](test::ModelParts& p) { p.contacts[1].obstacle = Plane{}; }), HasSubstr("obstacle"));
  EXPECT_THAT(why([](test::ModelParts& p) { p.contacts[1].normal = ImposedForce{}; }), HasSubstr("normal"));
  EXPECT_THAT(why([](test::ModelParts& p) { p.contacts[1].friction = Frictionless{}; }),
              HasSubstr("friction"));
  EXPECT_THAT(why([](test::ModelParts& p) { p.contacts.pop_back(); }), HasSubstr("contacts"));
  EXPECT_THAT(why([](test::ModelParts& p) { p.loads.pop_back(); }), HasSubstr("loads"));
  EXPECT_THAT(why([](test::ModelParts& p) { p.loads[0].shape *= 2.0; }), HasSubstr("load"));
  EXPECT_THAT(why([](test::ModelParts& p) { p.loads[0].scale = TimeFunction::constant(1.0); }),
              HasSubstr("instants"));
}

TEST(LaneRefusal, LeavesLoadsThatAreScaledAlone) {
  const test::ModelParts base = test::sdnd106();
  test::ModelParts scaled = base;
  const std::vector<double> times{0.0, 0.2, 0.2, 1.0};
  const std::vector<double> forces{1000.0, 1000.0, 0.0, 0.0};
  const auto outside = TimeFunction::Outside::constant;
  scaled.loads[0].scale = TimeFunction::table(times, forces, outside, outside);
  EXPECT_EQ(reasonAgainstSharingLanes(base.build(), scaled.build()), "");
}

/// Number of allocations of a run of eleven tubes in lanes.
long allocationsOf(const char* scheme, double end, int archiveEvery) {
  const test::ModelParts base =
      test::tube({.modes = 12, .stations = test::positionsOfTubeSlots(6), .loadsTo = 0.1});
  class Feed : public batch::LaneFeed {
   public:
    explicit Feed(const test::ModelParts& base) {
      for (int i = 0; i < 11; ++i) {
        test::ModelParts parts = base;
        for (Contact& contact : parts.contacts) contact.obstacle = Slot{1e-4 * (1 + i)};
        study.emplace_back(parts, State(12));
      }
    }
    bool nextVariant(batch::LaneCase& variant) override {
      if (at == study.size()) return false;
      variant = {study[at].equation.get(), &study[at].state, &witness};
      ++at;
      return true;
    }
    void receiveReportOfVariant(const batch::LaneCase&, const Report& report) override {
      steps += report.steps;
    }
    class Witness : public TransientObserver {
     public:
      void archive(const StepView& view) override { sum += view.ledger.balanceResidual(); }
      double sum{0.0};
    };
    test::StudyVariants study;
    std::size_t at{0};
    long long steps{0};
    Witness witness;
  } feed(base);
  const TransientOptions options{.end = end, .step = 1e-5, .archiveEvery = archiveEvery};
  batch::LaneRun lanes(scheme, *feed.study.front().model, options);
  const test::AllocationCounter allocations;
  lanes.run(feed);
  const long count = allocations.count();
  EXPECT_GT(feed.steps, 11 * 4000);
  return count;
}

TEST(LaneRun, AllocationsDoNotDependOnTheNumberOfSteps) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  for (const char* scheme : {"kick_drift", "central_difference"}) {
    const long shorter = allocationsOf(scheme, 0.05, 1 << 30);
    EXPECT_EQ(allocationsOf(scheme, 0.08, 1 << 30), shorter) << scheme;
    EXPECT_EQ(allocationsOf(scheme, 0.08, 10), shorter) << scheme << ", archiving";
  }
}

}  // namespace
}  // namespace ricochet
