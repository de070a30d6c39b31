#include "engine/event/chebyshev/chebyshev_expansion.hpp"

#include "engine/event/series/mode_polynomial.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// The table of the numbers of terms has this number of entries per unit of the growth R = r h.
constexpr double kGrowthSteps = 4.0;
constexpr double kMostGrowth = 8.25;  // above the largest growth (5 + sqrt(25 + 4 25))/2

}  // namespace

ChebyshevExpansion::ChebyshevExpansion(const VolterraBasis& basis, const LinearSystem& linear,
                                       int mostChannels, int mostRows, int mostConstraints)
    : ChebyshevExpansion(basis, linear, nullptr, mostChannels, mostRows, mostConstraints) {}

ChebyshevExpansion::ChebyshevExpansion(const VolterraBasis& basis, const ModePlanes& planes, int mostChannels,
                                       int mostRows, int mostConstraints)
    : ChebyshevExpansion(basis, planes.linearSystem(), &planes, mostChannels, mostRows, mostConstraints) {}

ChebyshevExpansion::ChebyshevExpansion(const VolterraBasis& basis, const LinearSystem& linear,
                                       const ModePlanes* planes, int mostChannels, int mostRows,
                                       int mostConstraints)
    : basis_(&basis),
      linear_(&linear),
      planes_(planes),
      waves_(linear),
      mostRows_(static_cast<std::size_t>(mostRows)),
      channel_(static_cast<std::size_t>(mostChannels)),
      rowOf_(static_cast<std::size_t>(mostChannels + mostConstraints)),
      leader_(rowOf_.size(), -1),
      law_(rowOf_.size()),
      given_(Matrix::Zero(basis.paddedPointCount(), mostChannels + mostConstraints)),
      free_(given_),
      right_(given_),
      force_(given_),
      motion_(given_),
      places_(rowOf_.size()),
      q_(Vector::Zero(linear.omegaSquared.size())),
      v_(q_),
      chebyshev_(given_),
      powers_(given_),
      polynomial_(given_),
      energy_(q_),
      remainders_(q_),
      line_(Matrix::Zero(q_.size(), 2)),
      departures_(q_),
      pushSizes_(Vector::Zero(mostChannels + mostConstraints)),
      pushRows_(rowOf_.size()),
      pushValues_(rowOf_.size()) {
  assert(!linear.damping && linear.spinning.empty());
  if (planes == nullptr)
    plane_ = {{0, q_.size()}};
  else
    plane_.assign(planes->planes().begin(), planes->planes().end());
  rows_.reserve(mostRows_);
  rowSizes_.reserve(mostRows_);
  live_.reserve(rowOf_.size());
  pushing_.reserve(rowOf_.size());
  unknowns_.reserve(rowOf_.size());
  for (Matrix& each : freeMotion_) each = Matrix::Zero(q_.size(), basis.pointCount());
  for (Vector& each : derivatives_) each = q_;
  prepareModeBlocks();
}

/// Computes frequencies and growth rates r of the blocks of modes. The terms of the power series
/// a_(k+2) (k + 1)(k + 2) = -c (k + 1) a_(k+1) - omega^2 a_k are bounded by exp(r t), r^2 = c r + omega^2.
void ChebyshevExpansion::prepareModeBlocks() {
  const Eigen::Index blocks = q_.size() / kLanes;
  slowest_ = Vector::Constant(blocks, std::numeric_limits<double>::infinity());
  fastest_ = growth_ = Vector::Zero(blocks);
  blockTerms_.resize(static_cast<std::size_t>(blocks));
  for (Eigen::Index j = 0; j < linear_->modes; ++j) {
    const Eigen::Index block = j / kLanes;
    const double omega = std::sqrt(linear_->omegaSquared[j]), c = linear_->dampingDiagonal[j];
    slowest_[block] = std::min(slowest_[block], omega);
    fastest_[block] = std::max(fastest_[block], omega);
    growth_[block] = std::max(growth_[block], 0.5 * (c + std::sqrt(c * c + 4.0 * omega * omega)));
    if (c > omega) heavy_.push_back(j);
  }
  for (double growth = 0.0; growth <= kMostGrowth; growth += 1.0 / kGrowthSteps)
    termsOfGrowth_.push_back(kernels::powerSeriesTermCount(growth, basis_->pointCount()));
}

int ChebyshevExpansion::findOrAddRow(const double* row) {
  const auto found = std::ranges::find(rows_, row, &PlaneRow::values);
  if (found == rows_.end()) {
    assert(rows_.size() < mostRows_);
    rows_.push_back({row, plane_[planes_ == nullptr ? 0 : planes_->planeNumberOfRow(row)]});
    rowSizes_.push_back(-1.0);
    return static_cast<int>(rows_.size()) - 1;
  }
  return static_cast<int>(found - rows_.begin());
}

int ChebyshevExpansion::addForce(const Channel& channel) {
  const auto c = static_cast<std::size_t>(channels_);
  assert(c < channel_.size());
  channel_[c] = channel;
  rowOf_[c] = findOrAddRow(channel.row);
  law_[c] = {.stiffness = channel.stiffness, .damping = channel.damping};
  leader_[c] = channel.follows < 0 || !channel.followsConstraint ? channel.follows
                                                                 : unknownColumnOfConstraint(channel.follows);
  given_.col(channels_).setZero();
  return channels_++;
}

int ChebyshevExpansion::addConstraint(const double* row) {
  const auto c = static_cast<std::size_t>(unknownColumnOfConstraint(constraints_));
  assert(c < rowOf_.size());
  rowOf_[c] = findOrAddRow(row);
  law_[c] = {.constrained = true};
  leader_[c] = -1;
  given_.col(unknownColumnOfConstraint(constraints_)).setZero();
  return constraints_++;
}

void ChebyshevExpansion::setStepLength(double step, const VolterraBasis* kernels) {
  if (level_ != nullptr && this->stepLength() == step) return;
  const VolterraBasis& basis = kernels == nullptr ? *basis_ : *kernels;
  assert(basis.pointCount() == basis_->pointCount());
  const auto found = levels_.try_emplace(step, basis, *linear_, waves_, step, mostRows_).first;
  level_ = &found->second;
}

int ChebyshevExpansion::solveForcesAndMotion(const Vector& q, const Vector& v) {
  q_ = q;
  v_ = v;
  freeKnown_ = {};
  polynomialsKnown_ = energyKnown_ = remaindersKnown_ = reachKnown_ = false;
  shareOfRemainder_.fill(-1.0);
  sortUnknownForces();
  const int sweeps = solveForces();
  for (int c = 0; c < channels_; ++c) {
    if (!feedbackLaw(c).hasFeedback() && !channel_[static_cast<std::size_t>(c)].watched) continue;
    motion_.col(c) = free_.col(c);
    addMotionUnderUnknownForces(live_, Answer::displacement, rowNumberOfColumn(c), motion_.col(c).data());
  }
  for (const int c : live_)
    if (!force_.col(c).isZero(0.0)) pushing_.push_back(c);
  return sweeps;
}

void ChebyshevExpansion::motionValuesAlongRow(int row, std::span<double> values, Answer answer) {
  // The values of the caller need not be aligned or padded.
  alignas(64) std::array<double, kernels::kMostPoints> padded{};
  sampleFreeMotion(answer, row, padded.data());
  addMotionUnderUnknownForces(pushing_, answer, row, padded.data());
  std::copy_n(padded.begin(), size(), values.begin());
}

void ChebyshevExpansion::evaluateMotionAtStepEnd(Vector& q, Vector& v) noexcept {
  computeForcePolynomials();
  const VolterraTables& tables = level_->modalResponseTables();
  const int last = basis_->pointCount() - 1;
  for (const ModePlane& plane : plane_) {
    int orders = 0;
    const int count = listNonZeroForces(plane, [&](int c) {
      orders = std::max(orders, coefficientCount(c));
      return chebyshev_.col(c).data();
    });
    kernels::computeModalStateAtStepEnd({.plane = plane,
                                         .qq = tables.responsesToUnitDisplacement().col(last).data(),
                                         .qv = tables.responsesToUnitVelocity().col(last).data(),
                                         .vq = tables.endVelocityAfterUnitDisplacement().data(),
                                         .vv = tables.endVelocityAfterUnitVelocity().data(),
                                         .pushed = tables.endMotionUnderChebyshevForces(),
                                         .points = last + 1,
                                         .forces = {count, pushRows_.data(), pushValues_.data(), orders}},
                                        q_.data(), v_.data(), q.data(), v.data());
  }
}

/// Lists the rows and values of the non-zero forces on the modes of a plane; returns their number.
template <class Values>
int ChebyshevExpansion::listNonZeroForces(const ModePlane& plane, Values&& values) noexcept {
  std::size_t count = 0;
  for (const int c : pushing_) {
    if (row(rowNumberOfColumn(c)).plane != plane) continue;
    pushRows_[count] = row(rowNumberOfColumn(c)).values;
    pushValues_[count++] = values(c);
  }
  return static_cast<int>(count);
}

/// Number of Chebyshev coefficients of a force up to the last that exceeds rounding.
int ChebyshevExpansion::coefficientCount(int column) const noexcept {
  constexpr double kRounding = 2.0 * std::numeric_limits<double>::epsilon();
  const auto c = chebyshev_.col(column);
  const double least = kRounding * c.cwiseAbs().maxCoeff();
  int orders = basis_->pointCount();
  while (orders > 1 && std::abs(c[orders - 1]) <= least) --orders;
  return orders;
}

/// Computes the coefficients of the non-zero forces: of Chebyshev polynomials, and of powers of t/h.
void ChebyshevExpansion::computeForcePolynomials() noexcept {
  if (polynomialsKnown_) return;
  polynomialsKnown_ = true;
  const int points = basis_->pointCount();
  const Eigen::Index stride = basis_->paddedPointCount();
  for (const int c : pushing_) {
    chebyshev_.col(c).setZero();
    powers_.col(c).setZero();
    kernels::addMatrixVectorProduct(basis_->valuesToChebyshevMatrix().data(), 1.0, force_.col(c).data(),
                                    chebyshev_.col(c).data(), points, stride);
    kernels::addMatrixVectorProduct(basis_->chebyshevToMonomialMatrix().data(), 1.0, chebyshev_.col(c).data(),
                                    powers_.col(c).data(), points, stride);
  }
}

void ChebyshevExpansion::evaluate(double tau, Vector& q, Vector& v) noexcept {
  if (tau == 0.0) {
    q = q_;
    v = v_;
    return;
  }
  computeForcePolynomials();
  const int points = basis_->pointCount();
  for (const int c : pushing_) {
    double power = tau * tau;
    for (int k = 0; k < points; ++k, power *= tau / stepLength()) polynomial_(k, c) = powers_(k, c) * power;
  }
  for (std::size_t b = 0; b < blockTerms_.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(b);
    const double growth = std::min(growth_[i] * tau, kMostGrowth);
    blockTerms_[b] = slowest_[i] * tau > kernels::kUpwards
                         ? 0
                         : termsOfGrowth_[static_cast<std::size_t>(std::ceil(growth * kGrowthSteps))];
  }
  for (const ModePlane& plane : plane_) {
    const int count = listNonZeroForces(plane, [&](int c) { return polynomial_.col(c).data(); });
    kernels::motionsOfModesUnderPolynomialForce(
        {.plane = plane,
         .omegaSquared = linear_->omegaSquared.data(),
         .damping = linear_->dampingDiagonal.data(),
         .fastest = fastest_.data(),
         .waves = waves_.argumentsOfWaveKernel(),
         .forces = {count, pushRows_.data(), pushValues_.data(), points}},
        blockTerms_.data(), tau, q_.data(), v_.data(), q.data(), v.data());
  }
  for (const Eigen::Index j : heavy_) evaluateHeavilyDampedMode(j, tau, q, v);
}

/// Evaluates one mode whose damping is too high for the vectorised kernel.
void ChebyshevExpansion::evaluateHeavilyDampedMode(Eigen::Index j, double tau, Vector& q,
                                                   Vector& v) const noexcept {
  std::array<double, kernels::kMostPoints> force{};
  for (const int c : pushing_) {
    const double share = row(rowNumberOfColumn(c)).values[j] / (tau * tau);
    for (std::size_t k = 0; k < size(); ++k) force[k] += share * polynomial_(static_cast<Eigen::Index>(k), c);
  }
  const ModeMotion after = motionUnderPolynomialForce({linear_->omegaSquared[j], linear_->dampingDiagonal[j]},
                                                      {q_[j], v_[j]}, tau, std::span(force).first(size()));
  q[j] = after.q;
  v[j] = after.v;
}

}  // namespace ricochet
