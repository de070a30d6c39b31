#include "engine/links/angle_function.hpp"

#include "physical/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

}  // namespace

/// Second derivatives m at the points of a spline whose slope is continuous, with h the intervals and y the
/// values:
///     h_- m_- + 2 (h_- + h) m + h m_+ = 6 [(y_+ - y)/h - (y - y_-)/h_-]
AngleFunction::AngleFunction(std::vector<double> angles, std::vector<double> values)
    : angles_(std::move(angles)), values_(std::move(values)) {
  const auto n = static_cast<Eigen::Index>(angles_.size());
  const auto width = [&](Eigen::Index i) {
    const auto k = static_cast<std::size_t>(i);
    return i + 1 < n ? angles_[k + 1] - angles_[k] : angles_.front() + kTurn - angles_.back();
  };
  const auto y = [&](Eigen::Index i) { return values_[static_cast<std::size_t>(i % n)]; };
  std::vector<Eigen::Triplet<double>> entries;
  Vector right(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index before = (i + n - 1) % n;
    const double h = width(i);
    const double hBefore = width(before);
    const auto at = [](Eigen::Index k) { return static_cast<int>(k); };
    entries.emplace_back(at(i), at(before), hBefore);
    entries.emplace_back(at(i), at(i), 2.0 * (hBefore + h));
    entries.emplace_back(at(i), at((i + 1) % n), h);
    right[i] = 6.0 * ((y(i + 1) - y(i)) / h - (y(i) - y(before)) / hBefore);
  }
  SparseMatrix matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseLU<SparseMatrix> solver(matrix);
  const Vector bends = solver.solve(right);
  bends_.assign(bends.begin(), bends.end());
}

AngleFunction::Place AngleFunction::intervalContainingAngle(double angle) const noexcept {
  double x = angle - kTurn * std::floor(angle / kTurn);
  if (x < angles_.front()) x += kTurn;
  const auto above = std::upper_bound(angles_.begin() + 1, angles_.end(), x);
  const auto i = static_cast<std::size_t>(above - angles_.begin()) - 1;
  const bool last = i + 1 == angles_.size();
  const std::size_t j = last ? 0 : i + 1;
  return {i, j, last ? angles_.front() + kTurn - angles_.back() : angles_[j] - angles_[i], x - angles_[i]};
}

AngleFunction::Piece AngleFunction::splinePieceAtAngle(double angle) const noexcept {
  const auto [i, j, h, from] = intervalContainingAngle(angle);
  const double begin = angle - from;
  return {begin,
          begin + h,
          {values_[i], (values_[j] - values_[i]) / h - h / 6.0 * (2.0 * bends_[i] + bends_[j]),
           0.5 * bends_[i], (bends_[j] - bends_[i]) / (6.0 * h)}};
}

AngleFunction::Jet AngleFunction::at(double angle) const noexcept {
  const auto [i, j, h, from] = intervalContainingAngle(angle);
  const double b = from / h;
  const double a = 1.0 - b;
  return {a * values_[i] + b * values_[j] +
              h * h / 6.0 * ((a * a * a - a) * bends_[i] + (b * b * b - b) * bends_[j]),
          (values_[j] - values_[i]) / h +
              h / 6.0 * ((1.0 - 3.0 * a * a) * bends_[i] + (3.0 * b * b - 1.0) * bends_[j]),
          a * bends_[i] + b * bends_[j]};
}

double AngleFunction::largestCurvature() const noexcept {
  constexpr int kAngles = 1440;
  double stiffest = 0.0;
  for (int i = 0; i < kAngles; ++i) {
    const Jet k = at(kTurn * i / kAngles);
    stiffest = std::max(stiffest, k.value + 0.25 * k.bend + std::hypot(0.25 * k.bend, 0.5 * k.slope));
  }
  return stiffest;
}

}  // namespace ricochet
