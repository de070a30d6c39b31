#include "engine/contact/impulse/semidefinite_factor.hpp"

#include <cmath>

namespace ricochet {

SemidefiniteFactor::SemidefiniteFactor(Eigen::Index largest)
    : factor_(largest, largest),
      left_(static_cast<std::size_t>(largest)),
      reciprocal_(static_cast<std::size_t>(largest)),
      solution_(static_cast<std::size_t>(largest)),
      pivots_(static_cast<std::size_t>(largest)) {}

void SemidefiniteFactor::factorize(const Matrix& a, Eigen::Index n) noexcept {
  constexpr double kDependent = 1e-12;  // a smaller remaining part of A_ii counts as zero
  size_ = n;
  rows_ = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    left_[k] = a(i, i) > 0.0 ? 1.0 : 0.0;
    reciprocal_[k] = a(i, i) > 0.0 ? 1.0 / a(i, i) : 0.0;
    rows_ += a(i, i) > 0.0 ? 1 : 0;
  }
  for (rank_ = 0; rank_ < rows_; ++rank_) {
    Eigen::Index pivot = -1;
    double largest = 0.0;  // largest remaining part of an A_ii
    for (Eigen::Index i = 0; i < n; ++i) {
      const double part = left_[static_cast<std::size_t>(i)];
      if (part > largest) largest = part, pivot = i;
    }
    if (pivot < 0 || largest <= kDependent) return;
    auto column = factor_.col(rank_).head(n);
    column = a.col(pivot).head(n);
    for (Eigen::Index k = 0; k < rank_; ++k)
      if (factor_(pivot, k) != 0.0) column -= factor_(pivot, k) * factor_.col(k).head(n);
    column /= std::sqrt(largest * a(pivot, pivot));
    for (Eigen::Index k = 0; k < rank_; ++k) column[pivots_[static_cast<std::size_t>(k)]] = 0.0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      left_[k] -= reciprocal_[k] * column[i] * column[i];
    }
    left_[static_cast<std::size_t>(pivot)] = 0.0;
    pivots_[static_cast<std::size_t>(rank_)] = pivot;
  }
}

void SemidefiniteFactor::orthonormaliseRows(Matrix& a, Eigen::Index n) noexcept {
  constexpr double kDependent = 1e-6;  // a smaller remaining part of a row counts as zero
  size_ = n;
  rows_ = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    left_[static_cast<std::size_t>(i)] = a.row(i).head(n).norm();
    rows_ += a.col(i).head(n).isZero(0.0) ? 0 : 1;
  }
  for (rank_ = 0; rank_ < n; ++rank_) {
    Eigen::Index pivot = -1;
    double largest = kDependent;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double part = a.row(i).head(n).norm();
      if (!(part > largest * left_[static_cast<std::size_t>(i)])) continue;
      largest = part / left_[static_cast<std::size_t>(i)];
      pivot = i;
    }
    if (pivot < 0) return;
    auto direction = factor_.col(rank_).head(n);
    direction = a.row(pivot).head(n).transpose();
    for (Eigen::Index k = 0; k < rank_; ++k)
      direction -= factor_.col(k).head(n).dot(direction) * factor_.col(k).head(n);
    direction.normalize();
    for (Eigen::Index i = 0; i < n; ++i)
      a.row(i).head(n) -= a.row(i).head(n).dot(direction) * direction.transpose();
  }
}

double SemidefiniteFactor::rowProduct(Eigen::Index row, std::span<const double> x) const noexcept {
  double sum = 0.0;
  for (Eigen::Index k = 0; k < rank_; ++k) sum += factor_(row, k) * x[static_cast<std::size_t>(k)];
  return sum;
}

std::span<const double> SemidefiniteFactor::solveIndependentRows(std::span<const double> c) noexcept {
  for (std::size_t k = 0; k < static_cast<std::size_t>(rank_); ++k) {
    const Eigen::Index pivot = pivots_[k];
    double value = c[static_cast<std::size_t>(pivot)];
    for (std::size_t j = 0; j < k; ++j) value -= factor_(pivot, static_cast<Eigen::Index>(j)) * solution_[j];
    solution_[k] = value / factor_(pivot, static_cast<Eigen::Index>(k));
  }
  return {solution_.data(), static_cast<std::size_t>(rank_)};
}

}  // namespace ricochet
