#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Thinning of what a picture draws: no drawn point is off by more than this, and no point that was left out
/// is farther from the drawn line [dots of the picture].
inline constexpr double kThinningTolerance = 0.25;

/// Lowest and highest of the finite values that it has been shown.
struct Extent {
  double low{0.0}, high{0.0};
  bool empty{true};

  void include(double value) noexcept;
  double span() const noexcept { return high - low; }
};

/// Dots of the picture per unit of each axis, or more than the picture has.
struct DotScale {
  double across{0.0}, up{0.0};
};

/// `width` x `height` dots for these extents; `equal`: one scale for both axes.
DotScale dotScale(const Extent& across, const Extent& up, double width, double height, bool equal);

/// Points of a curve that a picture needs, in their order; a new piece begins behind points without a finite
/// number.
using DrawnPieces = std::vector<std::vector<std::size_t>>;

/// Of a history: of all rows in a column of a quarter of a dot the first, the lowest, the highest and the
/// last. Extremes are kept exactly, wherever rows are dense or sparse.
DrawnPieces thinHistory(std::span<const double> time, std::span<const double> values, const DotScale& scale);

/// Of a path in the plane: the ends of lines that have all points between them within the tolerance. Neither
/// coordinate has to grow: what has extremes in time is no shape.
DrawnPieces thinPath(std::span<const double> x, std::span<const double> y, const DotScale& scale);

/// Of dots that are drawn one over the other, the last one in each square of a quarter of a dot: it hides
/// those before it.
std::vector<std::size_t> visibleDots(std::span<const double> x, std::span<const double> y,
                                     const DotScale& scale);

}  // namespace ricochet
