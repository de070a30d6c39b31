// Norms and bounds of the terms of a Taylor expansion.

#include "engine/event/series/taylor_expansion.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ricochet {

double TaylorExpansion::displacementNorm(int k) const noexcept {
  const double* column = q_.col(k).data();
  return std::sqrt(kernels::dot(column, column, q_.rows()));
}

namespace {

/// Calls `square(columns, squares)` for the part of the columns in each plane.
template <class Square>
void visitModePlanesInBands(const double* columns, Eigen::Index stride, Eigen::Index count,
                            std::span<const ModePlane> planes, double* squares, Square&& square) noexcept {
  const int bands = TaylorExpansion::kBands / static_cast<int>(planes.size());
  for (const ModePlane& plane : planes) {
    square(kernels::BandedColumns{.columns = columns + plane.begin,
                                  .stride = stride,
                                  .count = count,
                                  .size = plane.size,
                                  .bands = bands,
                                  .apart = TaylorExpansion::kBands},
           squares);
    squares += bands;
  }
}

}  // namespace

TaylorExpansion::Bands TaylorExpansion::rowNormsByModeBand(const double* row,
                                                           std::span<const ModePlane> planes) noexcept {
  Bands squares = Bands::Zero();
  visitModePlanesInBands(row, 0, 1, planes, squares.data(), kernels::sumSquaresByModeBand);
  return squares.sqrt();
}

/// Computes the norms of the first terms, and a bound of the terms from n = kAlone on for steps up to `step`,
/// by the inequality of Cauchy and Schwarz: as the sum of 2^-j is 2,
///
///     sum over j of |q_(n+j)| h^j <= sqrt(2 sum over j of (2 h^2)^j |q_(n+j)|^2)
void TaylorExpansion::computeNormsOfSeriesTerms(double step) noexcept {
  const int count = order_ + 3, alone = std::min(count, kAlone);
  visitModePlanesInBands(q_.data(), q_.rows(), alone, plane_, sizes_.data(), kernels::sumSquaresByModeBand);
  visitModePlanesInBands(q_.data() + alone * q_.rows(), q_.rows(), count - alone, plane_,
                         sizes_.col(kAlone).data(),
                         [step](const kernels::BandedColumns& columns, double* squares) {
                           kernels::sumColumnSquaresByModeBand(columns, 2.0 * step * step, squares);
                         });
  sizes_.col(kAlone) *= 2.0;
  sizes_ = sizes_.cwiseSqrt();
  measured_ = step;
}

/// For a shorter step, the bound of the terms from kAlone on decreases at least like the first of these
/// terms.
TaylorExpansion::Bands TaylorExpansion::boundsOfMotionOverStep(double step, int first) noexcept {
  assert(first <= kAlone);
  if (!(step <= measured_)) computeNormsOfSeriesTerms(step);
  Bands paths = sizes_.col(kAlone);
  for (int k = std::min(order_ + 3, kAlone); k-- > first;) paths = sizes_.col(k).array() + paths * step;
  for (int k = 0; k < first; ++k) paths *= step;
  return paths;
}

double TaylorExpansion::sumOfForceTermMagnitudes(int channel, int k) const noexcept {
  const auto c = static_cast<std::size_t>(channel);
  const std::size_t place = firstCoefficientIndexOfChannel(channel) + static_cast<std::size_t>(k);
  double size = k < givenCount_[c] ? std::abs(given_[place]) : 0.0;
  if (fedBack_[c] != 0)
    size += std::abs(stiffness_[c] * dots_[place]) + std::abs(dampingOf_[c] * (k + 1) * dots_[place + 1]);
  if (follows_[c] >= 0)
    size +=
        std::abs(factor_[c]) *
        (follows_[c] < channels_ ? sumOfForceTermMagnitudes(follows_[c], k)
                                 : std::abs(reaction(follows_[c] - channels_)[static_cast<std::size_t>(k)]));
  return size;
}

double TaylorExpansion::forceNormSum(int k) const noexcept {
  const auto norm = [this](double& known, const double* row) {
    if (known < 0.0) known = std::sqrt(kernels::dot(row, row, q_.rows()));
    return known;
  };
  double sum = 0.0;
  for (int c = 0; c < channels_; ++c) {
    const auto place = static_cast<std::size_t>(c);
    sum += sumOfForceTermMagnitudes(c, k) * norm(rowNorms_[place], rows_[place]);
  }
  for (int r = 0; r < constraints_; ++r) {
    const auto place = static_cast<std::size_t>(r);
    sum += std::abs(reaction(r)[static_cast<std::size_t>(k)]) *
           norm(constraintNorms_[place], constraintRows_[place]);
  }
  return sum;
}

double TaylorExpansion::velocityNorm(int k) const noexcept {
  const double* column = q_.col(k + 1).data();
  return (k + 1) * std::sqrt(kernels::dot(column, column, q_.rows()));
}

double TaylorExpansion::elasticForceNorm(int k) const noexcept {
  return (linear_->omegaSquared.array() * q_.col(k).array()).matrix().norm();
}

}  // namespace ricochet
