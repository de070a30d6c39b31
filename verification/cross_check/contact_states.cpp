#include "verification/cross_check/contact_states.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::cross {
namespace {

/// Gaussian elimination of a x = b in place with partial pivoting; false if a is singular to rounding.
bool eliminate(Eigen::MatrixXd& a, Eigen::MatrixXd& b) {
  constexpr double kSingular = 1e-10;  // of the largest entry
  const Eigen::Index n = a.rows();
  const double largest = n > 0 ? a.cwiseAbs().maxCoeff() : 1.0;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    if (std::abs(a(pivot, k)) <= kSingular * largest) return false;
    if (pivot != k) {
      a.row(k).swap(a.row(pivot));
      b.row(k).swap(b.row(pivot));
    }
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = a(i, k) / a(k, k);
      if (factor == 0.0) continue;
      for (Eigen::Index j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      b.row(i) -= factor * b.row(k);
    }
  }
  for (Eigen::Index k = n; k-- > 0;) {
    for (Eigen::Index j = k + 1; j < n; ++j) b.row(k) -= a(k, j) * b.row(j);
    b.row(k) /= a(k, k);
  }
  return true;
}

std::vector<ContactState> statesOf(const StateProblem& problem, std::size_t i) {
  using enum ContactState;
  if (!problem.hasTangent[i]) return {open, stick};
  if (problem.slip[i] > 0.0) return {open, forward};
  if (problem.slip[i] < 0.0) return {open, backward};
  return {open, stick, forward, backward};
}

/// Solves one combination. Unknowns: N of every closed contact, T of every stick.
bool solveCombination(const StateProblem& problem, StateCandidate& candidate, Eigen::MatrixXd& a,
                      Eigen::MatrixXd& b, std::vector<Eigen::Index>& rows) {
  rows.clear();
  for (std::size_t i = 0; i < problem.contacts(); ++i) {
    if (candidate.states[i] == ContactState::open) continue;
    const auto row = static_cast<Eigen::Index>(2 * i);
    rows.push_back(row);
    if (candidate.states[i] == ContactState::stick && problem.hasTangent[i]) rows.push_back(row + 1);
  }
  const auto n = static_cast<Eigen::Index>(rows.size());
  if (n > problem.largestRank) return false;
  a.resize(n, n);
  b.resize(n, problem.free.cols());
  const auto at = [&](Eigen::Index k) { return rows[static_cast<std::size_t>(k)]; };
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto contact = static_cast<std::size_t>(at(j) / 2);
    const double slip =
        at(j) % 2 == 0 ? slipSign(candidate.states[contact]) * problem.friction[contact] : 0.0;
    for (Eigen::Index i = 0; i < n; ++i) {
      a(i, j) = problem.compliance(at(i), at(j));
      if (slip != 0.0) a(i, j) -= slip * problem.compliance(at(i), at(j) + 1);
    }
    b.row(j) = -problem.free.row(at(j));
  }
  if (!eliminate(a, b)) return false;
  candidate.reactions.setZero(problem.free.rows(), problem.free.cols());
  for (Eigen::Index j = 0; j < n; ++j) {
    candidate.reactions.row(at(j)) = b.row(j);
    const auto contact = static_cast<std::size_t>(at(j) / 2);
    if (at(j) % 2 == 0 && problem.hasTangent[contact] && candidate.states[contact] != ContactState::stick)
      candidate.reactions.row(at(j) + 1) =
          -slipSign(candidate.states[contact]) * problem.friction[contact] * b.row(j);
  }
  candidate.response = problem.free + problem.compliance * candidate.reactions;
  return true;
}

}  // namespace

void visitCombinations(const StateProblem& problem, const std::function<void(const StateCandidate&)>& visit) {
  const std::size_t n = problem.contacts();
  std::vector<std::vector<ContactState>> choices(n);
  for (std::size_t i = 0; i < n; ++i) choices[i] = statesOf(problem, i);
  std::vector<std::size_t> digit(n, 0);
  StateCandidate candidate;
  candidate.states.assign(n, ContactState::open);
  Eigen::MatrixXd a, b;
  std::vector<Eigen::Index> rows;
  while (true) {
    for (std::size_t i = 0; i < n; ++i) candidate.states[i] = choices[i][digit[i]];
    if (solveCombination(problem, candidate, a, b, rows)) visit(candidate);
    std::size_t i = 0;
    while (i < n && ++digit[i] == choices[i].size()) digit[i++] = 0;
    if (i == n) return;
  }
}

}  // namespace ricochet::cross
