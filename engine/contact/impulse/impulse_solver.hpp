#pragma once

#include "engine/contact/impulse/impulse_newton.hpp"
#include "engine/contact/impulse/impulse_pivoting.hpp"
#include "engine/contact/impulse/least_reactions.hpp"
#include "engine/contact/impulse/semidefinite_factor.hpp"

namespace ricochet {

enum class ImpulseStatus : std::uint8_t {
  solved,
  noSolution,  ///< every combination of states was tried, and none holds
  notFound     ///< not all combinations were tried; or rates or compliances are no finite numbers
};
enum class ImpulseMethod : std::uint8_t { sweeps, newton, pivots, enumeration };

/// What became of an impulse problem.
struct ImpulseResult {
  ImpulseStatus status{ImpulseStatus::solved};
  ImpulseMethod method{ImpulseMethod::sweeps};
  bool isUnique{
      true};         ///< false: W is singular on the closed contacts; the reactions are those of least norm
  int troubled{-1};  ///< contact whose rules are violated most where no solution was found

  bool solved() const noexcept { return status == ImpulseStatus::solved; }
};

/// Solver of impulse problems. Blocks, impulses that they start from, and W go in with the problem; impulses,
/// rates and `slides` come out with it.
///
/// 1. Sweeps over the blocks (non-smooth Gauss-Seidel), each solved exactly while the others wait: normal and
///    tangents of a unilateral contact together; an elastic law by Newton. Source: M. Jean, Comput. Methods
///    Appl. Mech. Eng. 177 (1999) 235-257.
/// 2. Between sweeps, Newton on all blocks from the states that the sweeps have found.
/// 3. Lemke's pivots on the linear form, corrected by Newton.
/// 4. All combinations of states, of up to six contacts closed at a time, as long as they are few enough.
///
/// A candidate is taken only if all its rules hold (ImpulseProblem::residual). Where rates depend on each
/// other, differences within `ImpulseBlock::rounding` are taken out of them first: else rounding would decide
/// which of several contacts bears the load.
class ImpulseSolver {
 public:
  explicit ImpulseSolver(int contacts);

  /// Solves for a step of h [s] (which elastic laws alone use). Allocates nothing.
  ImpulseResult solve(ImpulseProblem& problem, double h) noexcept;
  /// Newton alone from the impulses that the problem holds, towards the solution with their states where
  /// there are several. False: not found, and the impulses are as before.
  bool iterateNewton(ImpulseProblem& problem, double h) noexcept;
  /// Brings a solution from the tolerance to rounding: what it leaves of rates that are zero grows in the
  /// motion that follows.
  void reduceResidual(ImpulseProblem& problem) noexcept { newton_.reduceResidual(problem); }

 private:
  bool sweepBlocks(ImpulseProblem& problem, int sweeps) noexcept;
  bool sweepAndRefine(ImpulseProblem& problem, ImpulseResult& result) noexcept;
  bool solveByPivoting(ImpulseProblem& problem) noexcept;
  bool tryAllStates(ImpulseProblem& problem, bool& isComplete) noexcept;
  bool tryStates(ImpulseProblem& problem, std::size_t block, int closed) noexcept;
  void makeRatesConsistent(ImpulseProblem& problem) noexcept;

  ImpulseNewton newton_;
  ImpulsePivoting pivoting_;
  LeastReactions least_;
  SemidefiniteFactor factor_;
  std::vector<double> rates_;
  std::vector<ContactTrialState> states_;
  bool coupled_{false};
  int corrections_{0};  // Newton steps after the one of given states
};

}  // namespace ricochet
