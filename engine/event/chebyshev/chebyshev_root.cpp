#include "engine/event/chebyshev/chebyshev_root.hpp"

#include "engine/event/series/volterra_kernel.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace ricochet {
namespace {

constexpr std::size_t kMost = ChebyshevPolynomial::kMost;
constexpr int kCells = 32;

/// Column n: coefficients of x^n in cos(k theta), x = sin^2(theta/2) = (1 - cos theta)/2:
///
///     x^n = 2^(1 - 2 n) sum over k of (-1)^k C(2 n, n - k) cos(k theta), half of it for k = 0
Matrix cosineCoefficientsOfPowers(Eigen::Index size) {
  Matrix columns = Matrix::Zero(size, size);
  columns(0, 0) = 1.0;
  for (Eigen::Index n = 0; n + 1 < size; ++n)
    for (Eigen::Index k = 0; k <= n; ++k) {  // multiplies the column by (1 - cos theta)/2
      const double part = columns(k, n);
      columns(k, n + 1) += 0.5 * part;
      columns(k + 1, n + 1) -= k == 0 ? 0.5 * part : 0.25 * part;
      if (k > 0) columns(k - 1, n + 1) -= 0.25 * part;
    }
  return columns;
}

/// Values of cos(k theta) at the borders of cells of equal width.
class CosineGrid {
 public:
  CosineGrid() noexcept {
    for (std::size_t k = 0; k < kMost; ++k)
      for (std::size_t i = 0; i <= kCells; ++i)
        cosine_[k][i] = std::cos(std::numbers::pi * static_cast<double>(k * i) / kCells);
  }
  const std::array<double, kCells + 1>& gridCosinesOfOrder(std::size_t k) const noexcept {
    return cosine_[k];
  }

 private:
  std::array<std::array<double, kCells + 1>, kMost> cosine_{};
};

struct Point {
  double value;
  double slope;
};

/// Sum of c_k cos(k theta) and its slope: -sin(theta) times a sum of k c_k U_(k-1)(cos theta).
Point valueAndSlopeAt(std::span<const double> c, double theta) noexcept {
  const double x = std::cos(theta);
  double first = 0.0, second = 0.0;    // sums of Clenshaw's recursion for the value
  double firstU = 0.0, secondU = 0.0;  // sums for the slope
  for (std::size_t k = c.size(); k-- > 1;) {
    const double nextU = static_cast<double>(k) * c[k] + 2.0 * x * firstU - secondU;
    secondU = firstU;
    firstU = nextU;
    const double next = c[k] + 2.0 * x * first - second;
    second = first;
    first = next;
  }
  return {c[0] + x * first - second, -std::sin(theta) * firstU};
}

}  // namespace

ChebyshevPolynomial::ChebyshevPolynomial(std::span<const double> p, double end) noexcept
    : size_(p.size()), end_(end) {
  // Most guards have at most this number of coefficients; only cones of sticks in two dimensions have more.
  constexpr int kFew = 16;
  static const Matrix kTableOfFew = cosineCoefficientsOfPowers(kFew),
                      kTable = cosineCoefficientsOfPowers(kMost);
  while (size_ > 1 && p[size_ - 1] == 0.0) --size_;
  assert(size_ <= kMost);
  alignas(64) std::array<double, kMost> powers{};
  double power = 1.0;
  for (std::size_t n = 0; n < size_; ++n, power *= end) powers[n] = p[n] * power;
  if (size_ <= kFew) {
    kernels::addMatrixVectorProduct(kTableOfFew.data(), 1.0, powers.data(), c_.data(), kFew, kFew);
  } else {
    const auto size = static_cast<Eigen::Index>(size_);
    Eigen::Map<Vector>(c_.data(), size).noalias() =
        kTable.topLeftCorner(size, size) * Eigen::Map<const Vector>(powers.data(), size);
  }
  for (std::size_t k = 1; k < size_; ++k) reach_ += std::abs(c_[k]);
}

namespace {

constexpr std::size_t kNodes = ChebyshevPolynomial::kNodes;

double angleOfChebyshevNode(std::size_t i) noexcept {
  return std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(kNodes);
}

/// Chebyshev coefficients of values at the roots of T_n, by discrete orthogonality: c_k = 2/n sum of p_i
/// cos(k theta_i), half of it for k = 0.
Matrix cosineTransform() {
  Matrix columns(kNodes, kNodes);
  for (std::size_t i = 0; i < kNodes; ++i)
    for (std::size_t k = 0; k < kNodes; ++k)
      columns(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i)) =
          (k == 0 ? 1.0 : 2.0) / static_cast<double>(kNodes) *
          std::cos(static_cast<double>(k) * angleOfChebyshevNode(i));
  return columns;
}

}  // namespace

const std::array<double, kNodes>& ChebyshevPolynomial::nodes() noexcept {
  static const std::array<double, kNodes> kAll = [] {
    std::array<double, kNodes> all{};
    for (std::size_t i = 0; i < kNodes; ++i) {
      const double sine = std::sin(0.5 * angleOfChebyshevNode(i));
      all[i] = sine * sine;
    }
    return all;
  }();
  return kAll;
}

ChebyshevPolynomial ChebyshevPolynomial::interpolant(const std::array<double, kNodes>& values) noexcept {
  static const Matrix kTable = cosineTransform();
  ChebyshevPolynomial p(kNodes, 1.0);
  Eigen::Map<Vector>(p.c_.data(), kNodes).noalias() =
      kTable * Eigen::Map<const Vector>(values.data(), kNodes);
  for (std::size_t k = 1; k < kNodes; ++k) p.reach_ += std::abs(p.c_[k]);
  return p;
}

/// Left border of the first cell that may contain a root: within a cell the function lies above its chord
/// minus the sag, curvature width^2/8.
double ChebyshevPolynomial::firstCellThatMayContainRoot(double curvature, double noise) const noexcept {
  static const CosineGrid kGrid;
  constexpr double kWidth = std::numbers::pi / kCells;
  const double sag = 0.125 * curvature * kWidth * kWidth + noise;
  std::array<double, kCells + 1> values{};
  for (std::size_t k = 0; k < size_; ++k) {
    const std::array<double, kCells + 1>& cosine = kGrid.gridCosinesOfOrder(k);
    for (std::size_t i = 0; i <= kCells; ++i) values[i] += c_[k] * cosine[i];
  }
  std::size_t certain = 0;
  while (certain <= kCells && values[certain] > sag) ++certain;
  if (certain > kCells) return std::numbers::pi;
  return certain == 0 ? 0.0 : kWidth * static_cast<double>(certain - 1);
}

RootSearch ChebyshevPolynomial::firstRoot() const noexcept {
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  const double noise = kRounding * (std::abs(c_[0]) + reach_);
  if (c_[0] > reach_ + noise) return {false, end_};
  double curvature = 0.0;
  for (std::size_t k = 1; k < size_; ++k) curvature += static_cast<double>(k * k) * std::abs(c_[k]);
  double theta = firstCellThatMayContainRoot(curvature, noise);
  const auto timeOf = [this](double angle) {
    const double sine = std::sin(0.5 * angle);
    return std::min(end_, end_ * sine * sine);
  };
  const std::span<const double> c(c_.data(), size_);
  constexpr int kMostAdvances = 10'000;
  for (int i = 0; i < kMostAdvances && theta < std::numbers::pi; ++i) {
    const Point here = valueAndSlopeAt(c, theta);
    if (!(here.value > noise)) {
      // Within rounding of the root, the tangent gives its position if it crosses zero.
      if (here.slope < 0.0) theta = std::clamp(theta - here.value / here.slope, 0.0, std::numbers::pi);
      return {true, timeOf(theta)};
    }
    const double advance = distanceOfCertainPositivity(here.value, here.slope, curvature);
    theta += advance;
    if (advance <= kRounding * theta) return {true, timeOf(theta)};
  }
  return theta < std::numbers::pi ? RootSearch{false, timeOf(theta)} : RootSearch{false, end_};
}

}  // namespace ricochet
