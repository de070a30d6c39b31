#include "engine/stability.hpp"

#include "engine/integrators/integrators.hpp"
#include "verification/support/models.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ricochet {
namespace {

// the limit is bisected to 2^-60 on a radius that counts as neutral up to 1 + 1e-7: a double root gives sqrt of it
constexpr double kBisection = 1e-5;

TEST(StiffnessBounds, OfAMassOnASpringAndItsContacts) {
  // k = 800 N/m, m = 2 kg; contact 2e5 N/m and 40 N s/m; friction 1e5 N/m on another axis of the same mode
  test::ModelParts parts = test::bouncer({.mass = 2.0, .stiffness = 800.0, .damping = 6.0}, Plane{},
                                         LinearPenalty{.stiffness = 2e5, .damping = 40.0});
  const StiffnessBounds bounds = stiffnessBounds(parts.build());
  EXPECT_DOUBLE_EQ(bounds.omegaSquared, 400.0 + 1e5);
  EXPECT_DOUBLE_EQ(bounds.contact, 1e5);
  EXPECT_DOUBLE_EQ(bounds.contactDamping, 20.0);
  EXPECT_DOUBLE_EQ(bounds.structureDamping, 3.0);

  parts.contacts[0].friction = RegularisedCoulomb{.muStatic = 0.1, .muDynamic = 0.1, .stiffness = 1e5, .damping = 10.0};
  parts.contacts[0].rows(1, 0) = parts.contacts[0].rows(0, 0);
  const StiffnessBounds rubbing = stiffnessBounds(parts.build());
  EXPECT_DOUBLE_EQ(rubbing.contact, 1.5e5);
  EXPECT_DOUBLE_EQ(rubbing.contactDamping, 25.0);
}

TEST(LargestSafeStep, OfCentralDifferenceIsTwoOverOmega) {
  const ModalModel model = test::oscillator({.mass = 2.0, .stiffness = 800.0}).build();
  EXPECT_NEAR(largestSafeStep(model, "central_difference"), 2.0 / 20.0, kBisection * 0.1);
  // the structure's damping is implicit in velocity: v+ = (v_h + h/2 f) / (1 + h c/2) leaves the limit where it is
  const ModalModel damped = test::oscillator({.mass = 2.0, .stiffness = 800.0, .damping = 8.0}).build();
  EXPECT_NEAR(largestSafeStep(damped, "central_difference"), 2.0 / 20.0, kBisection * 0.1);
}

TEST(LargestSafeStep, OfSymplecticEulerFallsWithDamping) {
  // omega h < 2 (sqrt(1 + xi^2) - xi)
  for (const double ratio : {0.0, 0.1, 0.6}) {
    const double omega = 20.0;
    const ModalModel model =
        test::oscillator({.mass = 2.0, .stiffness = 800.0, .damping = 2.0 * ratio * omega * 2.0}).build();
    const double expected = 2.0 * (std::sqrt(1.0 + ratio * ratio) - ratio) / omega;
    EXPECT_NEAR(largestSafeStep(model, "symplectic_euler"), expected, kBisection * expected) << "ratio " << ratio;
  }
}

TEST(LargestSafeStep, OfKickDriftHasNoLimitFromTheStructure) {
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1e12, .damping = 3.0}).build();
  EXPECT_EQ(largestSafeStep(model, "kick_drift"), std::numeric_limits<double>::infinity());
}

TEST(LargestSafeStep, OfKickDriftOnAFreeMassIsTheOneOfItsContact) {
  // SDND106: k_t phi.phi = 5e7 (2/10), h = 2 / sqrt(1e7)
  const ModalModel model = test::sdnd106().build();
  EXPECT_NEAR(largestSafeStep(model, "kick_drift"), 2.0 / std::sqrt(1e7), kBisection * 1e-3);
}

TEST(LargestSafeStep, IsInfiniteWhenNothingMovesBack) {
  const ModalModel model = test::oscillator({.mass = 3.0}).build();
  EXPECT_EQ(largestSafeStep(model, "central_difference"), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace ricochet
