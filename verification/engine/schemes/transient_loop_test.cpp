#include "engine/schemes/transient_loop.hpp"

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

/// Newmark's method that finds no balance over steps that are longer than it likes.
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

}  // namespace
}  // namespace ricochet
