// The loop of a run takes nothing from the heap and handles no subnormal numbers, whatever its length.

#include "engine/integrators/integrators.hpp"
#include "engine/transient.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/models.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string_view>

namespace ricochet {
namespace {

/// Looks at every row and keeps nothing.
class Witness : public TransientObserver {
 public:
  double sum{0.0};
  void archive(const StepView& view) override { sum += view.state.q[0] + view.ledger.balance(); }
  void events(std::span<const Event> events) override { sum += static_cast<double>(events.size()); }
};

/// Allocations of a whole run.
long allocationsOf(const ModalModel& model, std::string_view scheme, double end, int archiveEvery) {
  ModalEquation equation(model);
  State state(model.linear.modes);
  Witness witness;
  const test::AllocationCounter allocations;
  const Report report =
      run(scheme, equation, state, {.end = end, .step = 1e-5, .archiveEvery = archiveEvery}, witness);
  EXPECT_EQ(report.status, RunStatus::complete);
  return allocations.count();
}

TEST(AllocationCounter, SeesEveryWayToTheHeap) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const test::AllocationCounter allocations;
  const auto one = std::make_unique<double>(1.0);
  EXPECT_EQ(allocations.count(), 1);
  void* two = std::aligned_alloc(64, 64);
  void* three = std::calloc(3, 3);
  three = std::realloc(three, 300);
  EXPECT_EQ(allocations.count(), 4);
  std::free(two);
  std::free(three);
  const Vector vector = Vector::Zero(8);
  EXPECT_EQ(allocations.count(), 5);
  EXPECT_EQ(vector.sum() + *one, 1.0);
}

TEST(HotLoop, AllocationsDoNotDependOnTheNumberOfSteps) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const ModalModel model = test::tube({.modes = 12, .stations = test::tubeStations(10), .loadsTo = 0.1}).build();
  Integrators::forEach([&]<class I>() {
    // 0.03 s and 0.08 s: contacts close in both; rows at the ends only, then at every step
    const long shorter = allocationsOf(model, I::keyword, 0.03, 100000);
    EXPECT_EQ(allocationsOf(model, I::keyword, 0.08, 100000), shorter) << I::keyword;
    EXPECT_EQ(allocationsOf(model, I::keyword, 0.08, 1), shorter) << I::keyword << ", archiving";
  });
}

TEST(HotLoop, AllocationsDoNotDependOnTheNumberOfStepsOfTheShoe) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const ModalModel model = test::sdnd106(44721.35954999579).build();
  Integrators::forEach([&]<class I>() {
    if (std::string_view(I::keyword) == "symplectic_euler") return;  // unstable with this dashpot at this step
    EXPECT_EQ(allocationsOf(model, I::keyword, 0.34, 10), allocationsOf(model, I::keyword, 0.02, 10)) << I::keyword;
  });
}

}  // namespace
}  // namespace ricochet
