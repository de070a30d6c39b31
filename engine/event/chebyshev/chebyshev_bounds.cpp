// Bounds of the motion over a step, and of its interpolation error.

#include "engine/event/chebyshev/chebyshev_expansion.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

const Vector& ChebyshevExpansion::modalEnergyNorms() const noexcept {
  if (!energyKnown_)
    energy_ = (v_.array().square() + linear_->omegaSquared.array() * q_.array().square()).sqrt();
  energyKnown_ = true;
  return energy_;
}

const Vector& ChebyshevExpansion::freeMotionInterpolationErrors() const noexcept {
  if (!remaindersKnown_)
    remainders_ =
        level_->boundsOfMotionOverStep().freeMotionInterpolationError().cwiseProduct(modalEnergyNorms());
  remaindersKnown_ = true;
  return remainders_;
}

double ChebyshevExpansion::freeMotionInterpolationError(int row) const noexcept {
  const PlaneRow& along = this->row(row);
  return kernels::weightedSumOfAbsoluteValues(
      along.data(), freeMotionInterpolationErrors().data() + along.plane.begin, along.plane.size);
}

double ChebyshevExpansion::forcedMotionInterpolationError(int row) {
  computeForcePolynomials();
  double sum = 0.0;
  for (const int c : pushing_) {
    const double* each = level_->boundsOfInterpolationError(rows_, row, rowNumberOfColumn(c));
    if (each == nullptr) continue;
    for (int k = 0; k < basis_->pointCount(); ++k) sum += std::abs(chebyshev_(k, c)) * each[k];
  }
  return sum;
}

double ChebyshevExpansion::euclideanNormOfRow(int row) noexcept {
  double& size = rowSizes_[static_cast<std::size_t>(row)];
  const PlaneRow& along = this->row(row);
  if (size < 0.0) size = std::sqrt(kernels::dot(along.data(), along.data(), along.plane.size));
  return size;
}

bool ChebyshevExpansion::isInterpolationErrorBelow(int row, double most) {
  return euclideanNormOfRow(row) * interpolationErrorBoundPerUnitRowNorm(this->row(row).plane) <= most ||
         freeMotionInterpolationError(row) + forcedMotionInterpolationError(row) <= most;
}

/// Bound of the interpolation error along any row of norm 1 in a plane, from |sum a_j x_j| <= |a| |x| and
/// |sum a_j b_j R_j| <= |a| |b| max R_j.
double ChebyshevExpansion::interpolationErrorBoundPerUnitRowNorm(const ModePlane& plane) {
  double& share =
      shareOfRemainder_[static_cast<std::size_t>(std::ranges::find(plane_, plane) - plane_.begin())];
  if (share >= 0.0) return share;
  computeForcePolynomials();
  share = freeMotionInterpolationErrors().segment(plane.begin, plane.size).norm();
  const Vector& largest = level_->largestInterpolationErrors(plane);
  for (const int c : pushing_)
    if (row(rowNumberOfColumn(c)).plane == plane)
      share += euclideanNormOfRow(rowNumberOfColumn(c)) *
               chebyshev_.col(c).head(largest.size()).cwiseAbs().dot(largest);
  return share;
}

ChebyshevExpansion::Reach ChebyshevExpansion::displacementBoundsAlongRow(int row) noexcept {
  if (!reachKnown_) computeMotionBounds();
  const PlaneRow& along = this->row(row);
  double line[2];
  kernels::computeDotProductsOfRowWithColumns(line_.data() + along.plane.begin, q_.size(), 2, along.data(),
                                              along.plane.size, line);
  const double distance = kernels::weightedSumOfAbsoluteValues(
      along.data(), departures_.data() + along.plane.begin, along.plane.size);
  const double end = line[0] + stepLength() * line[1];
  return {std::min(line[0], end) - distance, std::max(line[0], end) + distance};
}

/// Computes bounds of the motion of all modes over the step, from which `reach` bounds the motion along a
/// row.
void ChebyshevExpansion::computeMotionBounds() noexcept {
  reachKnown_ = true;
  computeForcePolynomials();
  const VolterraBounds& bounds = level_->boundsOfMotionOverStep();
  line_.col(0) = bounds.slowModeMask().cwiseProduct(q_);
  line_.col(1) = bounds.slowModeMask().cwiseProduct(v_);
  for (const ModePlane& plane : plane_) {
    int count = 0;
    for (const int c : pushing_) {
      if (row(rowNumberOfColumn(c)).plane != plane) continue;
      pushRows_[static_cast<std::size_t>(count)] = row(rowNumberOfColumn(c)).values;
      pushSizes_[count++] = chebyshev_.col(c).cwiseAbs().sum();
    }
    kernels::computeMotionBounds({.plane = plane,
                                  .energy = modalEnergyNorms().data(),
                                  .departure = bounds.largestDepartureOfFreeMotion().data(),
                                  .reach = bounds.largestDisplacementUnderUnitForce().data(),
                                  .forces = count,
                                  .rows = pushRows_.data(),
                                  .sizes = pushSizes_.data()},
                                 departures_.data());
  }
}

}  // namespace ricochet
