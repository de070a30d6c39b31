// The loop of a run allocates no memory and computes with no subnormal numbers, whatever its length.

#include "engine/schemes/integrators.hpp"
#include "engine/study/run_transient.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/models.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <string_view>

namespace ricochet {
namespace {

/// Observer of every row that records nothing.
class Witness : public TransientObserver {
 public:
  double sum{0.0};
  void archive(const StepView& view) override { sum += view.state.q[0] + view.ledger.balanceResidual(); }
  void onEvents(std::span<const Event> events) override { sum += static_cast<double>(events.size()); }
};

/// Number of allocations of a whole run.
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
  // The pointers are volatile, because the compiler knows these functions and would remove unused calls.
  void* volatile kept = nullptr;
  const auto allocationsOf = [&](auto&& allocate) {
    const test::AllocationCounter allocations;
    kept = allocate();
    return allocations.count();
  };
  EXPECT_EQ(allocationsOf([] { return std::malloc(3); }), 1);
  EXPECT_EQ(allocationsOf([&] { return std::realloc(kept, 300); }), 1);
  std::free(kept);
  EXPECT_EQ(allocationsOf([] { return std::calloc(3, 3); }), 1);
  std::free(kept);
  EXPECT_EQ(allocationsOf([] { return std::aligned_alloc(64, 64); }), 1);
  std::free(kept);
  EXPECT_EQ(allocationsOf([] { return ::operator new(8); }), 1);
  ::operator delete(kept);
  EXPECT_EQ(allocationsOf([] { return ::operator new (64, std::align_val_t{64}); }), 1);
  ::operator delete (kept, std::align_val_t{64});
  Vector vector;
  EXPECT_EQ(allocationsOf([&] { return (vector = Vector::Zero(8)).data(); }), 1);
}

TEST(HotLoop, AllocationsDoNotDependOnTheNumberOfSteps) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const ModalModel model =
      test::tube({.modes = 12, .stations = test::positionsOfTubeSlots(10), .loadsTo = 0.1}).build();
  Integrators::forEach([&]<class I>() {
    // Contacts close in both runs; the list of breakpoints (4 per step) needs as many pages for 5000 as for
    // 8000 steps.
    const long shorter = allocationsOf(model, I::keyword, 0.05, 100000);
    EXPECT_EQ(allocationsOf(model, I::keyword, 0.08, 100000), shorter) << I::keyword;
    EXPECT_EQ(allocationsOf(model, I::keyword, 0.08, 1), shorter) << I::keyword << ", archiving";
  });
}

TEST(HotLoop, AllocationsDoNotDependOnTheNumberOfStepsOfTheShoe) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const ModalModel model = test::sdnd106(44721.35954999579).build();
  Integrators::forEach([&]<class I>() {
    if (std::string_view(I::keyword) == "symplectic_euler")
      return;  // unstable with this dashpot and this step
    // The jump of the load at 0.2 s is in both runs.
    EXPECT_EQ(allocationsOf(model, I::keyword, 0.34, 10), allocationsOf(model, I::keyword, 0.21, 10))
        << I::keyword;
  });
}

}  // namespace
}  // namespace ricochet
