#include "engine/event/series/taylor_expansion.hpp"

#include "engine/event/series/shared_reactions.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ricochet {
namespace {

constexpr char kContinuesSpring = 2;  // mark of a force that follows a constraint and continues a spring

}  // namespace

TaylorExpansion::TaylorExpansion(const LinearSystem& linear, int order, int mostChannels, int mostConstraints)
    : TaylorExpansion(linear, nullptr, order, mostChannels, mostConstraints) {}

TaylorExpansion::TaylorExpansion(const ModePlanes& planes, int order, int mostChannels, int mostConstraints)
    : TaylorExpansion(planes.linearSystem(), &planes, order, mostChannels, mostConstraints) {}

TaylorExpansion::TaylorExpansion(const LinearSystem& linear, const ModePlanes* planes, int order,
                                 int mostChannels, int mostConstraints)
    : linear_(&linear),
      planes_(planes),
      capacity_(order),
      order_(order),
      stride_(order + 3),
      q_(Matrix::Zero(linear.omegaSquared.size(), order + 3)),
      effects_(Matrix::Zero(linear.omegaSquared.size(), std::max(1, mostConstraints))),
      damped_(linear.isDamped()),
      sizes_(Sizes::Zero()) {
  const auto channels = static_cast<std::size_t>(mostChannels);
  const auto constraints = static_cast<std::size_t>(mostConstraints);
  const auto stride = static_cast<std::size_t>(stride_);
  if (planes == nullptr)
    plane_ = {{0, q_.rows()}};
  else
    plane_.assign(planes->planes().begin(), planes->planes().end());
  rows_.resize(channels);
  for (auto* each : {&rowNorms_, &stiffness_, &dampingOf_, &factor_}) each->resize(channels);
  for (auto* each : {&planeOf_, &follows_, &givenCount_}) each->resize(channels);
  givenSlopes_.resize(channels);
  live_.reserve(channels);
  fed_.reserve(channels);
  pushRows_.resize(channels);
  pushes_.resize(channels);
  fedBack_.resize(channels);
  followsConstraint_.resize(channels);
  given_.resize(channels * stride);
  force_.resize(channels * stride);
  dots_.resize(channels * stride);
  constraintRows_.resize(constraints);
  constraintNorms_.resize(constraints);
  bears_.resize(constraints);
  effectPointers_.resize(constraints);
  targetCount_.resize(constraints);
  inverse_.resize(constraints * constraints);
  compliance_.resize(constraints * constraints);
  target_.resize(constraints * stride);
  reaction_.resize(constraints * stride);
  residual_.resize(constraints);
  if (linear.damping) {
    damping_ = Matrix::Zero(q_.rows(), q_.rows());
    damping_.topLeftCorner(linear.modes, linear.modes) = *linear.damping;
  }
  for (const SpinningPart& part : linear.spinning)
    spinning_.push_back({&part, std::vector<double>(stride), 0, Matrix::Zero(q_.rows(), order + 2)});
  if (!spinning_.empty()) extra_ = Matrix::Zero(q_.rows(), order + 1);
  moment_ = Vector::Zero(q_.rows());
}

void TaylorExpansion::reset() noexcept { channels_ = constraints_ = 0; }

int TaylorExpansion::addForce(const Channel& channel) noexcept {
  const auto c = static_cast<std::size_t>(channels_);
  assert(c < rows_.size());
  rows_[c] = channel.row;
  rowNorms_[c] = -1.0;
  planeOf_[c] = static_cast<int>(planeNumberOfRow(channel.row));
  stiffness_[c] = channel.stiffness;
  dampingOf_[c] = channel.damping;
  givenSlopes_[c] = channel.given;
  follows_[c] = channel.follows;
  followsConstraint_[c] = channel.followsConstraint ? (channel.continuesSpring ? kContinuesSpring : 1) : 0;
  factor_[c] = channel.factor;
  givenCount_[c] = 0;
  fedBack_[c] = channel.stiffness != 0.0 || channel.damping != 0.0 || channel.watched ? 1 : 0;
  return channels_++;
}

Channel TaylorExpansion::channel(int number) const noexcept {
  const auto c = static_cast<std::size_t>(number);
  return {.row = rows_[c],
          .stiffness = stiffness_[c],
          .damping = dampingOf_[c],
          .follows = follows_[c],
          .followsConstraint = followsConstraint_[c] != 0,
          .continuesSpring = followsConstraint_[c] == kContinuesSpring,
          .factor = factor_[c],
          .watched = fedBack_[c] != 0,
          .given = givenSlopes_[c]};
}

int TaylorExpansion::addConstraint(const double* row, bool bears) noexcept {
  const auto r = static_cast<std::size_t>(constraints_);
  assert(r < constraintRows_.size());
  constraintRows_[r] = row;
  constraintNorms_[r] = -1.0;
  bears_[r] = bears ? 1 : 0;
  targetCount_[r] = 0;
  return constraints_++;
}

std::span<double> TaylorExpansion::givenForce(int channel, int count) noexcept {
  givenCount_[static_cast<std::size_t>(channel)] = count;
  return {&given_[firstCoefficientIndexOfChannel(channel)], static_cast<std::size_t>(count)};
}

std::span<double> TaylorExpansion::targetAcceleration(int constraint, int count) noexcept {
  targetCount_[static_cast<std::size_t>(constraint)] = count;
  return {&target_[firstCoefficientIndexOfChannel(constraint)], static_cast<std::size_t>(count)};
}

std::span<double> TaylorExpansion::spinSpeedSeries(std::size_t part, int count) noexcept {
  spinning_[part].count = count;
  return std::span(spinning_[part].speed).first(static_cast<std::size_t>(count));
}

/// Adds the spin terms of order k, -d/dt ((W - W_included) G q): (k + 1) times coefficient k + 1 of the
/// product.
void TaylorExpansion::addGyroscopicTermsOfOrder(int k) noexcept {
  const Eigen::Index m = linear_->modes;
  auto extra = extra_.col(k);
  extra.setZero();
  for (Spinning& each : spinning_) {
    for (int j = k == 0 ? 0 : k + 1; j <= k + 1; ++j)
      each.turned.col(j).head(m).noalias() = each.part->moments * q_.col(j).head(m);
    for (int j = 0; j <= std::min(k + 1, each.count - 1); ++j) {
      const double w = each.speed[static_cast<std::size_t>(j)] - (j == 0 ? each.part->included : 0.0);
      if (w != 0.0) extra -= ((k + 1.0) * w) * each.turned.col(k + 1 - j);
    }
  }
}

double TaylorExpansion::powerOfSpinDrives(double tau, const double* v) noexcept {
  double power = 0.0;
  for (const Spinning& each : spinning_) {
    double slope = 0.0;
    for (int j = each.count - 1; j > 0; --j)
      slope = tau * slope + j * each.speed[static_cast<std::size_t>(j)];
    if (slope == 0.0) continue;
    kernels::evaluatePolynomialColumns(each.turned.data(), order_ + 2, tau, moment_.data(), nullptr,
                                       q_.rows());
    power -= slope * kernels::dot(moment_.data(), v, q_.rows());
  }
  return power;
}

namespace {

/// Inverts a matrix by Gauss-Jordan elimination with row pivoting; false if the matrix is singular within
/// rounding: pivots of dependent constraints are zero except for the rounding of the eliminations before.
bool invertMatrix(std::span<double> a, std::span<double> inverse, std::size_t n) noexcept {
  constexpr double kSingular = 1e-10;
  double largest = 0.0;
  for (std::size_t i = 0; i < n * n; ++i) {
    largest = std::max(largest, std::abs(a[i]));
    inverse[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  }
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < n; ++i)
      if (std::abs(a[i * n + j]) > std::abs(a[pivot * n + j])) pivot = i;
    if (!(std::abs(a[pivot * n + j]) > kSingular * largest)) return false;
    for (std::size_t k = 0; k < n; ++k) {
      std::swap(a[j * n + k], a[pivot * n + k]);
      std::swap(inverse[j * n + k], inverse[pivot * n + k]);
    }
    const double scale = 1.0 / a[j * n + j];
    for (std::size_t k = 0; k < n; ++k) {
      a[j * n + k] *= scale;
      inverse[j * n + k] *= scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = a[i * n + j];
      if (i == j || factor == 0.0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        a[i * n + k] -= factor * a[j * n + k];
        inverse[i * n + k] -= factor * inverse[j * n + k];
      }
    }
  }
  return true;
}

}  // namespace

/// Inverse for constraints that depend on each other (leastNormReactionMatrix).
void TaylorExpansion::computeLeastNormInverseOfConstraints() {
  const Eigen::Index size = q_.rows();
  Matrix matrix(constraints_, constraints_);
  Matrix springs = Matrix::Zero(constraints_, constraints_);  // part by forces that continue a spring
  for (Eigen::Index i = 0; i < constraints_; ++i) {
    const double* row = constraintRows_[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < constraints_; ++j)
      matrix(i, j) = kernels::dot(row, effectPointers_[static_cast<std::size_t>(j)], size);
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels_); ++c)
      if (followsConstraint_[c] == kContinuesSpring && bears_[static_cast<std::size_t>(follows_[c])] != 0)
        springs(i, follows_[c]) += factor_[c] * kernels::dot(row, rows_[c], size);
  }
  const Matrix pseudo = leastNormReactionMatrix(matrix, springs);
  const auto n = static_cast<std::size_t>(constraints_);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      inverse_[i * n + j] = pseudo(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
}

void TaylorExpansion::invertConstraintMatrix() {
  const auto n = static_cast<std::size_t>(constraints_);
  const Eigen::Index size = q_.rows();
  for (std::size_t r = 0; r < n; ++r) {
    auto effect = effects_.col(static_cast<Eigen::Index>(r));
    effect.setZero();
    if (bears_[r] != 0) effect = Eigen::Map<const Vector>(constraintRows_[r], size);
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels_); ++c)
      if (bears_[r] != 0 && followsConstraint_[c] != 0 && follows_[c] == static_cast<int>(r))
        effect += factor_[c] * Eigen::Map<const Vector>(rows_[c], size);
    effectPointers_[r] = effects_.col(static_cast<Eigen::Index>(r)).data();
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      compliance_[i * n + j] = kernels::dot(constraintRows_[i], effectPointers_[j], size);
  const std::span<double> inverse(inverse_.data(), n * n);
  redundant_ = n > 0 && !invertMatrix(compliance_, inverse, n);
  if (redundant_) computeLeastNormInverseOfConstraints();
  listActiveForces();
}

void TaylorExpansion::listActiveForces() noexcept {
  live_.clear();
  fed_.clear();
  // The kernel numbers leaders that are constraints after the channels.
  for (std::size_t c = 0; c < static_cast<std::size_t>(channels_); ++c) {
    if (followsConstraint_[c] != 0) follows_[c] += channels_;
    if (fedBack_[c] != 0 || follows_[c] >= 0) live_.push_back(static_cast<int>(c));
  }
  for (std::size_t plane = 0; plane < plane_.size(); ++plane) {
    for (const int c : live_)
      if (fedBack_[static_cast<std::size_t>(c)] != 0 &&
          planeOf_[static_cast<std::size_t>(c)] == static_cast<int>(plane))
        fed_.push_back(c);
    fedBegin_[plane + 1] = static_cast<int>(fed_.size());
  }
  arrays_ = {.size = q_.rows(),
             .plane = plane_.data(),
             .planes = static_cast<int>(plane_.size()),
             .omegaSquared = linear_->omegaSquared.data(),
             .dampingDiagonal = damped_ && !linear_->damping ? linear_->dampingDiagonal.data() : nullptr,
             .dampingMatrix = linear_->damping ? damping_.data() : nullptr,
             .extra = spinning_.empty() ? nullptr : extra_.data(),
             .q = q_.data(),
             .channels = channels_,
             .rows = rows_.data(),
             .stiffness = stiffness_.data(),
             .damping = dampingOf_.data(),
             .follows = follows_.data(),
             .factor = factor_.data(),
             .givenCount = givenCount_.data(),
             .fedBack = fedBack_.data(),
             .planeNumberOfRow = planeOf_.data(),
             .live = live_.data(),
             .liveCount = static_cast<int>(live_.size()),
             .fed = fed_.data(),
             .fedBegin = fedBegin_.data(),
             .givenEnd = 0,
             .given = given_.data(),
             .force = force_.data(),
             .dots = dots_.data(),
             .stride = stride_,
             .constraints = constraints_,
             .constraintRows = constraintRows_.data(),
             .constraintEffects = effectPointers_.data(),
             .inverse = inverse_.data(),
             .target = target_.data(),
             .targetCount = targetCount_.data(),
             .reaction = reaction_.data(),
             .residual = residual_.data(),
             .pushRows = pushRows_.data(),
             .pushes = pushes_.data()};
}

void TaylorExpansion::startFromState(const Vector& q, const Vector& v, int order) noexcept {
  assert(order <= capacity_);
  order_ = order;
  q_.col(0) = q;
  q_.col(1) = v;
  measured_ = -1.0;
  for (int c = 0; c < channels_; ++c)
    if (fedBack_[static_cast<std::size_t>(c)] != 0)
      motionSeriesAlongRow(rows_[static_cast<std::size_t>(c)],
                           {&dots_[firstCoefficientIndexOfChannel(c)], 2});
}

void TaylorExpansion::computeSeriesOrders(int first, int last) noexcept {
  arrays_.givenEnd = 0;
  std::size_t next = 0;  // next index in the list of live channels
  for (int c = 0; c < channels_; ++c) {
    if (next < live_.size() && live_[next] == c) {
      ++next;
      continue;
    }
    const int count = givenCount_[static_cast<std::size_t>(c)];
    for (int k = first; k <= last; ++k) {
      const std::size_t place = firstCoefficientIndexOfChannel(c) + static_cast<std::size_t>(k);
      force_[place] = k < count ? given_[place] : 0.0;
    }
    arrays_.givenEnd = std::max(arrays_.givenEnd, count);
  }
  if (spinning_.empty()) return kernels::computeTaylorCoefficients(arrays_, first, last);
  for (int k = first; k <= last; ++k) {
    addGyroscopicTermsOfOrder(k);
    kernels::computeTaylorCoefficients(arrays_, k, k);
  }
}

std::span<const double> TaylorExpansion::force(int channel) const noexcept {
  return {&force_[firstCoefficientIndexOfChannel(channel)], static_cast<std::size_t>(order_ + 1)};
}

std::size_t TaylorExpansion::forceCoefficientCount(int channel) const noexcept {
  const auto c = static_cast<std::size_t>(channel);
  const bool live = fedBack_[c] != 0 || follows_[c] >= 0;
  return static_cast<std::size_t>(live ? order_ + 1 : std::min(givenCount_[c], order_ + 1));
}

std::span<const double> TaylorExpansion::reaction(int constraint) const noexcept {
  return {&reaction_[firstCoefficientIndexOfChannel(constraint)], static_cast<std::size_t>(order_ + 1)};
}

void TaylorExpansion::motionSeriesAlongRow(const double* row, std::span<double> series) const noexcept {
  const ModePlane& plane = plane_[planeNumberOfRow(row)];
  kernels::computeDotProductsOfRowWithColumns(q_.data() + plane.begin, q_.rows(),
                                              static_cast<Eigen::Index>(series.size()), row + plane.begin,
                                              plane.size, series.data());
}

double TaylorExpansion::reactionToUnitForce(int constraint, int channel) const noexcept {
  const double* force = rows_[static_cast<std::size_t>(channel)];
  const auto n = static_cast<std::size_t>(constraints_);
  double reaction = 0.0;
  for (std::size_t s = 0; s < n; ++s)
    reaction -= inverse_[static_cast<std::size_t>(constraint) * n + s] *
                kernels::dot(constraintRows_[s], force, q_.rows());
  return reaction;
}

double TaylorExpansion::accelerationPerUnitForce(const double* row, int channel) const noexcept {
  double acceleration = kernels::dot(row, rows_[static_cast<std::size_t>(channel)], q_.rows());
  for (int r = 0; r < constraints_; ++r)
    acceleration += kernels::dot(row, effectPointers_[static_cast<std::size_t>(r)], q_.rows()) *
                    reactionToUnitForce(r, channel);
  return acceleration;
}

void TaylorExpansion::evaluate(double tau, Vector& q, Vector& v) const noexcept {
  if (tau == 0.0) {
    q = q_.col(0);
    v = q_.col(1);
    return;
  }
  kernels::evaluatePolynomialColumns(q_.data(), order_ + 3, tau, q.data(), v.data(), q_.rows());
}

void TaylorExpansion::velocitiesAt(std::span<const double> times, Matrix& rates) const noexcept {
  kernels::evaluateRatesOfPolynomialColumns(q_.data(), order_ + 3, times.data(),
                                            static_cast<int>(times.size()), rates.data(), q_.rows());
}

void TaylorExpansion::acceleration(double tau, Vector& a) const noexcept {
  if (tau == 0.0) {
    a = 2.0 * q_.col(2);
    return;
  }
  a.setZero();
  for (int k = order_; k >= 0; --k) a = tau * a + ((k + 1.0) * (k + 2.0)) * q_.col(k + 2);
}

}  // namespace ricochet
