#include "verification/cross_check/contact_states.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace ricochet::cross {
namespace {

/// Gaussian elimination of a x = b in place with partial pivoting; false if a is singular to rounding.
bool solveByElimination(Eigen::MatrixXd& a, Eigen::MatrixXd& b) {
  constexpr double kSingular = 1e-10;  // relative to the largest entry
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

std::vector<ContactState> possibleContactStates(const StateProblem& problem, std::size_t i) {
  using enum ContactState;
  if (!problem.hasTangent[i]) return {open, stick};
  if (problem.slip[i] > 0.0) return {open, forward};
  if (problem.slip[i] < 0.0) return {open, backward};
  return {open, stick, forward, backward};
}

/// Traction per normal reaction, if the state determines this ratio.
double tractionFactor(const StateProblem& problem, ContactState state, std::size_t contact) {
  const bool forward = state == ContactState::forward || state == ContactState::heldForward;
  return state == ContactState::stick || state == ContactState::open ? 0.0
         : forward                                                   ? -problem.friction[contact]
                                                                     : problem.friction[contact];
}

/// The linear system of one combination. Unknowns: N of every closed contact, T of every stick that is not
/// held. Equations: no acceleration of gaps and of sticks.
class Combination {
 public:
  Combination(const StateProblem& problem, StateCandidate& candidate)
      : problem_(problem), candidate_(candidate) {}

  /// Visits the present states of the candidate, or held contacts in place of slips if the equations of the
  /// slips are singular.
  void visit(const std::function<void(const StateCandidate&)>& visit) {
    list();
    if (unknowns_.size() > static_cast<std::size_t>(problem_.largestRank)) return;
    fill();
    Eigen::MatrixXd a = a_, b = b_;
    if (solveByElimination(a, b)) {
      candidate_.isInexact = false;
      setUnknowns(b);
      return visit(candidate_);
    }
    if (!hasIndependentReactions()) return;
    candidate_.isInexact = true;
    visitUndeterminedReactions(visit);
    visitHeldContacts(visit);
    candidate_.isInexact = false;
  }

 private:
  static constexpr double kSingular = 1e-10;  // relative to the largest pivot

  void list() {
    rows_.clear();
    unknowns_.clear();
    for (std::size_t i = 0; i < problem_.contacts(); ++i) {
      const ContactState state = candidate_.states[i];
      if (state == ContactState::open) continue;
      const auto row = static_cast<Eigen::Index>(2 * i);
      rows_.push_back(row);
      unknowns_.push_back(row);
      if (!problem_.hasTangent[i] || slipSign(state) != 0.0) continue;
      rows_.push_back(row + 1);
      if (!isHeld(state)) unknowns_.push_back(row + 1);
    }
  }

  /// Responses of all rows to the unknowns.
  Eigen::MatrixXd responses() const {
    Eigen::MatrixXd all(problem_.compliance.rows(), std::ssize(unknowns_));
    for (Eigen::Index j = 0; j < all.cols(); ++j) {
      const Eigen::Index column = unknowns_[static_cast<std::size_t>(j)];
      const auto contact = static_cast<std::size_t>(column / 2);
      all.col(j) = problem_.compliance.col(column);
      if (column % 2 != 0) continue;
      const double traction = tractionFactor(problem_, candidate_.states[contact], contact);
      if (traction != 0.0) all.col(j) += traction * problem_.compliance.col(column + 1);
    }
    return all;
  }

  void fill() {
    all_ = responses();
    a_.resize(std::ssize(rows_), all_.cols());
    b_.resize(std::ssize(rows_), problem_.free.cols());
    for (Eigen::Index i = 0; i < a_.rows(); ++i) {
      a_.row(i) = all_.row(rows_[static_cast<std::size_t>(i)]);
      b_.row(i) = -problem_.free.row(rows_[static_cast<std::size_t>(i)]);
    }
  }

  /// Reactions are independent if their effects on all contacts are independent.
  bool hasIndependentReactions() const { return factor(all_).rank() == all_.cols(); }

  static Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(const Eigen::MatrixXd& a) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(kSingular);
    qr.compute(a);
    return qr;
  }

  void setUnknowns(const Eigen::MatrixXd& x) {
    candidate_.reactions.setZero(problem_.free.rows(), problem_.free.cols());
    for (Eigen::Index j = 0; j < x.rows(); ++j) {
      const Eigen::Index column = unknowns_[static_cast<std::size_t>(j)];
      const auto contact = static_cast<std::size_t>(column / 2);
      candidate_.reactions.row(column) = x.row(j);
      if (column % 2 == 0 && problem_.hasTangent[contact] &&
          candidate_.states[contact] != ContactState::stick)
        candidate_.reactions.row(column + 1) =
            tractionFactor(problem_, candidate_.states[contact], contact) * x.row(j);
    }
    candidate_.response = problem_.free + problem_.compliance * candidate_.reactions;
  }

  /// Visits reactions that differ along a direction that the equations leave free.
  void visitUndeterminedReactions(const std::function<void(const StateCandidate&)>& visit) {
    Eigen::FullPivLU<Eigen::MatrixXd> lu;
    lu.setThreshold(kSingular);
    lu.compute(a_);
    if (lu.dimensionOfKernel() != 1) return;
    const Eigen::VectorXd direction = lu.kernel().col(0).normalized();
    const Eigen::MatrixXd x = lu.solve(b_);
    for (Eigen::Index k = 0; k < b_.cols(); ++k) {
      const double size = x.col(k).norm() + b_.col(k).norm() / a_.cwiseAbs().maxCoeff();
      for (const double shift : {1.0, -1.0, 10.0, -10.0}) {
        Eigen::MatrixXd shifted = x;
        shifted.col(k) += shift * size * direction;
        setUnknowns(shifted);
        visit(candidate_);
      }
    }
  }

  /// Holds contacts in place of slips that begin, in every combination.
  void visitHeldContacts(const std::function<void(const StateCandidate&)>& visit) {
    const std::vector<ContactState> states = candidate_.states;
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < states.size(); ++i)
      if (slipSign(states[i]) != 0.0 && problem_.slip[i] == 0.0) begins.push_back(i);
    for (std::size_t mask = 1; mask < (std::size_t{1} << begins.size()); ++mask) {
      for (std::size_t k = 0; k < begins.size(); ++k) {
        const ContactState slip = states[begins[k]];
        const ContactState held =
            slip == ContactState::forward ? ContactState::heldForward : ContactState::heldBackward;
        candidate_.states[begins[k]] = (mask >> k & 1U) != 0 ? held : slip;
      }
      list();
      fill();
      const auto qr = factor(a_);
      if (qr.rank() < a_.cols()) continue;
      setUnknowns(qr.solve(b_));
      visit(candidate_);
    }
    candidate_.states = states;
  }

  const StateProblem& problem_;
  StateCandidate& candidate_;
  Eigen::MatrixXd a_, b_;
  Eigen::MatrixXd all_;  ///< responses to the unknown reactions
  std::vector<Eigen::Index> rows_, unknowns_;
};

}  // namespace

void visitCombinations(const StateProblem& problem, const std::function<void(const StateCandidate&)>& visit) {
  const std::size_t n = problem.contacts();
  std::vector<std::vector<ContactState>> choices(n);
  for (std::size_t i = 0; i < n; ++i) choices[i] = possibleContactStates(problem, i);
  std::vector<std::size_t> digit(n, 0);
  StateCandidate candidate;
  candidate.states.assign(n, ContactState::open);
  Combination combination(problem, candidate);
  while (true) {
    for (std::size_t i = 0; i < n; ++i) candidate.states[i] = choices[i][digit[i]];
    combination.visit(visit);
    std::size_t i = 0;
    while (i < n && ++digit[i] == choices[i].size()) digit[i++] = 0;
    if (i == n) return;
  }
}

}  // namespace ricochet::cross
