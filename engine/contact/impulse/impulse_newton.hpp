#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"

namespace ricochet {

/// State of a contact that is tried.
enum class TrialState : std::uint8_t { natural, open, stick, slip };

struct ContactTrialState {
  TrialState state{TrialState::natural};
  Tangential<double> direction{};  ///< of the slip rate
};

/// Semismooth Newton on all blocks together: every rule is an equation by its state, which impulses and rates
/// tell (an open contact has x_n = 0, a stick y_t = 0, a slip x_t = -mu x_n e), and all of them one linear
/// system for the impulses. With states that do not change it is exact at once, but for the direction of a
/// slip in the plane. W counts with a 1e-10 part more on its diagonal, so that contacts that depend on each
/// other share the load; the residual is that of W itself. Source: P. Alart, A. Curnier, Comput. Methods
/// Appl. Mech. Eng. 92 (1991) 353-375.
class ImpulseNewton {
 public:
  explicit ImpulseNewton(int contacts);

  /// From the impulses that the problem holds. False: no solution was found, and all is as before.
  bool iterateNewton(ImpulseProblem& problem, int steps) noexcept;

  /// Takes steps from a solution as long as they make its residual smaller.
  void reduceResidual(ImpulseProblem& problem) noexcept;

  /// From given states of the blocks, then up to `corrections` steps more by the states that follow.
  bool solveFromStates(ImpulseProblem& problem, std::span<const ContactTrialState> states,
                       int corrections) noexcept;

 private:
  bool step(ImpulseProblem& problem, std::span<const ContactTrialState> states) noexcept;
  void addNormal(const ImpulseProblem& problem, std::size_t block, TrialState state) noexcept;
  void addTangents(const ImpulseProblem& problem, std::size_t block, const ContactTrialState& trial) noexcept;
  void addDisc(const ImpulseProblem& problem, std::size_t block, const ContactTrialState& trial) noexcept;
  struct Row;
  void addRow(const ImpulseProblem& problem, std::size_t block, std::size_t axis, const Row& row) noexcept;
  bool eliminateUnknowns() noexcept;

  std::vector<double> matrix_, right_;  // by rows
  std::size_t size_{0};
};

}  // namespace ricochet
