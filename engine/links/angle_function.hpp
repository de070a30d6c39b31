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

  /// The cubic between two neighbouring points, sum of terms_k (angle - begin)^k, in the turn of an angle.
  struct Piece {
    double begin;
    double end;
    std::array<double, 4> terms;
  };
  Piece pieceAt(double angle) const noexcept;

  /// Largest curvature of the potential K(phi) r^2/2 in the plane of (r, phi): the larger eigenvalue of
  /// [K, K'/2; K'/2, K + K''/2], over all angles.
  double largestCurvature() const noexcept;

 private:
  /// Place of an angle between two neighbouring points.
  struct Place {
    std::size_t i, j;
    double width, from;  ///< distance of the points, and of the angle from the first of them
  };
  Place placeOf(double angle) const noexcept;

  std::vector<double> angles_{0.0};
  std::vector<double> values_{0.0};
  std::vector<double> bends_{0.0};
};

}  // namespace ricochet
