// Residual of impulses, by which every candidate is judged.

#include "engine/contact/impulse/impulse_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ricochet {
namespace {

TEST(ImpulseProblem, TakesNoImpulsesThatAreNotNumbers) {
  ImpulseProblem problem(1);
  ImpulseBlock& block = problem.addBlock();
  block.tangent = TangentRule::disc;
  block.coefficient = 0.5;
  block.rate = {1.0, 2.0, 0.0};  // leaves: no impulse is the solution
  for (std::size_t axis = 0; axis < 3; ++axis) problem.compliance(0, axis, 0, axis) = 1.0;
  ASSERT_EQ(problem.begin(1.0), 1U);
  ASSERT_TRUE(problem.isSolved());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    problem.saveImpulses();
    problem.setImpulse(0, axis, std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(std::isnan(problem.residual())) << "axis " << axis;
    EXPECT_FALSE(problem.isSolved()) << "axis " << axis;
    problem.restoreImpulses();
  }
}

}  // namespace
}  // namespace ricochet
