#pragma once

#include "engine/contact/impulse/impulse_newton.hpp"
#include "engine/contact/impulse/impulse_pivoting.hpp"
#include "engine/contact/impulse/least_reactions.hpp"
#include "engine/contact/impulse/semidefinite_factor.hpp"

namespace ricochet {

enum class ImpulseStatus : std::uint8_t {
  solved,
  noSolution,  ///< all combinations of states were tried, none is a solution
  notFound     ///< not all combinations were tried, or a rate or compliance is not finite
};
enum class ImpulseMethod : std::uint8_t { sweeps, newton, pivots, enumeration };

/// Outcome of an impulse problem.
struct ImpulseResult {
  ImpulseStatus status{ImpulseStatus::solved};
  ImpulseMethod method{ImpulseMethod::sweeps};
  bool isUnique{
      true};         ///< false: W is singular on the closed contacts; the reactions are those of least norm
  int troubled{-1};  ///< contact with the largest residual if no solution was found

  bool isSolved() const noexcept { return status == ImpulseStatus::solved; }
};

/// Solver of impulse problems. The problem contains the blocks, their initial impulses and W; the solver
/// changes its impulses, rates and `slides`.
///
/// 1. Sweeps over the blocks (non-smooth Gauss-Seidel). Each block is solved exactly with the others
///    unchanged: normal and tangents of a unilateral contact together, an elastic law by Newton's method.
///    Source: M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235-257.
/// 2. Between sweeps, Newton's method on all blocks from the states after the sweeps.
/// 3. Lemke's pivots on the linear form, corrected by Newton's method.
/// 4. All combinations of states, of up to six contacts closed at a time, as long as they are few enough.
///
/// A candidate is taken only if all its rules hold (ImpulseProblem::residual). Before the solution, rates
/// that depend linearly on each other are made consistent within `ImpulseBlock::rounding`; otherwise rounding
/// would decide which of several contacts bears the load.
class ImpulseSolver {
 public:
  explicit ImpulseSolver(int contacts);

  /// Solves the problem for a step of h [s]; only elastic laws use h. Allocates nothing.
  ImpulseResult solve(ImpulseProblem& problem, double h) noexcept;
  /// Solves an impact by Newton's law from the impulses of the problem. With friction, an impact may have
  /// several solutions, and some of them increase the energy: where one that does not is among the
  /// combinations of states of stage 4, it is taken.
  ImpulseResult solveImpact(ImpulseProblem& problem, double h) noexcept;
  /// Newton's method alone, from the impulses of the problem towards the solution with the same contact
  /// states. Returns false if no solution was found; the impulses are then unchanged.
  bool iterateNewton(ImpulseProblem& problem, double h) noexcept;
  /// Solves a problem whose initial rates are known for given states of its blocks. Returns false, with the
  /// impulses unchanged, if the solution does not satisfy all rules.
  bool solveFromStates(ImpulseProblem& problem, std::span<const ContactTrialState> states) noexcept;
  /// Reduces the residual of a solution from the tolerance to rounding, because rates that are zero except
  /// for the residual grow in the following motion. These steps move impulses that are not unique, which are
  /// then chosen again.
  void refineByNewtonSteps(ImpulseProblem& problem, const ImpulseResult& found) noexcept {
    newton_.refineByNewtonSteps(problem);
    if (!found.isUnique) least_.minimizeReactionNorm(problem);
  }

 private:
  bool sweepOverImpulseBlocks(ImpulseProblem& problem, int sweeps) noexcept;
  bool solveBySweepsAndNewtonSteps(ImpulseProblem& problem, ImpulseResult& result) noexcept;
  bool solveByPivoting(ImpulseProblem& problem) noexcept;
  bool tryAllContactStates(ImpulseProblem& problem, bool& isComplete) noexcept;
  bool tryStatesOfRemainingContacts(ImpulseProblem& problem, std::size_t block, int closed) noexcept;
  void makeFreeRatesCompatibleWithCompliance(ImpulseProblem& problem) noexcept;
  bool increasesEnergy(const ImpulseProblem& problem) const noexcept;

  ImpulseNewton newton_;
  ImpulsePivoting pivoting_;
  LeastReactions least_;
  SemidefiniteFactor factor_;
  std::vector<double> rates_;
  std::vector<ContactTrialState> states_;
  bool coupled_{false};
  bool mustDissipate_{false};                 // combinations of states that increase the energy are rejected
  int corrections_{0};                        // Newton steps after the step with given states
  std::vector<std::array<double, 6>> start_;  // impulses and rates before the impact
  std::vector<std::array<double, 3>> found_;  // impulses of a solution that increases the energy
};

}  // namespace ricochet
