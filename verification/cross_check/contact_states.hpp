#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <functional>
#include <vector>

namespace ricochet::cross {

/// State of a contact after an instant. Sliding: the sign of the slip. A contact that is `heldForward` or
/// `heldBackward` sticks with the traction that a slip forward or backward would have.
enum class ContactState : signed char { open, stick, forward, backward, heldForward, heldBackward };

/// Sign of the slip, 0 for a stick.
inline double slipSign(ContactState s) {
  return s == ContactState::forward ? 1.0 : s == ContactState::backward ? -1.0 : 0.0;
}
/// Whether the traction is at the edge of the cone although the contact sticks.
inline bool isHeld(ContactState s) { return s >= ContactState::heldForward; }

/// One problem for all contacts that touch: rows 2 i (normal) and 2 i + 1 (tangent) of contact i,
///
///     w = b + G p,   closed: w_n = 0,   stick: w_t = 0,   slip: p_t = -+ mu p_n,   open: p = 0
///
/// with one column of b for every load function (accelerations), or a single one (velocities).
struct StateProblem {
  Eigen::MatrixXd compliance;  ///< G
  Eigen::MatrixXd free;        ///< b, with the rows' targets subtracted
  std::vector<double> friction;
  std::vector<bool> hasTangent;
  std::vector<double> slip;  ///< sign of the slip before; 0: none, so that each state is possible

  Eigen::Index largestRank{0};  ///< degrees of freedom: more reactions than these depend on each other

  std::size_t contacts() const { return friction.size(); }
};

/// A combination of states with its reactions p and its responses w.
struct StateCandidate {
  std::vector<ContactState> states;
  Eigen::MatrixXd reactions;  ///< p
  Eigen::MatrixXd response;   ///< w
  bool isInexact{false};      ///< responses that should be zero have to be looked at
};

/// Visits every combination of states whose reactions are independent. Combinations with dependent reactions
/// are left out: a motion that is possible with such reactions is possible with a basic solution of the
/// linear program too, whose columns are independent. Its columns are normal reactions of contacts without
/// friction and edges of friction cones. A cone of which only one edge takes part is that of a slip, or of a
/// contact that is held: two walls that face each other hold a body between them by one edge of a cone and
/// the other wall's normal reaction, as strongly as they are pressed apart. Held contacts are visited where
/// the equations of a slip in their place do not determine its reactions.
/// Where equations leave independent reactions undetermined, a few of the reactions that they allow are
/// visited: a slip between walls that face each other is stopped the more, the more they press.
void visitCombinations(const StateProblem& problem, const std::function<void(const StateCandidate&)>& visit);

}  // namespace ricochet::cross
