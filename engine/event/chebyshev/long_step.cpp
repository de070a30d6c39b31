#include "engine/event/chebyshev/long_step.hpp"

#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"
#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// theta = omega h of the fastest mode over the longest step. The error of kernels interpolated at N points
/// is (theta/4)^N 2/N!: 1e-15 for 32 points, and 3e-18 for 20 points and a quarter of the step.
constexpr double kLongestPhase = 17.0;
/// R = r h of the fastest decay exp(-r t) of a mode beyond critical damping. The error of its kernel is
/// exp(-R/2) I_N(R/2): 1e-15 for 32 points, and 1e-16 for 20 points and a quarter of the step.
constexpr double kLongestDecay = 25.0;
constexpr int kKernelPoints = 32;
constexpr int kFewerKernelPoints = 20;
/// Effect of the truncated terms of a force on the velocity, divided by the impulse of the last Chebyshev
/// coefficient. The truncated terms are smaller than the last one and alternate like T_16, whose integral is
/// 1/255 (measured: with 0.03 the error of a run is the tolerance, with 0.001 a hundred times the tolerance).
constexpr double kUnseen = 3e-2;

/// Allowed error of the work of a varying load, in units of error times speed: interpolation errors alternate
/// between points and mostly cancel in the integral.
constexpr double kAlternating = 100.0;
/// Allowed error of the motion at a contact, relative to sqrt(error speed) h with the step h [s].
constexpr double kOff = 0.01;

double largestLengthOfLongStep(const LinearSystem& linear) {
  double fastest = 1e-150;
  for (Eigen::Index j = 0; j < linear.modes; ++j) {
    const double square = linear.omegaSquared[j], d = 0.5 * linear.dampingDiagonal[j];
    fastest = std::max(fastest, std::sqrt(square));
    if (d * d > square)
      fastest = std::max(fastest, kLongestPhase / kLongestDecay * (d + std::sqrt(d * d - square)));
  }
  return kLongestPhase / fastest;
}

double largestMagnitude(std::span<const double> values) noexcept {
  double largest = 0.0;
  for (const double each : values) largest = std::max(largest, std::abs(each));
  return largest;
}

double totalVariation(std::span<const double> values) noexcept {
  double sum = 0.0;
  for (std::size_t i = 1; i < values.size(); ++i) sum += std::abs(values[i] - values[i - 1]);
  return sum;
}

const VolterraBasis& volterraBasis() {
  static const VolterraBasis kBasis(LongStep::kPoints, kKernelPoints);
  return kBasis;
}

/// Basis for all steps but the longest, with fewer points for kernels.
const VolterraBasis& volterraBasisOfShorterSteps() {
  static const VolterraBasis kBasis(LongStep::kPoints, kFewerKernelPoints);
  return kBasis;
}

using Square = Eigen::Matrix<double, LongStep::kPoints, LongStep::kPoints>;
using Column = Eigen::Matrix<double, LongStep::kPoints, 1>;

/// Gauss rule that is exact for the product of two polynomials of degree kPoints - 1.
const GaussLegendre& gaussQuadrature() {
  static const GaussLegendre kRule(LongStep::kPoints);
  return kRule;
}

/// Integral of e_a e_b' over a step, with the polynomials e_a that are 1 at point a and 0 at the others.
Square workIntegralMatrix() {
  const GaussLegendre& rule = gaussQuadrature();
  Square values, slopes;  // values and slopes of T_k(x) at the points of the rule
  for (int i = 0; i < LongStep::kPoints; ++i) {
    const double angle = std::acos(rule.point[static_cast<std::size_t>(i)]);
    for (int k = 0; k < LongStep::kPoints; ++k) {
      values(i, k) = std::cos(k * angle);
      slopes(i, k) = k * std::sin(k * angle) / std::sin(angle);
    }
    slopes.row(i) *= rule.weight[static_cast<std::size_t>(i)];
  }
  const Square toChebyshev = volterraBasis().valuesToChebyshevMatrix();
  const Square ofChebyshev = values.transpose() * slopes;
  const Square left = toChebyshev.transpose() * ofChebyshev;
  return left * toChebyshev;
}

}  // namespace

LongStep::LongStep(const ModePlanes& planes, int mostChannels, int mostConstraints)
    : linear_(&planes.linearSystem()),
      expansion_(volterraBasis(), planes, mostChannels, mostChannels, mostConstraints),
      longest_(largestLengthOfLongStep(*linear_)),
      forces_(Matrix::Zero(kPoints, std::max(1, mostChannels))),
      motions_(forces_),
      reactions_(Matrix::Zero(kPoints, std::max(1, mostConstraints))),
      forceKnown_(static_cast<std::size_t>(mostChannels)),
      motionKnown_(forceKnown_),
      reactionKnown_(static_cast<std::size_t>(mostConstraints)),
      rows_(forceKnown_.size()),
      constraintRows_(reactionKnown_.size()),
      rowSize_(rows_.size()),
      constraintSize_(constraintRows_.size()),
      follows_(rows_.size()) {}

double LongStep::length(int level) const noexcept { return std::ldexp(longest_, -2 * level); }

double LongStep::instantOfChebyshevPoint(int point) const noexcept {
  return length() * volterraBasis().nodes()[static_cast<std::size_t>(point)];
}

void LongStep::copyChannels(const TaylorExpansion& expansion, int loads, bool loadsVary) {
  const auto sizeOf = [this](const double* row) {
    return expansion_.euclideanNormOfRow(expansion_.findOrAddRow(row));
  };
  expansion_.reset();
  loads_ = loads;
  for (int c = 0; c < expansion.constraintCount(); ++c) {
    const auto place = static_cast<std::size_t>(expansion_.addConstraint(expansion.constraintRow(c)));
    constraintRows_[place] = expansion.constraintRow(c);
    constraintSize_[place] = sizeOf(constraintRows_[place]);
  }
  for (int c = 0; c < expansion.channelCount(); ++c) {
    Channel channel = expansion.channel(c);
    channel.watched = c >= loads || loadsVary;
    const auto place = static_cast<std::size_t>(expansion_.addForce(channel));
    rows_[place] = channel.row;
    rowSize_[place] = sizeOf(channel.row);
    follows_[place] = channel.watched && channel.stiffness == 0.0 && channel.damping == 0.0 ? 1 : 0;
  }
}

void LongStep::setStepLength(int level) {
  expansion_.setStepLength(length(level), level == 0 ? &volterraBasis() : &volterraBasisOfShorterSteps());
}

void LongStep::evaluateSeriesAtPoints(std::span<const double> series,
                                      std::span<double> values) const noexcept {
  for (int l = 0; l < kPoints; ++l)
    values[static_cast<std::size_t>(l)] = polynomialAt(series, instantOfChebyshevPoint(l));
}

void LongStep::computeSeries(std::span<const double> values, std::span<double> series) const noexcept {
  static_assert(kPoints % kLanes == 0);
  alignas(64) std::array<double, kPoints> at, coefficients{}, powers{};
  std::copy_n(values.begin(), kPoints, at.begin());
  kernels::addMatrixVectorProduct(volterraBasis().valuesToChebyshevMatrix().data(), 1.0, at.data(),
                                  coefficients.data(), kPoints, kPoints);
  kernels::addMatrixVectorProduct(volterraBasis().chebyshevToMonomialMatrix().data(), 1.0,
                                  coefficients.data(), powers.data(), kPoints, kPoints);
  const double perStep = 1.0 / length();
  double power = 1.0;
  for (std::size_t k = 0; k < powers.size(); ++k, power *= perStep) series[k] = power * powers[k];
}

/// Truncation error of a force along a row of norm `size`, relative to its limit.
double LongStep::relativeTruncationError(std::span<const double> values, double size,
                                         double error) const noexcept {
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  const double largest = largestMagnitude(values);
  if (largest == 0.0) return 0.0;
  return expansion_.truncationError(values) / (error / (kUnseen * length() * size) + kRounding * largest);
}

/// True if the interpolation error of all followed motions is small enough. The power series at the end of a
/// long step corrects the error of a guard. The error of the work of a load, F u at the ends minus the
/// integral of F' u, is at most the variation of F times the error of u, which is zero at the ends and
/// alternates.
bool LongStep::doesStepResolveFollowedMotions(double error, double speed) {
  for (int c = 0; c < channelCount(); ++c) {
    const auto place = static_cast<std::size_t>(c);
    if (follows_[place] == 0) continue;
    const int row = findOrAddRow(rows_[place]);
    double most = kOff * std::sqrt(error * speed) * rowSize_[place] * length();
    if (c < loads_) {
      const double change = totalVariation(expansion_.force(c));
      most = change > 0.0 ? kAlternating * error * speed / change : std::numeric_limits<double>::infinity();
    }
    if (!expansion_.isInterpolationErrorBelow(row, most)) return false;
  }
  return true;
}

bool LongStep::solveForcesAndMotion(const Vector& q, const Vector& v, double error, double speed) {
  expansion_.solveForcesAndMotion(q, v);
  excess_ = 0.0;
  for (int c = 0; c < channelCount(); ++c)
    excess_ = std::max(
        excess_, relativeTruncationError(expansion_.force(c), rowSize_[static_cast<std::size_t>(c)], error));
  for (int c = 0; c < constraintCount(); ++c)
    excess_ = std::max(excess_, relativeTruncationError(expansion_.reaction(c),
                                                        constraintSize_[static_cast<std::size_t>(c)], error));
  if (!(excess_ <= 1.0) || !doesStepResolveFollowedMotions(error, speed)) return false;
  for (std::vector<char>* known : {&forceKnown_, &motionKnown_, &reactionKnown_})
    std::fill(known->begin(), known->end(), char{0});
  return true;
}

void LongStep::motionSeriesAlongRow(int row, std::span<double> series) {
  std::array<double, kPoints> values;
  expansion_.motionValuesAlongRow(row, values);
  this->computeSeries(values, series);
}

/// The bounds of the interpolation error are rigorous: between the points the error is at most `error`.
bool LongStep::motionSeriesAlongRow(int row, double error, std::span<double> series) {
  constexpr double kRounding = 1e-15;
  std::array<double, kPoints> values;
  expansion_.motionValuesAlongRow(row, values);
  if (!expansion_.isInterpolationErrorBelow(row, error + kRounding * largestMagnitude(values))) return false;
  this->computeSeries(values, series);
  return true;
}

void LongStep::evaluate(double tau, Vector& q, Vector& v) noexcept {
  if (tau == length())
    expansion_.evaluateMotionAtStepEnd(q, v);
  else
    expansion_.evaluate(tau, q, v);
}

void LongStep::acceleration(double tau, const Vector& q, const Vector& v, Vector& a) const noexcept {
  a = -(linear_->omegaSquared.array() * q.array() + linear_->dampingDiagonal.array() * v.array());
  for (int c = 0; c < channelCount(); ++c)
    kernels::addScaled(polynomialAt(force(c), tau), rows_[static_cast<std::size_t>(c)], a.data(), a.size());
  for (int c = 0; c < constraintCount(); ++c)
    kernels::addScaled(polynomialAt(reaction(c), tau), constraintRows_[static_cast<std::size_t>(c)], a.data(),
                       a.size());
}

namespace {

double workOfForceUpToInstant(double tau, std::span<const double> force,
                              std::span<const double> motion) noexcept {
  const GaussLegendre& rule = gaussQuadrature();
  double sum = 0.0;
  for (std::size_t i = 0; i < rule.point.size(); ++i) {
    const double t = 0.5 * (1.0 + rule.point[i]) * tau;
    sum += rule.weight[i] * polynomialAt(force, t) * slopeAt(motion, t);
  }
  return 0.5 * tau * sum;
}

}  // namespace

double LongStep::workOfReaction(int constraint, double tau) {
  std::array<double, kPoints> motion;
  motionSeriesAlongRow(findOrAddRow(constraintRows_[static_cast<std::size_t>(constraint)]), motion);
  return workOfForceUpToInstant(tau, reaction(constraint), motion);
}

double LongStep::workOfForce(int channel, double tau) const noexcept {
  if (tau == length()) {
    static const Square kWork = workIntegralMatrix();
    return Eigen::Map<const Column>(expansion_.force(channel).data())
        .dot(kWork * Eigen::Map<const Column>(expansion_.motion(channel).data()));
  }
  return workOfForceUpToInstant(tau, force(channel), motion(channel));
}

}  // namespace ricochet
