// What a step may reach, and what its points do not see.

#include "engine/event/chebyshev_expansion.hpp"
#include "engine/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

const Vector& ChebyshevExpansion::energy() const noexcept {
  if (!energyKnown_)
    energy_ = (v_.array().square() + linear_->omegaSquared.array() * q_.array().square()).sqrt();
  energyKnown_ = true;
  return energy_;
}

const Vector& ChebyshevExpansion::remainders() const noexcept {
  if (!remaindersKnown_) remainders_ = level_->bounds().freeRemainder().cwiseProduct(energy());
  remaindersKnown_ = true;
  return remainders_;
}

double ChebyshevExpansion::freeRemainder(int row) const noexcept {
  return kernels::absoluteDot(rows_[static_cast<std::size_t>(row)], remainders().data(), q_.size());
}

double ChebyshevExpansion::forcedRemainder(int row) {
  polynomials();
  double sum = 0.0;
  for (const int c : pushing_) {
    const double* each = level_->remainder(rows_, row, rowNumber(c));
    if (each == nullptr) continue;
    for (int k = 0; k < basis_->points(); ++k) sum += std::abs(chebyshev_(k, c)) * each[k];
  }
  return sum;
}

double ChebyshevExpansion::sizeOf(int row) noexcept {
  double& size = rowSizes_[static_cast<std::size_t>(row)];
  const double* shape = rows_[static_cast<std::size_t>(row)];
  if (size < 0.0) size = std::sqrt(kernels::dot(shape, shape, q_.size()));
  return size;
}

/// |sum a_j x_j| <= |a| |x| and |sum a_j b_j R_j| <= |a| |b| max R_j.
bool ChebyshevExpansion::remainsWithin(int row, double most) {
  if (shareOfRemainder_ < 0.0) {
    polynomials();
    shareOfRemainder_ = remainders().norm();
    const Vector& largest = level_->largestRemainders();
    for (const int c : pushing_)
      shareOfRemainder_ +=
          sizeOf(rowNumber(c)) * chebyshev_.col(c).head(largest.size()).cwiseAbs().dot(largest);
  }
  return sizeOf(row) * shareOfRemainder_ <= most || freeRemainder(row) + forcedRemainder(row) <= most;
}

ChebyshevExpansion::Reach ChebyshevExpansion::reach(int row) noexcept {
  if (!reachKnown_) boundReach();
  const double* shape = rows_[static_cast<std::size_t>(row)];
  double line[2];
  kernels::dots(line_.data(), 2, shape, q_.size(), line);
  const double distance = kernels::absoluteDot(shape, departures_.data(), q_.size());
  const double end = line[0] + step() * line[1];
  return {std::min(line[0], end) - distance, std::max(line[0], end) + distance};
}

/// Of all modes, what every row takes its part of.
void ChebyshevExpansion::boundReach() noexcept {
  reachKnown_ = true;
  polynomials();
  const VolterraBounds& bounds = level_->bounds();
  line_.col(0) = bounds.line().cwiseProduct(q_);
  line_.col(1) = bounds.line().cwiseProduct(v_);
  int count = 0;
  for (const int c : pushing_) {
    pushRows_[static_cast<std::size_t>(count)] = rows_[static_cast<std::size_t>(rowNumber(c))];
    pushSizes_[count++] = chebyshev_.col(c).cwiseAbs().sum();
  }
  kernels::reachBounds({.size = q_.size(),
                        .energy = energy().data(),
                        .departure = bounds.departure().data(),
                        .reach = bounds.reach().data(),
                        .forces = count,
                        .rows = pushRows_.data(),
                        .sizes = pushSizes_.data()},
                       departures_.data());
}

}  // namespace ricochet
