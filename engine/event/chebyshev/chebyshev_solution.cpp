// Solves the linear equations for the values of all forces of a step at the points.

#include "engine/event/chebyshev/chebyshev_expansion.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr int kMostSweeps = 200;
constexpr int kPatience = 5;                 // number of sweeps after which their convergence is judged
constexpr double kRoundingOfSweeps = 100.0;  // largest error at rounding, in units of kConverged
constexpr double kDependent = 1e-11;
/// Error after a sweep at which the sweeps have converged, relative to the terms of the forces.
constexpr double kConverged = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

/// Free motion of the structure at the points. The derivatives of a free motion are free motions too: each of
/// q, q' and q'' follows from its value and its rate at the start.
const Matrix& ChebyshevExpansion::freeMotion(Answer answer) noexcept {
  const auto order = static_cast<std::size_t>(answer);
  Matrix& motion = freeMotion_[order];
  if (freeKnown_[order]) return motion;
  freeKnown_[order] = true;
  derivatives_[0] = q_;
  derivatives_[1] = v_;
  for (std::size_t k = 2; k < order + 2; ++k)
    derivatives_[k] = -linear_->omegaSquared.cwiseProduct(derivatives_[k - 2]) -
                      linear_->dampingDiagonal.cwiseProduct(derivatives_[k - 1]);
  const VolterraTables& tables = level_->modalResponseTables();
  kernels::addFreeMotionOfModes(tables.responsesToUnitDisplacement().data(),
                                tables.responsesToUnitVelocity().data(), basis_->pointCount(),
                                derivatives_[order].data(), derivatives_[order + 1].data(), motion.data(),
                                q_.size());
  return motion;
}

/// Samples b.q, b.q' or b.q'' of the free motion at the points (without padding).
void ChebyshevExpansion::sampleFreeMotion(Answer answer, int row, double* values) noexcept {
  const PlaneRow& along = this->row(row);
  kernels::computeDotProductsOfRowWithColumns(freeMotion(answer).data() + along.plane.begin, q_.size(),
                                              basis_->pointCount(), along.data(), along.plane.size, values);
}

/// Adds the response of b.q, b.q' or b.q'' to the forces in `columns`, at the points.
void ChebyshevExpansion::addMotionUnderUnknownForces(std::span<const int> columns, Answer answer, int row,
                                                     double* values) {
  for (const int c : columns) {
    const double* block = level_->responseMatrixOfRowPair(answer, rows_, row, rowNumberOfColumn(c));
    if (block != nullptr)
      kernels::addMatrixVectorProduct(block, 1.0, force_.col(c).data(), values, basis_->pointCount(),
                                      basis_->paddedPointCount());
  }
}

/// Sorts the forces into given and unknown ones, and sets up the equations of the unknown forces.
void ChebyshevExpansion::sortUnknownForces() {
  live_.clear();
  pushing_.clear();
  unknowns_.clear();
  terms_.clear();
  backwards_ = false;
  for (int r = 0; r < constraints_; ++r) live_.push_back(unknownColumnOfConstraint(r));
  for (int c = 0; c < channels_; ++c) {
    if (feedbackLaw(c).hasFeedback() || indexOfLeadingForce(c) >= 0) {
      live_.push_back(c);
      continue;
    }
    force_.col(c) = given_.col(c);
    if (!force_.col(c).isZero(0.0)) pushing_.push_back(c);
  }
  for (std::size_t u = 0; u < live_.size(); ++u) {
    places_[static_cast<std::size_t>(live_[u])] = static_cast<int>(u);
    force_.col(live_[u]).setZero();
  }
  for (int c = 0; c < channels_; ++c)
    if (feedbackLaw(c).hasFeedback() || channel_[static_cast<std::size_t>(c)].watched)
      addMotionUnderGivenForces(Answer::displacement, rowNumberOfColumn(c), free_.col(c).data());
  for (const int c : live_) setUpEquationOfUnknownForce(c);
}

/// Samples b.q, b.q' or b.q'' at the points under the given forces alone.
void ChebyshevExpansion::addMotionUnderGivenForces(Answer answer, int row, double* values) {
  sampleFreeMotion(answer, row, values);
  addMotionUnderUnknownForces(pushing_, answer, row, values);
}

/// Sets up the equation of the unknown force F of column c. Law: F + k u + c u' = given force + factor times
/// the force of the leading column; constraint: u'' = target. The motion u due to the other forces stands on
/// the right side.
void ChebyshevExpansion::setUpEquationOfUnknownForce(int c) {
  const VolterraLaw& law = this->feedbackLaw(c);
  const int first = static_cast<int>(terms_.size());
  auto right = right_.col(c);
  right = given_.col(c);
  if (law.stiffness != 0.0) {
    right -= law.stiffness * free_.col(c);
    addForceEquationTerms(c, -law.stiffness, Answer::displacement);
  }
  const auto take = [&](double factor, Answer answer) {
    alignas(64) std::array<double, kernels::kMostPoints> values{};
    addMotionUnderGivenForces(answer, rowNumberOfColumn(c), values.data());
    right += factor * Eigen::Map<const Vector>(values.data(), right.size());
    addForceEquationTerms(c, factor, answer);
  };
  if (law.damping != 0.0) take(-law.damping, Answer::velocity);
  if (law.constrained) take(-1.0, Answer::acceleration);
  unknowns_.push_back({.column = c,
                       .leader = indexOfLeadingForce(c),
                       .factor = factorOfLeadingForce(c),
                       .inverse = law.hasFeedback()
                                      ? level_->inverseResponseMatrixOfRow(law, rows_, rowNumberOfColumn(c))
                                      : nullptr,
                       .firstTerm = first,
                       .terms = static_cast<int>(terms_.size()) - first});
}

void ChebyshevExpansion::addForceEquationTerms(int c, double factor, Answer answer) {
  for (const int other : live_) {
    if (other == c) continue;
    const double* block =
        level_->responseMatrixOfRowPair(answer, rows_, rowNumberOfColumn(c), rowNumberOfColumn(other));
    if (block == nullptr) continue;
    terms_.push_back({.block = block, .factor = factor, .source = other});
    if (places_[static_cast<std::size_t>(other)] > places_[static_cast<std::size_t>(c)]) backwards_ = true;
  }
}

/// Solves for the unknown forces by Gauss-Seidel sweeps; returns their number, 0 for a dense solution. With
/// the ratio r of successive changes the error after a sweep is the change times r/(1 - r). Systems that
/// would need too many sweeps are solved by a dense factorisation, which is stored for later steps.
int ChebyshevExpansion::solveForces() {
  if (live_.empty()) return 1;
  if (const DenseSystem* known = findCachedDenseSystem()) return solveDenseSystem(*known);
  if (areConstraintsDependent()) return solveDenseSystem(factoriseDenseSystem());
  const kernels::VolterraSystem system{.points = basis_->pointCount(),
                                       .stride = basis_->paddedPointCount(),
                                       .count = static_cast<int>(unknowns_.size()),
                                       .unknowns = unknowns_.data(),
                                       .terms = terms_.data(),
                                       .right = right_.data(),
                                       .force = force_.data()};
  double before = 0.0;
  for (int sweeps = 1; sweeps <= kMostSweeps; ++sweeps) {
    const kernels::VolterraChange taken = kernels::solveForcesByGaussSeidelSweeps(system);
    if (!backwards_) return sweeps;
    const double change = std::sqrt(taken.change), limit = kConverged * std::sqrt(taken.size);
    if (change <= limit) return sweeps;
    if (sweeps > 1 && change < 0.5 * before && change * change <= limit * (before - change)) return sweeps;
    const double ratio = sweeps > 1 ? change / before : 0.0;
    // The change of the sweeps no longer decreases because of rounding.
    if (ratio > 0.9 && change <= kRoundingOfSweeps * limit) return sweeps;
    const bool growing = sweeps > kPatience && !(ratio < 1.0);
    if (growing || (sweeps % kPatience == 0 && std::log(limit / change) < kMostSweeps * std::log(ratio)))
      break;
    before = change;
  }
  return solveDenseSystem(factoriseDenseSystem());
}

/// True if the rows of the constraints are linearly dependent: sweeps would give the whole reaction to the
/// first constraint.
bool ChebyshevExpansion::areConstraintsDependent() {
  if (constraints_ < 2) return false;
  const std::span<const int> rows(&rowOf_[channel_.size()], static_cast<std::size_t>(constraints_));
  if (std::ranges::equal(rows, constrainedRows_)) return dependent_;
  constrainedRows_.assign(rows.begin(), rows.end());
  Matrix shapes(q_.size(), constraints_);
  for (Eigen::Index r = 0; r < constraints_; ++r)
    shapes.col(r) = Eigen::Map<const Vector>(row(rows[static_cast<std::size_t>(r)]).values, q_.size());
  Eigen::ColPivHouseholderQR<Matrix> decomposition;
  decomposition.setThreshold(kDependent);
  dependent_ = decomposition.compute(shapes).rank() < constraints_;
  return dependent_;
}

/// Builds the key of a dense system: step length and laws of the unknown forces.
void ChebyshevExpansion::buildDenseSystemCacheKey(std::vector<double>& key) const {
  key.assign(1, stepLength());
  for (const kernels::VolterraUnknown& unknown : unknowns_) {
    const VolterraLaw& each = feedbackLaw(unknown.column);
    const int place = unknown.leader < 0 ? -1 : places_[static_cast<std::size_t>(unknown.leader)];
    key.insert(key.end(),
               {static_cast<double>(rowNumberOfColumn(unknown.column)), each.stiffness, each.damping,
                each.constrained ? 1.0 : 0.0, static_cast<double>(place), unknown.factor});
  }
}

const ChebyshevExpansion::DenseSystem* ChebyshevExpansion::findCachedDenseSystem() {
  if (dense_.empty()) return nullptr;
  buildDenseSystemCacheKey(key_);
  for (const DenseSystem& each : dense_)
    if (each.key == key_) return &each;
  return nullptr;
}

/// Factorizes the dense system. Constraints that depend on each other share their reaction evenly (least
/// norm).
const ChebyshevExpansion::DenseSystem& ChebyshevExpansion::factoriseDenseSystem() {
  constexpr std::size_t kKept = 8;
  const Eigen::Index n = basis_->pointCount();
  const auto total = n * static_cast<Eigen::Index>(live_.size());
  Matrix system = Matrix::Identity(total, total);
  const auto at = [&](int column) { return n * places_[static_cast<std::size_t>(column)]; };
  const auto add = [&](int c, int other, double factor, const double* block) {
    if (block != nullptr)
      system.block(at(c), at(other), n, n) +=
          factor * Eigen::Map<const Matrix>(block, basis_->paddedPointCount(), n).topRows(n);
  };
  for (const kernels::VolterraUnknown& unknown : unknowns_) {
    const int c = unknown.column, row = rowNumberOfColumn(c);
    if (unknown.leader >= 0)
      system.block(at(c), at(unknown.leader), n, n).diagonal().array() -= unknown.factor;
    if (feedbackLaw(c).constrained) system.block(at(c), at(c), n, n).setZero();
    if (feedbackLaw(c).constrained)
      add(c, c, 1.0, level_->responseMatrixOfRowPair(Answer::acceleration, rows_, row, row));
    if (feedbackLaw(c).stiffness != 0.0)
      add(c, c, feedbackLaw(c).stiffness,
          level_->responseMatrixOfRowPair(Answer::displacement, rows_, row, row));
    if (feedbackLaw(c).damping != 0.0)
      add(c, c, feedbackLaw(c).damping, level_->responseMatrixOfRowPair(Answer::velocity, rows_, row, row));
    for (int t = unknown.firstTerm; t < unknown.firstTerm + unknown.terms; ++t) {
      const kernels::VolterraTerm& term = terms_[static_cast<std::size_t>(t)];
      add(c, term.source, -term.factor, term.block);
    }
  }
  if (dense_.size() == kKept) dense_.erase(dense_.begin());
  DenseSystem& made = dense_.emplace_back();
  buildDenseSystemCacheKey(made.key);
  if (constraints_ > 1)
    made.shared.emplace().setThreshold(kDependent).compute(system);
  else
    made.factor.emplace(system);
  return made;
}

/// Solves for all forces with a dense factorisation; returns 0 (no sweeps).
int ChebyshevExpansion::solveDenseSystem(const DenseSystem& system) {
  const Eigen::Index n = basis_->pointCount();
  Vector right(n * static_cast<Eigen::Index>(live_.size()));
  Eigen::Index at = 0;
  for (const int c : live_) {
    right.segment(at, n) = right_.col(c).head(n);
    at += n;
  }
  const Vector solution =
      system.shared ? Vector(system.shared->solve(right)) : Vector(system.factor->solve(right));
  at = 0;
  for (const int c : live_) {
    force_.col(c).head(n) = solution.segment(at, n);
    at += n;
  }
  return 0;
}

}  // namespace ricochet
