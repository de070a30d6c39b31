#include "engine/event/chebyshev_expansion.hpp"

#include "engine/event/mode_polynomial.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr int kMostSweeps = 200;
/// Change of a sweep, relative to the largest force, at which it has converged.
constexpr double kConverged = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

ChebyshevExpansion::ChebyshevExpansion(const VolterraBasis& basis, const LinearSystem& linear,
                                       int mostChannels, int mostRows)
    : basis_(&basis),
      linear_(&linear),
      mostRows_(static_cast<std::size_t>(mostRows)),
      channel_(static_cast<std::size_t>(mostChannels)),
      rowOf_(channel_.size()),
      given_(Matrix::Zero(basis.points(), mostChannels)),
      free_(given_),
      force_(given_),
      motion_(given_),
      q_(Vector::Zero(linear.omegaSquared.size())),
      v_(q_),
      next_(Vector::Zero(basis.points())),
      coupled_(next_),
      push_(q_),
      polynomials_(given_),
      modePolynomials_(Matrix::Zero(basis.points(), q_.size())) {
  assert(!linear.damping && linear.spinning.empty());
  rows_.reserve(mostRows_);
}

int ChebyshevExpansion::rowOf(const double* row) {
  const auto found = std::find(rows_.begin(), rows_.end(), row);
  if (found == rows_.end()) {
    assert(rows_.size() < mostRows_);
    rows_.push_back(row);
    return static_cast<int>(rows_.size()) - 1;
  }
  return static_cast<int>(found - rows_.begin());
}

int ChebyshevExpansion::add(const Channel& channel) {
  const auto c = static_cast<std::size_t>(channels_);
  assert(c < channel_.size());
  assert(channel.damping == 0.0 && !channel.followsConstraint);
  channel_[c] = channel;
  rowOf_[c] = rowOf(channel.row);
  given_.col(channels_).setZero();
  return channels_++;
}

void ChebyshevExpansion::prepare(double step) {
  if (level_ != nullptr && level_->tables.step() == step) return;
  auto found = levels_.find(step);
  if (found == levels_.end())
    found = levels_.emplace(step, Level{VolterraTables(*basis_, *linear_, step), {}, {}}).first;
  level_ = &found->second;
  level_->blocks.resize(mostRows_ * mostRows_);
  level_->inverses.resize(mostRows_);
}

bool ChebyshevExpansion::isFedBack(int channel) const noexcept {
  return channel_[static_cast<std::size_t>(channel)].stiffness != 0.0;
}

const ChebyshevExpansion::Block& ChebyshevExpansion::block(int a, int b) {
  const auto low = static_cast<std::size_t>(std::min(a, b)), high = static_cast<std::size_t>(std::max(a, b));
  Block& block = level_->blocks[low * mostRows_ + high];
  if (!block.known) {
    block.couples = level_->tables.compliance(rows_[low], rows_[high], block.compliance);
    block.known = true;
  }
  return block;
}

const Matrix& ChebyshevExpansion::inverse(int channel) {
  const double stiffness = channel_[static_cast<std::size_t>(channel)].stiffness;
  const int row = rowNumber(channel);
  std::vector<Inverse>& known = level_->inverses[static_cast<std::size_t>(row)];
  for (const Inverse& each : known)
    if (each.stiffness == stiffness) return each.matrix;
  const Eigen::Index n = basis_->points();
  const Matrix system = Matrix::Identity(n, n) + stiffness * block(row, row).compliance;
  return known.emplace_back(Inverse{stiffness, system.partialPivLu().inverse()}).matrix;
}

/// b.q at the points, without forces.
void ChebyshevExpansion::sampleFree(int number, Eigen::Ref<Vector> values) const noexcept {
  const Eigen::Index n = q_.size();
  const VolterraTables& tables = level_->tables;
  for (int l = 0; l < basis_->points(); ++l) {
    const Eigen::Map<const Vector> displaced(tables.displaced(l), n), moved(tables.moved(l), n);
    values[l] = (row(number).array() * (displaced.array() * q_.array() + moved.array() * v_.array())).sum();
  }
}

int ChebyshevExpansion::expand(const Vector& q, const Vector& v) {
  q_ = q;
  v_ = v;
  for (int c = 0; c < channels_; ++c) {
    const Channel& channel = channel_[static_cast<std::size_t>(c)];
    if (isFedBack(c) || channel.watched) sampleFree(rowNumber(c), free_.col(c));
    force_.col(c) = given_.col(c);
  }
  int sweeps = 0;
  double change = 1.0;
  while (sweeps < kMostSweeps && change > kConverged) {
    change = sweep();
    ++sweeps;
  }
  if (!(change <= kConverged)) {
    solveDense();
    sweeps = 0;
  }
  for (int c = 0; c < channels_; ++c) {
    if (!isFedBack(c) && !channel_[static_cast<std::size_t>(c)].watched) continue;
    motion_.col(c) = free_.col(c);
    addPushed(rowNumber(c), motion_.col(c));
  }
  return sweeps;
}

/// Each force from the others' latest values. Returns the largest change, relative to the largest force.
double ChebyshevExpansion::sweep() {
  double change = 0.0;
  double largest = 0.0;
  for (int c = 0; c < channels_; ++c) {
    const Channel& channel = channel_[static_cast<std::size_t>(c)];
    if (!isFedBack(c) && channel.follows < 0) continue;
    next_ = given_.col(c);
    if (channel.follows >= 0) next_ += channel.factor * force_.col(channel.follows);
    if (isFedBack(c)) {
      coupled_ = free_.col(c);
      for (int other = 0; other < channels_; ++other) {
        if (other == c) continue;
        const Block& pair = block(rowNumber(c), rowNumber(other));
        if (pair.couples) coupled_.noalias() += pair.compliance * force_.col(other);
      }
      next_ -= channel.stiffness * coupled_;
      coupled_ = next_;
      next_.noalias() = inverse(c) * coupled_;
    }
    change = std::max(change, (next_ - force_.col(c)).cwiseAbs().maxCoeff());
    largest = std::max(largest, next_.cwiseAbs().maxCoeff());
    force_.col(c) = next_;
  }
  return largest > 0.0 ? change / largest : 0.0;
}

/// All forces at once: X_a + k_a sum of G_ab X_b - factor_a X_follows = given_a - k_a u_free.
void ChebyshevExpansion::solveDense() {
  const Eigen::Index n = basis_->points();
  Matrix system = Matrix::Identity(n * channels_, n * channels_);
  Vector right(n * channels_);
  for (int a = 0; a < channels_; ++a) {
    const Channel& channel = channel_[static_cast<std::size_t>(a)];
    right.segment(n * a, n) = given_.col(a);
    if (channel.follows >= 0)
      system.block(n * a, n * channel.follows, n, n) -= channel.factor * Matrix::Identity(n, n);
    if (!isFedBack(a)) continue;
    right.segment(n * a, n) -= channel.stiffness * free_.col(a);
    for (int b = 0; b < channels_; ++b) {
      const Block& pair = block(rowNumber(a), rowNumber(b));
      if (pair.couples) system.block(n * a, n * b, n, n) += channel.stiffness * pair.compliance;
    }
  }
  const Vector solution = system.partialPivLu().solve(right);
  for (int c = 0; c < channels_; ++c) force_.col(c) = solution.segment(n * c, n);
}

void ChebyshevExpansion::along(int row, std::span<double> values) {
  Eigen::Map<Vector> result(values.data(), basis_->points());
  sampleFree(row, result);
  addPushed(row, result);
}

/// What the forces add to b.q at the points.
void ChebyshevExpansion::addPushed(int row, Eigen::Ref<Vector> values) {
  for (int c = 0; c < channels_; ++c) {
    const Block& pair = block(row, rowNumber(c));
    if (pair.couples) values.noalias() += pair.compliance * force_.col(c);
  }
}

double ChebyshevExpansion::freeRemainder(int number) const noexcept {
  const Eigen::Map<const Vector> share(level_->tables.freeRemainder(), q_.size());
  const auto energy = v_.array().square() + linear_->omegaSquared.array() * q_.array().square();
  return (row(number).array().abs() * share.array() * energy.sqrt()).sum();
}

double ChebyshevExpansion::tail(std::span<const double> values) const noexcept {
  const Eigen::Index n = basis_->points();
  const Eigen::Map<const Vector> at(values.data(), n);
  return std::max(std::abs(basis_->toChebyshev().row(n - 1).dot(at)),
                  0.5 * std::abs(basis_->toChebyshev().row(n - 2).dot(at)));
}

void ChebyshevExpansion::end(Vector& q, Vector& v) noexcept {
  const Eigen::Index n = q_.size();
  const int last = basis_->points() - 1;
  const VolterraTables& tables = level_->tables;
  const auto table = [n](const double* data) { return Eigen::Map<const Vector>(data, n).array(); };
  q = table(tables.displaced(last)) * q_.array() + table(tables.moved(last)) * v_.array();
  v = table(tables.endDisplaced()) * q_.array() + table(tables.endMoved()) * v_.array();
  for (int l = 0; l <= last; ++l) {
    push_.setZero();
    for (int c = 0; c < channels_; ++c) push_ += force_(l, c) * row(rowNumber(c));
    q.array() += table(tables.pushedDisplacement(l)) * push_.array();
    v.array() += table(tables.pushedVelocity(l)) * push_.array();
  }
}

void ChebyshevExpansion::evaluate(double tau, Vector& q, Vector& v) noexcept {
  const Eigen::Index points = basis_->points();
  // forces as polynomials of tau'/tau, then of each mode
  modePolynomials_.setZero();
  for (int c = 0; c < channels_; ++c) {
    next_.noalias() = basis_->toChebyshev() * force_.col(c);
    auto polynomial = polynomials_.col(c);
    polynomial.noalias() = basis_->toMonomials() * next_;
    double power = 1.0;
    for (Eigen::Index k = 1; k < points; ++k) polynomial[k] *= power *= tau / level_->tables.step();
    modePolynomials_.noalias() += polynomial * row(rowNumber(c)).transpose();
  }
  for (Eigen::Index j = 0; j < q_.size(); ++j) {
    const ModeMotion after =
        afterPolynomial({linear_->omegaSquared[j], linear_->dampingDiagonal[j]}, {q_[j], v_[j]}, tau,
                        {modePolynomials_.col(j).data(), static_cast<std::size_t>(points)});
    q[j] = after.q;
    v[j] = after.v;
  }
}

}  // namespace ricochet
