#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <functional>
#include <vector>

namespace ricochet::cross {

/// State of a contact after an instant. Sliding: the sign of the slip.
enum class ContactState : signed char { open, stick, forward, backward };

inline double slipSign(ContactState s) {
  return s == ContactState::forward ? 1.0 : s == ContactState::backward ? -1.0 : 0.0;
}

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
};

/// Visits every combination of states whose linear system is regular. Combinations with dependent reactions
/// are left out: a motion that is possible with such reactions is possible with a basic solution of the
/// linear program too, whose columns are independent (the states `forward` and `backward` are the edges of a
/// friction cone).
void visitCombinations(const StateProblem& problem, const std::function<void(const StateCandidate&)>& visit);

}  // namespace ricochet::cross
