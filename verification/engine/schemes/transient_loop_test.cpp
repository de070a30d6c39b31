#include "engine/schemes/transient_loop.hpp"

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

/// Newmark's method that finds no solution for steps longer than a given limit.
class Fussy : public Newmark {
 public:
  explicit Fussy(double longest) : longest_(longest) {}

  template <ImplicitEquation E>
  bool step(E& equation, State& s, double h) noexcept {
    return h <= longest_ && Newmark::step(equation, s, h);
  }

 private:
  double longest_;
};

Report runOf(double longest) {
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 40.0}).build();
  ModalEquation equation(model);
  State state(1);
  state.v[0] = 1.0;
  Fussy scheme(longest);
  const TransientOptions options{.end = 1.0, .step = 0.1};
  test::Recorder recorder;
  return TransientLoop<Fussy, ModalEquation>(scheme, equation, state, options, recorder).run();
}

TEST(TransientLoop, HalvesStepsWithoutBalance) {
  const Report report = runOf(0.1 / 7.9);
  EXPECT_EQ(report.status, RunStatus::complete);
  EXPECT_EQ(report.steps, 80);
  EXPECT_EQ(report.refused, 70);  // 1 + 2 + 4 for each
}

TEST(TransientLoop, GivesUpAStepOfWhichEveryPartIsToBeHalvedAgain) {
  const Report report = runOf(0.1 / (1 << 15));
  EXPECT_EQ(report.status, RunStatus::notConverged);
  EXPECT_LT(report.time, 0.1);
  EXPECT_LT(report.refused, 3000);
}

/// 1 kg at 1 m/s against a wall at 0.0112 m, F = 1e6 d^1.5, in steps of kick_drift.
Report impactIn(double step) {
  test::ModelParts parts = test::oscillator({.mass = 1.0});
  Contact wall = test::contactOf(1, Plane{}, Hertz{.stiffness = 1e6});
  wall.rows(0, 0) = 1.0;
  wall.offset[0] = 0.0112;
  parts.contacts.push_back(wall);
  const ModalModel model = parts.build();
  ModalEquation equation(model);
  State state(1);
  state.v[0] = -1.0;
  KickDrift scheme(parts.linear);
  const TransientOptions options{.end = 0.04, .step = step};
  test::Recorder recorder;
  return TransientLoop<KickDrift, ModalEquation>(scheme, equation, state, options, recorder).run();
}

/// The largest penetration is (5 m v^2 / 4 k)^(2/5) = 4.35e-3 m, where sqrt(1.5 k sqrt(d)/m) = 315 rad/s: a
/// tenth of the stable step, h = 0.2/315 = 6.4e-4 s, lies between 1e-3 and 5e-4 s. The mass reaches the wall
/// at 0.0112 s, in the step that starts at 0.008 s.
TEST(TransientLoop, CountsStepsHalvedWhereAContactGetsStiffer) {
  const Report report = impactIn(0.004);
  EXPECT_EQ(report.status, RunStatus::complete);
  EXPECT_GT(report.shortened.count, 0);
  EXPECT_EQ(report.steps, 10 + report.shortened.count);  // each halving adds a step
  EXPECT_DOUBLE_EQ(report.shortened.firstAt, 0.008);
  EXPECT_NEAR(report.shortened.shortest, 0.0005, 1e-16);  // rounding of the instants
  EXPECT_EQ(report.refused, 0);
}

TEST(TransientLoop, HalvesNoStepThatIsShortEnoughForTheStiffestContact) {
  const Report report = impactIn(1e-4);  // at most 0.03 rad
  EXPECT_EQ(report.steps, 400);
  EXPECT_EQ(report.shortened.count, 0);
}

}  // namespace
}  // namespace ricochet
