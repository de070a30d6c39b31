#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <functional>
#include <vector>

namespace ricochet::cross {

/// State of a contact after an instant; forward and backward are the signs of a slip. A contact that is
/// `heldForward` or `heldBackward` sticks with the traction of a slip forward or backward.
enum class ContactState : signed char { open, stick, forward, backward, heldForward, heldBackward };

/// Sign of the slip, 0 for a stick.
inline double slipSign(ContactState s) {
  return s == ContactState::forward ? 1.0 : s == ContactState::backward ? -1.0 : 0.0;
}
/// True if the traction is at the edge of the cone although the contact sticks.
inline bool isHeld(ContactState s) { return s >= ContactState::heldForward; }

/// Problem of all closed contacts: rows 2 i (normal) and 2 i + 1 (tangent) of contact i,
///
///     w = b + G p,   closed: w_n = 0,   stick: w_t = 0,   slip: p_t = -+ mu p_n,   open: p = 0
///
/// with one column of b for every load function (accelerations), or a single column (velocities).
struct StateProblem {
  Eigen::MatrixXd compliance;  ///< G
  Eigen::MatrixXd free;        ///< b, less the target rates of the rows
  std::vector<double> friction;
  std::vector<bool> hasTangent;
  std::vector<double> slip;  ///< sign of the slip before; 0: no slip, so that each state is possible

  Eigen::Index largestRank{0};  ///< number of degrees of freedom; more reactions depend on each other

  std::size_t contacts() const { return friction.size(); }
};

/// A combination of states with its reactions p and its responses w.
struct StateCandidate {
  std::vector<ContactState> states;
  Eigen::MatrixXd reactions;  ///< p
  Eigen::MatrixXd response;   ///< w
  bool isInexact{false};      ///< true: responses that should be zero must be checked
};

/// Visits every combination of states whose reactions are independent. Combinations with dependent reactions
/// are omitted: a motion that is possible with dependent reactions is also possible with a basic solution of
/// the linear program, whose columns are independent. Its columns are normal reactions of contacts without
/// friction and edges of friction cones. If only one edge of a cone takes part, the contact slips or is held:
/// two walls that face each other hold a body between them by one edge of a cone and the normal reaction of
/// the other wall, with a force that depends on the pressure between them. Held contacts are visited where
/// the equations of a slip in their place do not determine its reactions. Where the equations leave
/// independent reactions undetermined, a few of the possible reactions are visited: the pressure between two
/// walls decides how strongly they brake a slip.
void visitCombinations(const StateProblem& problem, const std::function<void(const StateCandidate&)>& visit);

}  // namespace ricochet::cross
