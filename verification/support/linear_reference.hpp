#pragma once

#include "physical/types.hpp"

namespace ricochet::test {

/// A linear system under a load that grows linearly: q'' + C q' + K q = f0 + f1 t.
struct LinearProblem {
  Matrix stiffness;
  Matrix damping;
  Vector constantLoad;
  Vector loadSlope;
  Vector q0, v0;
};

struct LinearSolution {
  Vector q, v;
};

/// Exact solution at t: the matrix exponential of the system extended by (1, t), with a relative error of
/// about 1e-13.
LinearSolution solveExactly(const LinearProblem& problem, double t);

}  // namespace ricochet::test
