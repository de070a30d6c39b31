// Symplectic Euler in two passes over the modes.

#include "engine/numerics/flush_to_zero.hpp"
#include "verification/support/models.hpp"
#include "verification/support/stepper.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

constexpr double kEulerStep = 1e-5;  // [s]

/// The scheme with its steps written as separate calls.
struct PlainEuler : CarriesAcceleration {
  static constexpr const SchemeTraits& traits = SymplecticEuler::traits;
  void start(ModalEquation& eq, State& s, double) { eq.acceleration(s.time, s.q, s.v, s.a); }
  void step(ModalEquation& eq, State& s, double h) noexcept {
    kernels::addScaled(h, s.a.data(), s.v.data(), s.v.size());
    kernels::addScaled(h, s.v.data(), s.q.data(), s.q.size());
    s.time += h;
    eq.acceleration(s.time, s.q, s.v, s.a);
  }
};

TEST(SymplecticEuler, StepInTwoPassesHasTheBitsOfItsParts) {
  const FlushToZero flush;
  for (const bool round : {false, true})
    for (const int modes : {7, 30, 50}) {
      const ModalModel model =
          test::tube(
              {.modes = modes, .stations = test::positionsOfTubeSlots(10), .round = round, .loadsTo = 0.2})
              .build();
      test::Stepper<SymplecticEuler> fused(model, kEulerStep, State(modes));
      test::Stepper<PlainEuler> plain(model, kEulerStep, State(modes));
      for (int n = 0; n < 15000; ++n) {
        fused.step();
        plain.step();
        ASSERT_EQ(fused.state().q, plain.state().q) << "step " << n;
        ASSERT_EQ(fused.state().v, plain.state().v);
        ASSERT_EQ(fused.state().a, plain.state().a);
      }
      const EnergyLedger a = fused.equation().ledger(fused.state());
      const EnergyLedger b = plain.equation().ledger(plain.state());
      ASSERT_GT(a.damping, 0.0);
      EXPECT_NEAR(a.damping, b.damping, 1e-12 * a.damping);  // the sums over modes have another order
      EXPECT_EQ(a.friction, b.friction);
      EXPECT_EQ(a.external, b.external);
    }
}

}  // namespace
}  // namespace ricochet
