#include "verification/support/linear_reference.hpp"

#include <unsupported/Eigen/MatrixFunctions>

namespace ricochet::test {

LinearSolution solveExactly(const LinearProblem& problem, double t) {
  const Eigen::Index m = problem.q0.size();
  Matrix generator = Matrix::Zero(2 * m + 2, 2 * m + 2);  // dimension of (q, v, 1, t)
  generator.block(0, m, m, m).setIdentity();
  generator.block(m, 0, m, m) = -problem.stiffness;
  generator.block(m, m, m, m) = -problem.damping;
  generator.block(m, 2 * m, m, 1) = problem.constantLoad;
  generator.block(m, 2 * m + 1, m, 1) = problem.loadSlope;
  generator(2 * m + 1, 2 * m) = 1.0;

  Vector initial(2 * m + 2);
  initial << problem.q0, problem.v0, 1.0, 0.0;
  const Vector end = (t * generator).exp() * initial;
  return {end.head(m), end.segment(m, m)};
}

}  // namespace ricochet::test
