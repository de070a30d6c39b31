#pragma once

#include "physical/dense_solvers.hpp"
#include "physical/types.hpp"

namespace ricochet {

/// Relative size below which a singular value of the response to reactions counts as zero: the constraints
/// depend on each other.
inline constexpr double kDependentReactions = 1e-11;

/// Reactions per acceleration of constraints that depend on each other, which share them evenly (least norm):
/// the pseudo-inverse of `response`, the accelerations along the constraints per reaction. `springs`: the
/// part of it by forces that follow a reaction in place of a spring. They count as given, like that of the
/// spring: where a stick with a spring and a slip have the same traction, they have the same reactions. With
/// those of least norm together with these forces, N would jump where a slip starts, and neither state might
/// hold.
inline Matrix leastNormReactionMatrix(const Matrix& response, const Matrix& springs) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(kDependentReactions);
  if (springs.isZero(0.0)) return decomposition.compute(response).pseudoInverse();
  const Matrix shared = response - springs;
  const Matrix least = decomposition.compute(shared).pseudoInverse() * shared;
  return decomposition.compute(response * least).pseudoInverse();
}

}  // namespace ricochet
