#include "engine/schemes/stability.hpp"

#include "engine/schemes/integrators.hpp"
#include "verification/support/models.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ricochet {
namespace {

// The limit is bisected to 2^-60 with a spectral radius up to 1 + 1e-7 as neutral: a double root gives the
// square root of this tolerance.
constexpr double kBisection = 1e-5;

TEST(StiffnessBounds, OfAMassOnASpringAndItsContacts) {
  // k = 800 N/m, m = 2 kg; contact 2e5 N/m and 40 N s/m; friction 1e5 N/m on another axis of the same mode.
  test::ModelParts parts = test::bouncer({.mass = 2.0, .stiffness = 800.0, .damping = 6.0}, Plane{},
                                         LinearPenalty{.stiffness = 2e5, .damping = 40.0});
  const StiffnessBounds bounds = stiffnessBounds(parts.build());
  EXPECT_DOUBLE_EQ(bounds.omegaSquared, 400.0 + 1e5);
  EXPECT_DOUBLE_EQ(bounds.contact, 1e5);
  EXPECT_DOUBLE_EQ(bounds.contactDamping, 20.0);
  EXPECT_DOUBLE_EQ(bounds.structureDamping, 3.0);

  parts.contacts[0].friction =
      RegularisedCoulomb{.muStatic = 0.1, .muDynamic = 0.1, .stiffness = 1e5, .damping = 10.0};
  parts.contacts[0].rows(1, 0) = parts.contacts[0].rows(0, 0);
  const StiffnessBounds rubbing = stiffnessBounds(parts.build());
  EXPECT_DOUBLE_EQ(rubbing.contact, 1.5e5);
  EXPECT_DOUBLE_EQ(rubbing.contactDamping, 25.0);
}

TEST(LargestSafeStep, OfCentralDifferenceIsTwoOverOmega) {
  const ModalModel model = test::oscillator({.mass = 2.0, .stiffness = 800.0}).build();
  EXPECT_NEAR(largestSafeStep(model, "central_difference"), 2.0 / 20.0, kBisection * 0.1);
  // The damping of the structure is implicit in the velocity: v+ = (v_h + h/2 f) / (1 + h c/2) does not
  // change the limit.
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
    EXPECT_NEAR(largestSafeStep(model, "symplectic_euler"), expected, kBisection * expected)
        << "ratio " << ratio;
  }
}

TEST(LargestSafeStep, OfKickDriftHasNoLimitFromTheStructure) {
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1e12, .damping = 3.0}).build();
  EXPECT_EQ(largestSafeStep(model, "kick_drift"), std::numeric_limits<double>::infinity());
}

TEST(LargestSafeStep, OfKickDriftOnAFreeMassIsTheOneOfItsContact) {
  // SDND106 without its spring: k_t phi.phi = 5e7 (2/10), h = 2 / sqrt(1e7)
  test::ModelParts parts = test::sdnd106();
  parts.linear = LinearSystem(Vector::Zero(2), Matrix::Zero(2, 2), true);
  EXPECT_NEAR(largestSafeStep(parts.build(), "kick_drift"), 2.0 / std::sqrt(1e7), kBisection * 1e-3);
}

TEST(LargestSafeStep, OfKickDriftFallsWithAnUndampedMode) {
  // SDND106: (x/2) cot(x/2) = 1 - x^2/12 - x^4/720 = h^2 k/4 with x = omega h, x^2 = 4000 * 4e-7 = 1.6e-3: h
  // is smaller than 2 / sqrt(k) by x^2/24, with a relative error of x^4 = 3e-6.
  const ModalModel model = test::sdnd106().build();
  EXPECT_NEAR(largestSafeStep(model, "kick_drift"), 2.0 / std::sqrt(1e7) * (1.0 - 1.6e-3 / 24.0),
              3e-6 * 6.3e-4);
}

TEST(LargestSafeStep, OfKickDriftStaysBelowTheResonanceOfAnUndampedMode) {
  // omega = 1000 1/s on a contact of 4e4: half the trace is above -1 up to the limit and below -1 just
  // beyond.
  const double omega = 1000.0, kappa = 4e4;
  test::ModelParts parts =
      test::bouncer({.mass = 1.0, .stiffness = omega * omega}, Plane{}, LinearPenalty{.stiffness = kappa});
  const double limit = largestSafeStep(parts.build(), "kick_drift");
  const auto halfTrace = [&](double h) {
    return std::cos(omega * h) - kappa * h / (2.0 * omega) * std::sin(omega * h);
  };
  EXPECT_GT(halfTrace(0.9999 * limit), -1.0);
  EXPECT_LT(halfTrace(1.0001 * limit), -1.0);
  // With damping above kappa / (2 omega^2) = 2 % there is no resonance: the contact alone sets the limit.
  parts.linear =
      LinearSystem(Vector::Constant(1, omega * omega), Matrix::Constant(1, 1, 2.0 * 0.03 * omega), true);
  EXPECT_NEAR(largestSafeStep(parts.build(), "kick_drift"), 2.0 / std::sqrt(kappa), kBisection * 1e-2);
}

TEST(LargestSafeStep, OfDevogelaereIsTwoRootTwoOverOmega) {
  const ModalModel model = test::oscillator({.mass = 2.0, .stiffness = 800.0}).build();
  EXPECT_NEAR(largestSafeStep(model, "devogelaere"), 2.0 * std::sqrt(2.0) / 20.0, 1e-3 * 0.14);
}

TEST(LargestSafeStep, OfNewmarkDependsOnItsParameters) {
  // 2 / (omega sqrt(1 - 4 beta)) for gamma = 1/2; no limit from beta = 1/4 on.
  const ModalModel model = test::oscillator({.mass = 2.0, .stiffness = 800.0}).build();
  for (const double beta : {0.0, 1.0 / 12.0, 0.2}) {
    const double expected = 2.0 / (20.0 * std::sqrt(1.0 - 4.0 * beta));
    EXPECT_NEAR(largestSafeStep(model, "newmark", {.beta = beta}), expected, kBisection * expected) << beta;
  }
  EXPECT_EQ(largestSafeStep(model, "newmark"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(largestSafeStep(model, "hht"), std::numeric_limits<double>::infinity());
}

TEST(LargestSafeStep, IsInfiniteWhenNothingMovesBack) {
  const ModalModel model = test::oscillator({.mass = 3.0}).build();
  EXPECT_EQ(largestSafeStep(model, "central_difference"), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace ricochet
