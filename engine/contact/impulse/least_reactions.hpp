#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"
#include "engine/contact/impulse/semidefinite_factor.hpp"

namespace ricochet {

/// Reactions of contacts that depend on each other: of all impulses that leave the rates of a solution as
/// they are, and satisfy the rules, the least in the sum of squares.
///
///     min |z|^2 / 2,   L^t z = L^t z0,   z in the friction cones (sticks), z >= 0 (slips, no friction)
///
/// by the multipliers l of the equations: z = P(L l), P the projection on the cones, L L^t the compliance of
/// the closed contacts (Newton with line search on a convex function of as many unknowns as the compliance
/// has independent rows). Elastic laws, and blocks whose friction another impulse limits, keep their
/// impulses.
class LeastReactions {
 public:
  explicit LeastReactions(int contacts);

  /// Returns whether reactions of the solution that the problem holds are not unique, after replacing them.
  bool minimizeReactionNorm(ImpulseProblem& problem) noexcept;

 private:
  struct Cone {
    std::size_t block, first;     // place in z
    std::size_t size;             // 1: a ray, 2: a stick along a line, 3: in the plane
    std::array<double, 3> ray{};  // unit vector
    double coefficient{0.0};
  };
  using Slopes = std::array<std::array<double, 3>, 3>;

  void addCone(const ImpulseProblem& problem, std::size_t block, double tolerance) noexcept;
  void fillCompliance(const ImpulseProblem& problem) noexcept;
  std::array<double, 3> coneDirection(const ImpulseProblem& problem, const Cone& cone,
                                      std::size_t k) const noexcept;
  double evaluate(std::span<const double> multipliers, bool withSlopes) noexcept;
  bool takeNewtonStep(double& value) noexcept;
  bool solveNewton(std::size_t rank) noexcept;

  std::vector<Cone> cones_;
  SemidefiniteFactor factor_;
  Matrix compliance_, hessian_;
  std::vector<double> start_, z_, wanted_, multipliers_, gradient_, step_, trial_;
  std::vector<Slopes> slopes_;
};

}  // namespace ricochet
