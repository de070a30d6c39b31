#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Tolerance of thinning [dots of the picture]: the error of every drawn point, and the distance of every
/// omitted point from the drawn line, are at most this large.
inline constexpr double kThinningTolerance = 0.25;

/// Range of the finite values added so far.
struct Extent {
  double low{0.0}, high{0.0};
  bool empty{true};

  void includeValue(double value) noexcept;
  double span() const noexcept { return high - low; }
};

/// Dots per unit of each axis; at least the resolution of the picture.
struct DotScale {
  double across{0.0}, up{0.0};
};

/// Scale of a picture of `width` x `height` dots for these extents; `equal`: the same scale for both axes.
DotScale scaleInDots(const Extent& across, const Extent& up, double width, double height, bool equal);

/// Indices of the points of a curve to draw, in order; a new piece begins after points without a finite
/// value.
using DrawnPieces = std::vector<std::vector<std::size_t>>;

/// Thins a history: of all rows within a quarter of a dot, keeps the first, the lowest, the highest and the
/// last. Extremes are exact for any density of rows.
DrawnPieces thinHistory(std::span<const double> time, std::span<const double> values, const DotScale& scale);

/// Thins a path in the plane: keeps the ends of straight lines that have all points between them within the
/// tolerance. Neither coordinate needs to be monotonic.
DrawnPieces thinPath(std::span<const double> x, std::span<const double> y, const DotScale& scale);

/// Thins dots drawn on top of each other: keeps the last dot in each square of a quarter of a dot, which
/// hides the earlier dots.
std::vector<std::size_t> selectVisibleDots(std::span<const double> x, std::span<const double> y,
                                           const DotScale& scale);

}  // namespace ricochet
