#pragma once

#include "engine/numerics/state.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// Interpolation in time over a step, on [0, 1], and convolutions of interpolated functions: constants that
/// depend on the numbers of points P and N only.
///
///   x_l  = sin^2(pi l/(2 (P - 1)))        Chebyshev-Lobatto points, ends included, of forces and
///   displacements x'_k                                  N Chebyshev-Gauss points, of kernels Lambda_k(l, l')
///   = integral of L_k(x_l - s) e_l'(s) ds from 0 to x_l
///
/// with L_k and e_l the polynomials that are 1 at one point and 0 at the others. A convolution of a kernel K
/// and a force f is then sum over k, l' of Lambda_k(l, l') K(x'_k) f(x_l'), exact for polynomials of degrees
/// below N and P.
class VolterraBasis {
 public:
  /// Sets up P = `points` and N = `samplingPointCountOfKernel`, both at most kernels::kMostPoints.
  VolterraBasis(int points, int samplingPointCountOfKernel);

  int pointCount() const noexcept { return static_cast<int>(nodes_.size()); }
  int samplingPointCountOfKernel() const noexcept { return static_cast<int>(kernelNodes_.size()); }
  std::span<const double> nodes() const noexcept { return nodes_; }
  std::span<const double> samplingNodesOfKernel() const noexcept { return kernelNodes_; }

  /// P padded to a multiple of kLanes, the length of columns in the kernels.
  Eigen::Index paddedPointCount() const noexcept { return toChebyshev_.rows(); }

  /// Matrix from values at the points to coefficients of the Chebyshev polynomials T_k(2 x - 1): stride x P,
  /// padded with zeros.
  const Matrix& valuesToChebyshevMatrix() const noexcept { return toChebyshev_; }
  /// Matrix from coefficients of T_k(2 x - 1) to coefficients of x^k: stride x P.
  const Matrix& chebyshevToMonomialMatrix() const noexcept { return toMonomials_; }

  /// Weight Lambda_k(l, l') of a convolution.
  double convolutionWeight(Eigen::Index k, Eigen::Index l, Eigen::Index other) const noexcept {
    const Eigen::Index i = l + paddedPointCount() * other;
    return weights_((i / kLanes * samplingPointCountOfKernel() + k) * kLanes + i % kLanes);
  }
  /// Weights of the convolution at the last point for a force T_k instead of e_l': N x P.
  const Matrix& convolutionWeightsAtStepEnd() const noexcept { return weightsOfEnd_; }
  /// All weights in the order of kernels::addWeightedVectors: the N weights of a block of kLanes points in
  /// sequence.
  const double* convolutionWeights() const noexcept { return weights_.data(); }

  /// Truncation error of a function: the larger of its last Chebyshev coefficient and half of the last but
  /// one.
  double truncationError(std::span<const double> values) const noexcept;

 private:
  void setUpChebyshevTransforms();
  void setUpConvolutionWeights();

  std::vector<double> nodes_, kernelNodes_;
  Matrix toChebyshev_, toMonomials_;
  Matrix lastTwo_;  // P x 2: rows of toChebyshev, the last but one halved
  Vector weights_;
  Matrix weightsOfEnd_;
};

}  // namespace ricochet
