#include "engine/contact/impulse/lemke.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

TEST(Lemke, SolvesByPivots) {
  Lemke lemke(2);
  lemke.clear(2);  // w = z (2 1; 1 2) - (5, 6): z = (4/3, 7/3)
  lemke.matrix(0, 0) = lemke.matrix(1, 1) = 2.0;
  lemke.matrix(0, 1) = lemke.matrix(1, 0) = 1.0;
  lemke.constantTerm(0) = -5.0;
  lemke.constantTerm(1) = -6.0;
  ASSERT_TRUE(lemke.solve());
  EXPECT_NEAR(lemke.solutionValue(0), 4.0 / 3.0, 1e-15);
  EXPECT_NEAR(lemke.solutionValue(1), 7.0 / 3.0, 1e-15);
  lemke.clear(1);  // w = -1 - z has none
  lemke.matrix(0, 0) = -1.0;
  lemke.constantTerm(0) = -1.0;
  EXPECT_FALSE(lemke.solve());
}

/// The choice of a pivot does not read what a larger problem has left beyond the present one.
TEST(Lemke, ForgetsALargerProblem) {
  Lemke lemke(6);
  lemke.clear(6);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k) lemke.matrix(i, k) = -1e6;
  lemke.clear(2);  // w = z (2 1; 1 2) - (5, 6): z = (4/3, 7/3)
  lemke.matrix(0, 0) = lemke.matrix(1, 1) = 2.0;
  lemke.matrix(0, 1) = lemke.matrix(1, 0) = 1.0;
  lemke.constantTerm(0) = -5.0;
  lemke.constantTerm(1) = -6.0;
  ASSERT_TRUE(lemke.solve());
  EXPECT_NEAR(lemke.solutionValue(0), 4.0 / 3.0, 1e-15);
  EXPECT_NEAR(lemke.solutionValue(1), 7.0 / 3.0, 1e-15);
}

}  // namespace
}  // namespace ricochet
