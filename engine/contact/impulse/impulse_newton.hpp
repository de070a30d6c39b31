#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"

namespace ricochet {

/// State of a contact that is tried; `natural`: the state that impulse and rate give.
enum class TrialState : std::uint8_t { natural, open, stick, slip };

struct ContactTrialState {
  TrialState state{TrialState::natural};
  Tangential<double> direction{};  ///< direction of the slip rate
};

/// Semismooth Newton's method on all blocks together. The state of each contact, which follows from impulses
/// and rates, makes its rule an equation (open: x_n = 0, stick: y_t = 0, slip: x_t = -mu x_n e); together
/// these equations are a linear system for the impulses. If no state changes, one step is exact, except for
/// the direction of a slip in the plane. The diagonal of W is raised by a factor 1 + 1e-10, so that contacts
/// that depend on each other share the load; the residual is computed with W itself. Source: P. Alart, A.
/// Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375.
class ImpulseNewton {
 public:
  explicit ImpulseNewton(int contacts);

  /// Takes up to `steps` Newton steps from the impulses of the problem. Returns false if no solution was
  /// found; the impulses are then unchanged.
  bool iterateNewton(ImpulseProblem& problem, int steps) noexcept;

  /// Takes Newton steps from a solution as long as they reduce its residual.
  void refineByNewtonSteps(ImpulseProblem& problem) noexcept;

  /// Solves for given states of the blocks, then takes up to `corrections` steps with the states that follow
  /// from the solution.
  bool solveFromTrialStates(ImpulseProblem& problem, std::span<const ContactTrialState> states,
                            int corrections) noexcept;

 private:
  bool takeNewtonStep(ImpulseProblem& problem, std::span<const ContactTrialState> states) noexcept;
  void addNormalEquationRow(const ImpulseProblem& problem, std::size_t block, TrialState state) noexcept;
  void addTangentEquationRows(const ImpulseProblem& problem, std::size_t block,
                              const ContactTrialState& trial) noexcept;
  void addFrictionDiscEquations(const ImpulseProblem& problem, std::size_t block,
                                const ContactTrialState& trial) noexcept;
  struct Row;
  void addEquationRow(const ImpulseProblem& problem, std::size_t block, std::size_t axis,
                      const Row& row) noexcept;
  bool eliminateUnknowns() noexcept;

  std::vector<double> matrix_, right_;  // matrix row by row, right side
  std::size_t size_{0};
};

}  // namespace ricochet
