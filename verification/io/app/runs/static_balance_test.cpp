// The comparison of both runs with the equations of massless dofs.

#include "io/app/runs/comparison.hpp"
#include "verification/support/deck_file.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

constexpr const char* kDeck = R"(
nodes = [ { name = "m", position = [0, 0, 0] }, { name = "tip", position = [1, 0, 0] } ]
masses = [ { nodes = ["m"], mass = 1.0 } ]
springs = [ { nodes = ["m"], stiffness = [1e4, 0, 0] }, { nodes = ["m", "tip"], stiffness = [2e5, 0, 0] } ]
[[supports]]
nodes = "all"
fixed = ["uy", "uz"]
[basis]
all = true
[[loads]]
nodes = ["tip"]
force = [-30, 0, 0]
[initial]
velocity = [ { node = "m", value = [1, 0, 0] } ]
[[contacts]]
name = "stop"
node = "tip"
obstacle = { type = "plane", normal = [-1, 0, 0], gap = 0.001 }
normal = { stiffness = 1e6 }
[transient]
duration = 0.02
scheme = "newmark"
step = 1e-5
[direct]
step = 1e-5
)";

ComparisonSettings settings() {
  ComparisonSettings made;
  made.progress = made.causes = false;
  return made;
}

TEST(StaticBalance, HoldsInBothModes) {
  const Deck study = test::studyOf(kDeck);
  const auto modal = prepare(study);
  const auto direct = prepareDirectSimulation(study, modal.get());
  const Comparison comparison = compareModalAndDirectRuns(study, *modal, *direct, settings());
  ASSERT_TRUE(comparison.areBothRunsComplete());
  EXPECT_LT(comparison.imbalance, 1e-11);
  EXPECT_TRUE(comparison.isInStaticBalance());
}

TEST(StaticBalance, SeesATermThatBothModesDrop) {
  const Deck study = test::studyOf(kDeck);
  const auto modal = prepare(study);
  const auto direct = prepareDirectSimulation(study, modal.get());
  for (Simulation* each : {modal.get(), direct.get()}) each->contactFields.clear();
  Comparison comparison = compareModalAndDirectRuns(study, *modal, *direct, settings());
  ASSERT_TRUE(comparison.areBothRunsComplete());
  EXPECT_LT(comparison.causes.difference, 1e-5);  // both runs agree with each other
  EXPECT_FALSE(comparison.isInStaticBalance());
  for (Simulation* each : {modal.get(), direct.get()}) each->imposed.clear();
  comparison = compareModalAndDirectRuns(study, *modal, *direct, settings());
  EXPECT_FALSE(comparison.isInStaticBalance());
}

}  // namespace
}  // namespace ricochet
