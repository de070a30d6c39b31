#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace ricochet {

/// A smooth function of an angle with period 2 pi: the periodic cubic spline through given points.
class AngleFunction {
 public:
  AngleFunction() = default;

  /// Builds the spline through `values` at three or more angles [rad] in [0, 2 pi), increasing.
  AngleFunction(std::vector<double> angles, std::vector<double> values);

  /// Value of the function and its first two derivatives at one angle.
  struct Jet {
    double value;
    double slope;
    double bend;
  };
  Jet at(double angle) const noexcept;

  /// Cubic between two neighbouring points of the spline, the sum of terms_k (angle - begin)^k, valid in one
  /// turn of the angle.
  struct Piece {
    double begin;
    double end;
    std::array<double, 4> terms;
  };
  Piece splinePieceAtAngle(double angle) const noexcept;

  /// Largest curvature of the potential K(phi) r^2/2 in the plane of (r, phi): the larger eigenvalue of
  /// [K, K'/2; K'/2, K + K''/2], over all angles.
  double largestCurvature() const noexcept;

 private:
  /// Position of an angle between two neighbouring points of the spline.
  struct Place {
    std::size_t i, j;
    double width, from;  ///< distance of the points, distance of the angle from the first point
  };
  Place intervalContainingAngle(double angle) const noexcept;

  std::vector<double> angles_{0.0};
  std::vector<double> values_{0.0};
  std::vector<double> bends_{0.0};
};

}  // namespace ricochet
