// Impulses of dependent contacts during sliding.

#include "engine/contact/impulse/impulse_solver.hpp"
#include "physical/dense_solvers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

struct Foot {
  double place;  // position along the slip, from the centre of mass [m]
  double friction;
};
constexpr double kMass = 4.0, kInertiaOfBody = 0.4, kHeight = 0.25, kFallOfFeet = 0.44, kSlip = 2.0;

/// A planar body that falls flat on its feet while it slides.
ImpulseProblem slidingBody(const std::array<Foot, 3>& feet) {
  ImpulseProblem problem(3);
  Matrix rows = Matrix::Zero(9, 3);  // along x, y and the rotation, in coordinates of mass 1
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Foot& foot = feet[static_cast<std::size_t>(i)];
    rows.row(3 * i) << 0.0, 1.0 / std::sqrt(kMass), foot.place / std::sqrt(kInertiaOfBody);
    rows.row(3 * i + 1) << 1.0 / std::sqrt(kMass), 0.0, kHeight / std::sqrt(kInertiaOfBody);
    ImpulseBlock& block = problem.addBlock();
    block.contact = static_cast<int>(i);
    block.tangent = TangentRule::disc;
    block.coefficient = foot.friction;
    block.rounding = 1e-15;
    block.rate = {-kFallOfFeet, kSlip, 0.0};
  }
  const Matrix w = rows * rows.transpose();
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 9; ++j)
      problem.compliance(i / 3, i % 3, j / 3, j % 3) =
          w(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  return problem;
}

/// Least impulses N with sum N = m v and no moment, sum N (x - mu h) = 0.
Vector leastImpulses(const std::array<Foot, 3>& feet) {
  Matrix balance(2, 3);
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Foot& foot = feet[static_cast<std::size_t>(i)];
    balance.col(i) << 1.0, foot.place - foot.friction * kHeight;
  }
  return Eigen::CompleteOrthogonalDecomposition<Matrix>(balance).solve(Vector{{kMass * kFallOfFeet, 0.0}});
}

TEST(LeastReactions, SlidesOnFeetOfDifferentFrictionDoNotDependOnTheirOrder) {
  std::array<Foot, 3> feet{Foot{-0.4, 0.2}, Foot{0.05, 0.5}, Foot{0.4, 0.1}};
  do {
    ImpulseProblem problem = slidingBody(feet);
    ImpulseSolver solver(3);
    const ImpulseResult result = solver.solve(problem, 1.0);
    ASSERT_TRUE(result.isSolved());
    EXPECT_FALSE(result.isUnique);
    const Vector expected = leastImpulses(feet);
    ASSERT_GT(expected.minCoeff(), 0.0);
    for (std::size_t i = 0; i < 3; ++i) {
      const ImpulseBlock& block = problem.blocks()[i];
      EXPECT_NEAR(block.impulse[0], expected[static_cast<Eigen::Index>(i)], 1e-12);
      EXPECT_NEAR(block.impulse[1], -feet[i].friction * block.impulse[0], 1e-12);
      EXPECT_NEAR(block.rate[0], 0.0, 1e-12);
    }
  } while (std::ranges::next_permutation(feet, {}, &Foot::place).found);
}

TEST(LeastReactions, ImpulsesOfTwoSlidingFeetAreUnique) {
  std::array<Foot, 3> feet{Foot{-0.4, 0.2}, Foot{0.4, 0.1}, Foot{0.0, 0.3}};
  ImpulseProblem problem = slidingBody(feet);
  problem.blocks()[2].rate[0] = 1.0;  // leaves
  ImpulseSolver solver(3);
  const ImpulseResult result = solver.solve(problem, 1.0);
  ASSERT_TRUE(result.isSolved());
  EXPECT_TRUE(result.isUnique);
  EXPECT_EQ(problem.blocks()[2].impulse[0], 0.0);
}

}  // namespace
}  // namespace ricochet
