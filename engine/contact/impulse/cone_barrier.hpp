#pragma once

#include "physical/dense_solvers.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace ricochet {

/// A cone of the unknowns x, |side| <= axis: both are affine in x, with their constant terms last.
struct ConeOfUnknowns {
  Vector axis;
  std::vector<Vector> sides;

  /// Value of an affine form at x.
  static double valueAt(const Vector& form, const Vector& x) {
    return form.head(x.size()).dot(x) + form[x.size()];
  }
  /// axis - |side| at x, negative outside the cone.
  double coneMarginAt(const Vector& x) const {
    double square = 0.0;
    for (const Vector& side : sides) square += std::pow(valueAt(side, x), 2);
    return valueAt(axis, x) - std::sqrt(square);
  }
  /// axis^2 - |side|^2 at x, negative outside the cone.
  double squaredConeMarginAt(const Vector& x) const {
    const double along = valueAt(axis, x);
    double rest = along * along;
    for (const Vector& side : sides) rest -= std::pow(valueAt(side, x), 2);
    return along > 0.0 ? rest : -1.0;
  }
};

/// Maximizes the last unknown within cones, from a point inside all of them.
class BarrierSolver {
 public:
  explicit BarrierSolver(std::vector<ConeOfUnknowns> cones) : cones_(std::move(cones)) {}

  /// Moves x to the maximum, to 1e-11 of the size of the last unknown, which is of order one; stops as soon
  /// as that unknown reaches `enough`.
  void maximiseLastUnknownInCones(Vector& x, double enough) {
    constexpr double kFirst = 1.0;
    constexpr double kLast = 1e12;
    constexpr double kFactor = 20.0;
    constexpr int kMostNewtonSteps = 60;
    for (double weight = kFirst; weight <= kLast; weight *= kFactor)
      for (int i = 0; i < kMostNewtonSteps && takeNewtonStep(x, weight); ++i)
        if (x[x.size() - 1] >= enough) return;
  }

 private:
  // The unknowns that no cone bounds stay small: weight of |x|^2/2 in the barrier.
  static constexpr double kCentre = 1e-3;

  /// Barrier -weight x_last - sum log(axis^2 - |side|^2) + kCentre |y|^2 / 2; infinite outside the cones.
  double valueAt(const Vector& x, double weight) const {
    double value = -weight * x[x.size() - 1] + 0.5 * kCentre * x.head(x.size() - 1).squaredNorm();
    for (const ConeOfUnknowns& cone : cones_) {
      const double inside = cone.squaredConeMarginAt(x);
      if (!(inside > 0.0)) return std::numeric_limits<double>::infinity();
      value -= std::log(inside);
    }
    return value;
  }

  /// Takes one damped Newton step; false once it no longer lowers the barrier.
  bool takeNewtonStep(Vector& x, double weight) const {
    constexpr double kDone = 1e-10;
    constexpr double kArmijo = 0.1;
    const Eigen::Index n = x.size();
    Vector gradient = Vector::Zero(n);
    Matrix hessian = Matrix::Zero(n, n);
    gradient[n - 1] = -weight;
    gradient.head(n - 1) += kCentre * x.head(n - 1);
    hessian.diagonal().head(n - 1).array() += kCentre;
    for (const ConeOfUnknowns& cone : cones_) {
      // d = u^2 - |w|^2:  grad = -d'/d,  Hessian = d' d'^T / d^2 - d''/d
      const double u = ConeOfUnknowns::valueAt(cone.axis, x);
      const double d = cone.squaredConeMarginAt(x);
      Vector slope = 2.0 * u * cone.axis.head(n);
      Matrix curvature = 2.0 * cone.axis.head(n) * cone.axis.head(n).transpose();
      for (const Vector& side : cone.sides) {
        slope -= 2.0 * ConeOfUnknowns::valueAt(side, x) * side.head(n);
        curvature -= 2.0 * side.head(n) * side.head(n).transpose();
      }
      gradient -= slope / d;
      hessian += slope * slope.transpose() / (d * d) - curvature / d;
    }
    const Vector step = -Eigen::LDLT<Matrix>(hessian).solve(gradient);
    const double decrement = -gradient.dot(step);
    if (!(decrement > kDone)) return false;
    const double before = valueAt(x, weight);
    double length = 1.0;
    Vector next = x + step;
    while (!(valueAt(next, weight) <= before - kArmijo * length * decrement)) {
      length *= 0.5;
      if (length < 1e-12) return false;
      next = x + length * step;
    }
    x = std::move(next);
    return true;
  }

  std::vector<ConeOfUnknowns> cones_;
};

}  // namespace ricochet
