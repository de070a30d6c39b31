// Motion between the ends of steps of the Runge-Kutta pairs.

#include "engine/schemes/integrators.hpp"
#include "verification/support/models.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Largest error of the acceleration inside one step h of the oscillator x = cos(t + 1).
template <class I>
double accelerationErrorInStep(double h) {
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1.0}).build();
  ModalEquation equation(model);
  I scheme;
  State from = test::stateOf(std::cos(1.0), -std::sin(1.0));
  equation.start(from);
  scheme.start(equation, from, h);
  State to = from, at = from;
  scheme.tryStep(equation, to, h);
  double error = 0.0;
  for (int i = 0; i <= 32; ++i) {
    const double theta = i / 32.0;
    scheme.interpolate(equation, from, to, theta, at);
    error = std::max(error, std::abs(at.a[0] + std::cos(1.0 + theta * h)));
  }
  return error;
}

template <class I>
double orderOfAcceleration(double h) {
  return std::log2(accelerationErrorInStep<I>(h) / accelerationErrorInStep<I>(0.5 * h));
}

TEST(RungeKuttaDenseOutput, HasAccelerationsOfTheOrderOfTheDerivative) {
  EXPECT_NEAR(orderOfAcceleration<RungeKutta54>(0.1), 4.0, 0.1);
  EXPECT_NEAR(orderOfAcceleration<RungeKutta32>(0.1), 3.0, 0.1);
  EXPECT_LT(accelerationErrorInStep<RungeKutta54>(0.1), 1e-6);
  EXPECT_LT(accelerationErrorInStep<RungeKutta32>(0.1), 1e-4);
}

}  // namespace
}  // namespace ricochet
