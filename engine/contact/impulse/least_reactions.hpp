#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"
#include "engine/contact/impulse/semidefinite_factor.hpp"

namespace ricochet {

/// Reactions of contacts that depend on each other. Many impulses may satisfy the rules and give the same
/// rates that the rules hold, which are the gap rates of closed contacts and the slip rates of sticks; the
/// impulses with the least sum of squares of z are selected, the normal impulses and the friction of sticks:
///
///     min |z|^2 / 2,   A z = A z0,   z in the friction cones (sticks), z >= 0 (slips, no friction)
///
/// The rows of A span the held rates per impulse. Slips with different coefficients may differ in the motion,
/// not only in the impulses. Without slips A = L^t, where L L^t is the compliance of the closed contacts.
/// With the multipliers l of the equations, z = P(A^t l), where P is the projection on the cones. Newton's
/// method with line search minimizes a convex function of l, with as many unknowns as the rank of A. Blocks
/// with elastic laws, or with a friction limit from another impulse, keep their impulses.
class LeastReactions {
 public:
  explicit LeastReactions(int contacts);

  /// Replaces the reactions of a solved problem by the reactions of least norm if they are not unique.
  /// Returns true if they are not unique.
  bool minimizeReactionNorm(ImpulseProblem& problem) noexcept;

 private:
  struct Cone {
    std::size_t block, first;     // index in z of the first entry
    std::size_t size;             // 1: ray, 2: stick along a line, 3: stick in the plane
    std::array<double, 3> ray{};  // impulse per normal impulse
    double coefficient{0.0};
  };
  using Slopes = std::array<std::array<double, 3>, 3>;

  void addFrictionCone(const ImpulseProblem& problem, std::size_t block, double tolerance) noexcept;
  void fillCompliance(const ImpulseProblem& problem, bool heldRates) noexcept;
  bool hasSlidingContact() const noexcept;
  bool minimizeReactionNormOnBasis(ImpulseProblem& problem) noexcept;
  std::array<double, 3> modalDirectionOfConeAxis(const ImpulseProblem& problem, const Cone& cone,
                                                 std::size_t k) const noexcept;
  double evaluateDualOfLeastNormProblem(std::span<const double> multipliers, bool withSlopes) noexcept;
  bool takeNewtonStep(double& value) noexcept;
  bool solveNewton(std::size_t rank) noexcept;

  std::vector<Cone> cones_;
  SemidefiniteFactor factor_;  // A^t
  Matrix compliance_, hessian_;
  std::vector<double> start_, z_, wanted_, multipliers_, gradient_, step_, trial_;
  std::vector<Slopes> slopes_;
};

}  // namespace ricochet
