#include "engine/contact/impulse/impulse_problem.hpp"

#include "engine/contact/impulse/coupled_groups.hpp"
#include "engine/contact/impulse/elastic_impulse.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr double kOfRates = 2e-13;     // largest residual of a solution, relative to the rates
constexpr double kEvaluation = 1e-15;  // relative rounding error of the positions in a law
constexpr double kImmobile = 1e-12;    // ratio to the larger principal compliance

BlockCompliance blockCompliance(const ImpulseBlock& block, const Matrix& w, Eigen::Index first) noexcept {
  BlockCompliance own;
  own.normal = w(first, first);
  if (block.tangent == TangentRule::none) return own;
  const double d11 = w(first + 1, first + 1), d12 = w(first + 1, first + 2), d22 = w(first + 2, first + 2);
  // The principal axes are rotated by half the angle of (d11 - d22, 2 d12).
  if (d12 != 0.0) {
    const double angle = 0.5 * std::atan2(2.0 * d12, d11 - d22);
    own.cosine = std::cos(angle);
    own.sine = std::sin(angle);
  } else if (d22 > d11) {
    own.cosine = 0.0;
    own.sine = 1.0;
  }
  const double mean = 0.5 * (d11 + d22);
  const double radius = d12 == 0.0 ? 0.5 * std::abs(d11 - d22) : std::hypot(0.5 * (d11 - d22), d12);
  own.tangential = {mean + radius, mean - radius};
  const Tangential<double> across = own.toPrincipalAxes({w(first, first + 1), w(first, first + 2)});
  own.across = {across.first, across.second};
  if (own.tangential[1] > kImmobile * own.tangential[0]) return own;
  own.tangential[1] = own.across[1] = 0.0;
  const Tangential<double> slip = own.toPrincipalAxes(block.slipRate());
  own.isLine = std::abs(slip.second) <= std::max(block.rounding, kImmobile * std::abs(slip.first));
  return own;
}

}  // namespace

ImpulseProblem::ImpulseProblem(int contacts) : compliance_(Matrix::Zero(3 * contacts, 3 * contacts)) {
  const auto count = static_cast<std::size_t>(contacts);
  blocks_.reserve(count);
  own_.resize(count);
  free_.resize(count);
  work_.resize(count);
  saved_.resize(count);
}

bool ImpulseProblem::doBlocksAffectEachOther(std::size_t block, std::size_t other) const noexcept {
  const auto first = static_cast<Eigen::Index>(3 * block), second = static_cast<Eigen::Index>(3 * other);
  for (Eigen::Index i = first; i < first + 3; ++i)
    for (Eigen::Index j = second; j < second + 3; ++j)
      if (areReactionsCoupled(compliance_, i, j)) return true;
  return false;
}

std::size_t ImpulseProblem::begin(double h) noexcept {
  step_ = h;
  scale_ = 0.0;
  for (std::size_t i = 0; i < size(); ++i) free_[i] = blocks_[i].rate;
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      addRatesCausedByImpulse(free_.data(), i, axis, -blocks_[i].impulse[axis]);
  for (std::size_t i = 0; i < size(); ++i) {
    const ImpulseBlock& block = blocks_[i];
    own_[i] = blockCompliance(block, compliance_, static_cast<Eigen::Index>(3 * i));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<Eigen::Index>(3 * i + axis);
      scale_ =
          std::max({scale_, std::abs(block.rate[axis]), compliance_(k, k) * std::abs(block.impulse[axis])});
    }
    scale_ = std::max({scale_, std::abs(block.target), lengthOfTangentialVector(block.surface)});
    if (block.normal == NormalRule::law)
      scale_ = std::max(scale_, own_[i].normal * std::abs(h * normalForce(block, block.rate[0], h).value));
    double sum = block.target + block.surface.first + block.surface.second;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<Eigen::Index>(3 * i + axis);
      sum += free_[i][axis] + compliance_(k, k);
    }
    if (!std::isfinite(sum)) return i;
  }
  return size();
}

/// Adds to the rates the column of W times the impulse along one axis.
void ImpulseProblem::addRatesCausedByImpulse(std::array<double, 3>* rates, std::size_t block,
                                             std::size_t axis, double impulse) const noexcept {
  if (impulse == 0.0) return;
  const double* entry = compliance_.col(static_cast<Eigen::Index>(3 * block + axis)).data();
  for (std::size_t i = 0; i < size(); ++i)
    for (double& rate : rates[i]) rate += impulse * *entry++;
}

void ImpulseProblem::recomputeRates() noexcept {
  std::copy_n(free_.data(), size(), work_.data());
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      addRatesCausedByImpulse(work_.data(), i, axis, blocks_[i].impulse[axis]);
  for (std::size_t i = 0; i < size(); ++i) blocks_[i].rate = work_[i];
}

void ImpulseProblem::shiftRateWithoutImpulses(std::size_t block, std::size_t axis, double shift) noexcept {
  free_[block][axis] += shift;
  blocks_[block].rate[axis] += shift;
}

Tangential<double> ImpulseProblem::frictionProjectionPoint(std::size_t block) const noexcept {
  const ImpulseBlock& b = blocks_[block];
  const BlockCompliance& own = own_[block];
  Tangential<double> trial = scaled(own.tangential[0], b.frictionImpulse()) - b.slipRate();
  if (!own.isLine) return trial;
  trial = own.toPrincipalAxes(trial);
  return own.fromPrincipalAxes({trial.first, 0.0});
}

// The residuals keep a NaN: std::max returns its first argument where the two cannot be compared.

double ImpulseProblem::residualOfNormalLaw(std::size_t block) const noexcept {
  const ImpulseBlock& b = blocks_[block];
  const double own = own_[block].normal;
  if (b.normal == NormalRule::given) return 0.0;
  if (b.normal == NormalRule::unilateral) {
    const double pressed = own * b.impulse[0];
    return std::abs(pressed - std::max(pressed - (b.rate[0] - b.target), 0.0));
  }
  const ForceSlope force = normalForce(b, b.rate[0], step_);
  const double ofRate = step_ * std::abs(force.slope) * own;
  const double rounding = kEvaluation * ofRate * std::abs(b.gap) / step_;
  return std::max(own * std::abs(b.impulse[0] - step_ * force.value) - rounding, 0.0) / (1.0 + ofRate);
}

double ImpulseProblem::residualOfFrictionLaw(std::size_t block) const noexcept {
  const ImpulseBlock& b = blocks_[block];
  const double own = own_[block].tangential[0];
  if (b.tangent == TangentRule::none) return 0.0;
  Tangential<double> wanted;  // x_t that satisfies the rule [N s]
  double ofRate = 0.0, rounding = 0.0;
  if (b.tangent == TangentRule::law) {
    const TractionSlopes traction = meanTractionOfBlock(b, b.slipRate(), step_);
    wanted = scaled(step_, traction.value);
    ofRate = step_ * own * traction.largestTractionSlope();
    rounding = kEvaluation * ofRate *
               (lengthOfTangentialVector(b.position) + lengthOfTangentialVector(b.memory.anchorPosition)) /
               step_;
  } else if (b.tangent == TangentRule::sliding) {
    wanted = scaled(-b.frictionLimit(), b.direction);
  } else {
    if (!(own > 0.0)) return 0.0;
    wanted = scaled(1.0 / own, frictionProjectionPoint(block));
    const double size = lengthOfTangentialVector(wanted), limit = b.frictionLimit();
    if (size > limit) wanted = scaled(limit / size, wanted);
  }
  return std::max(own * lengthOfTangentialVector(b.frictionImpulse() - wanted) - rounding, 0.0) /
         (1.0 + ofRate);
}

double ImpulseProblem::residual(std::size_t block) const noexcept {
  return residualOfNormalLaw(block) + residualOfFrictionLaw(block);
}

double ImpulseProblem::residual(std::size_t* worst) const noexcept {
  double largest = 0.0;
  for (std::size_t i = 0; i < size(); ++i) {
    const double each = residual(i);
    if (each <= largest) continue;
    largest = each;
    if (worst != nullptr) *worst = i;
    if (std::isnan(each)) break;
  }
  return largest;
}

bool ImpulseProblem::isSolved() const noexcept {
  const double wrong = residual();
  return wrong <= kOfRates * scale_ || wrong <= residualTolerance();  // a NaN gives false
}

double ImpulseProblem::residualTolerance() const noexcept {
  constexpr double kOfFirstRates = 1e-9;
  double scale = scale_;
  for (std::size_t i = 0; i < size(); ++i)
    scale = std::max({scale, own_[i].normal * std::abs(blocks_[i].impulse[0]),
                      own_[i].tangential[0] * lengthOfTangentialVector(blocks_[i].frictionImpulse())});
  return std::min(kOfRates * scale, kOfFirstRates * scale_);
}

bool ImpulseProblem::isContactPressedClosed(std::size_t block) const noexcept {
  const ImpulseBlock& b = blocks_[block];
  if (b.normal != NormalRule::unilateral) return b.impulse[0] > 0.0;
  return own_[block].normal * b.impulse[0] > b.rate[0] - b.target;
}

void ImpulseProblem::updateBlockStates() noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    const ImpulseBlock& b = blocks_[i];
    if (b.normal == NormalRule::unilateral && !isContactPressedClosed(i)) setImpulse(i, 0, 0.0);
    if (b.tangent == TangentRule::none || b.tangent == TangentRule::law || b.frictionLimit() > 0.0) continue;
    setImpulse(i, 1, 0.0);
    setImpulse(i, 2, 0.0);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    if (blocks_[i].tangent != TangentRule::disc) continue;
    const double limit = blocks_[i].frictionLimit();
    blocks_[i].slides = !(limit > 0.0) ||
                        lengthOfTangentialVector(frictionProjectionPoint(i)) > own_[i].tangential[0] * limit;
  }
}

void ImpulseProblem::saveImpulses() noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    const std::array<double, 3>&x = blocks_[i].impulse, &y = blocks_[i].rate;
    saved_[i] = {x[0], x[1], x[2], y[0], y[1], y[2]};
  }
}

void ImpulseProblem::restoreImpulses() noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    const std::array<double, 6>& s = saved_[i];
    blocks_[i].impulse = {s[0], s[1], s[2]};
    blocks_[i].rate = {s[3], s[4], s[5]};
  }
}

}  // namespace ricochet
