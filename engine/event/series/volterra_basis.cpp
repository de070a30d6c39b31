#include "engine/event/series/volterra_basis.hpp"

#include "engine/event/series/volterra_kernel.hpp"
#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

/// All polynomials that are 1 at one of the points and 0 at the others, at x: by the barycentric formula,
/// which stays accurate beside a point.
class Lagrange {
 public:
  explicit Lagrange(std::span<const double> points) : points_(points), factors_(points.size(), 1.0) {
    // Points of [0, 1] are about a quarter apart: scaled products stay of order one.
    constexpr double kScale = 4.0;
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = 0; j < points.size(); ++j)
        if (j != i) factors_[i] /= kScale * (points[i] - points[j]);
  }

  void lagrangeBasisValuesAt(double x, std::vector<double>& values) const {
    values.assign(points_.size(), 0.0);
    double sum = 0.0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (x == points_[i]) {
        values.assign(points_.size(), 0.0);
        values[i] = 1.0;
        return;
      }
      values[i] = factors_[i] / (x - points_[i]);
      sum += values[i];
    }
    for (double& value : values) value /= sum;
  }

 private:
  std::span<const double> points_;
  std::vector<double> factors_;
};

/// Value of T_k(2 x - 1) at point l of n.
double chebyshevPolynomialValueAtPoint(Eigen::Index k, Eigen::Index l, Eigen::Index n) {
  const auto turn = static_cast<double>((k * (n - 1 - l)) % (2 * (n - 1)));
  return std::cos(std::numbers::pi * turn / static_cast<double>(n - 1));
}

}  // namespace

VolterraBasis::VolterraBasis(int points, int samplingPointCountOfKernel) {
  assert(points >= 2 && paddedSize(points) <= kernels::kMostPoints);
  for (int l = 0; l < points; ++l) {
    const double s = std::sin(0.5 * std::numbers::pi * l / (points - 1));
    nodes_.push_back(s * s);
  }
  for (int k = 0; k < samplingPointCountOfKernel; ++k) {
    const double s = std::sin(0.25 * std::numbers::pi * (2 * k + 1) / samplingPointCountOfKernel);
    kernelNodes_.push_back(s * s);
  }
  setUpChebyshevTransforms();
  setUpConvolutionWeights();
}

/// Matrix from values f_l at the P points to Chebyshev coefficients c_k = 2/(P - 1) sum f_l cos(pi k (P - 1 -
/// l)/(P - 1)); the first and last term of the sum, and c_0 and c_(P-1), are halved. The polynomials T_k(2 x
/// - 1) follow by recurrence, exact in long double.
void VolterraBasis::setUpChebyshevTransforms() {
  const auto n = static_cast<Eigen::Index>(nodes_.size());
  toChebyshev_ = Matrix::Zero(paddedSize(n), n);
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index l = 0; l < n; ++l) {
      const bool halfRow = k == 0 || k == n - 1, halfColumn = l == 0 || l == n - 1;
      toChebyshev_(k, l) = chebyshevPolynomialValueAtPoint(k, l, n) * 2.0 / static_cast<double>(n - 1) *
                           (halfRow ? 0.5 : 1.0) * (halfColumn ? 0.5 : 1.0);
    }
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> powers(n, n);
  powers.setZero();
  powers(0, 0) = 1.0L;
  if (n > 1) {
    powers(0, 1) = -1.0L;
    powers(1, 1) = 2.0L;
  }
  for (Eigen::Index k = 2; k < n; ++k) {
    powers.col(k) = -2.0L * powers.col(k - 1) - powers.col(k - 2);
    powers.col(k).tail(n - 1) += 4.0L * powers.col(k - 1).head(n - 1);
  }
  toMonomials_ = Matrix::Zero(paddedSize(n), n);
  toMonomials_.topRows(n) = powers.cast<double>();
  lastTwo_.resize(n, 2);
  lastTwo_.col(0) = toChebyshev_.row(n - 1).transpose();
  lastTwo_.col(1) = 0.5 * toChebyshev_.row(n - 2).transpose();
}

double VolterraBasis::truncationError(std::span<const double> values) const noexcept {
  const Eigen::Map<const Vector> at(values.data(), lastTwo_.rows());
  return std::max(std::abs(lastTwo_.col(0).dot(at)), std::abs(lastTwo_.col(1).dot(at)));
}

void VolterraBasis::setUpConvolutionWeights() {
  const std::size_t n = nodes_.size();
  const GaussLegendre rule((n + kernelNodes_.size()) / 2 + 1);
  const Lagrange kernel(kernelNodes_), force(nodes_);
  const auto size = static_cast<Eigen::Index>(n);
  const auto count = static_cast<Eigen::Index>(kernelNodes_.size());
  weights_ = Vector::Zero(paddedPointCount() * size * count);
  std::vector<double> kernelAt, forceAt;
  for (std::size_t l = 1; l < n; ++l)
    for (std::size_t g = 0; g < rule.point.size(); ++g) {
      const double s = nodes_[l] * 0.5 * (1.0 + rule.point[g]);
      kernel.lagrangeBasisValuesAt(nodes_[l] - s, kernelAt);
      force.lagrangeBasisValuesAt(s, forceAt);
      const double share = nodes_[l] * 0.5 * rule.weight[g];
      for (std::size_t other = 0; other < n; ++other) {
        const auto i = static_cast<Eigen::Index>(l) + paddedPointCount() * static_cast<Eigen::Index>(other);
        double* to = &weights_[i / kLanes * count * kLanes + i % kLanes];
        for (std::size_t k = 0; k < kernelAt.size(); ++k, to += kLanes)
          *to += share * kernelAt[k] * forceAt[other];
      }
    }
  weightsOfEnd_ = Matrix::Zero(count, size);
  for (Eigen::Index order = 0; order < size; ++order)
    for (Eigen::Index l = 0; l < size; ++l) {
      const double at = chebyshevPolynomialValueAtPoint(order, l, size);
      for (Eigen::Index k = 0; k < count; ++k)
        weightsOfEnd_(k, order) += at * convolutionWeight(k, size - 1, l);
    }
}

}  // namespace ricochet
