#include "io/app/plot/plot_thinning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>

namespace ricochet {
namespace {

struct Dot {
  double x, y;
};

/// Points from an anchor on that one straight line can replace.
///
/// A point at the distance r from the anchor is within `kAside` of every line from the anchor whose direction
/// differs from the direction of the point by at most asin(kAside / r): the allowed directions are the
/// intersection of these intervals. No point lies beyond the end of the line by more than `kBeyond`, and
/// kAside^2 + kBeyond^2 = tolerance^2. One pass, unlike the recursion of Douglas and Peucker.
class Corridor {
 public:
  void beginAtAnchor(const Dot& anchor) {
    anchor_ = anchor;
    farthest_ = 0.0;
    hasSector_ = false;
  }

  /// True if a line to this point can replace all points up to it; the point is then added.
  bool isWithinCorridor(const Dot& point) {
    constexpr double kAside = 0.8 * kThinningTolerance, kBeyond = 0.6 * kThinningTolerance;
    const double dx = point.x - anchor_.x, dy = point.y - anchor_.y;
    const double distance = std::hypot(dx, dy);
    if (distance <= kAside) return farthest_ <= kThinningTolerance && extendCorridor(distance);
    if (distance < farthest_ - kBeyond) return false;
    const double half = std::asin(kAside / distance);
    if (!hasSector_) {
      hasSector_ = true;
      along_ = {dx / distance, dy / distance};
      lowest_ = -half;
      highest_ = half;
      return extendCorridor(distance);
    }
    const double direction = std::atan2(along_.x * dy - along_.y * dx, along_.x * dx + along_.y * dy);
    if (direction < lowest_ || direction > highest_) return false;
    lowest_ = std::max(lowest_, direction - half);
    highest_ = std::min(highest_, direction + half);
    return extendCorridor(distance);
  }

 private:
  bool extendCorridor(double distance) {
    farthest_ = std::max(farthest_, distance);
    return true;
  }

  Dot anchor_{0.0, 0.0};
  double farthest_{0.0};  // largest distance of the added points from the anchor [dots]
  bool hasSector_{false};
  Dot along_{1.0, 0.0};  // direction from which angles are measured
  double lowest_{0.0}, highest_{0.0};
};

/// Indices of the points with two finite coordinates, piece by piece.
DrawnPieces piecesOfFinitePoints(std::span<const double> x, std::span<const double> y) {
  DrawnPieces pieces;
  bool goesOn = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool finite = std::isfinite(x[i]) && std::isfinite(y[i]);
    if (finite && !goesOn) pieces.emplace_back();
    if (finite) pieces.back().push_back(i);
    goesOn = finite;
  }
  return pieces;
}

std::vector<std::size_t> thinPieceOfHistory(std::span<const double> time, std::span<const double> values,
                                            const std::vector<std::size_t>& rows, double columns) {
  std::vector<std::size_t> shown;
  const auto columnOf = [&](std::size_t row) {
    return std::floor((time[row] - time[rows.front()]) * columns);
  };
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    const double column = columnOf(rows[begin]);
    std::size_t low = rows[begin], high = rows[begin];
    for (end = begin; end < rows.size() && columnOf(rows[end]) == column; ++end) {
      if (values[rows[end]] < values[low]) low = rows[end];
      if (values[rows[end]] > values[high]) high = rows[end];
    }
    for (const std::size_t row : {rows[begin], std::min(low, high), std::max(low, high), rows[end - 1]})
      if (shown.empty() || shown.back() != row) shown.push_back(row);
  }
  return shown;
}

}  // namespace

void Extent::includeValue(double value) noexcept {
  if (!std::isfinite(value)) return;
  low = empty ? value : std::min(low, value);
  high = empty ? value : std::max(high, value);
  empty = false;
}

DotScale scaleInDots(const Extent& across, const Extent& up, double width, double height, bool equal) {
  // a constant quantity has scale 0: no extent in dots
  DotScale scale{across.span() > 0.0 ? width / across.span() : 0.0,
                 up.span() > 0.0 ? height / up.span() : 0.0};
  if (!equal) return scale;
  const double least = scale.across > 0.0 && scale.up > 0.0 ? std::min(scale.across, scale.up)
                                                            : std::max(scale.across, scale.up);
  return {least, least};
}

DrawnPieces thinHistory(std::span<const double> time, std::span<const double> values, const DotScale& scale) {
  DrawnPieces pieces = piecesOfFinitePoints(time, values);
  for (std::vector<std::size_t>& piece : pieces)
    piece = thinPieceOfHistory(time, values, piece, scale.across / kThinningTolerance);
  return pieces;
}

DrawnPieces thinPath(std::span<const double> x, std::span<const double> y, const DotScale& scale) {
  DrawnPieces pieces = piecesOfFinitePoints(x, y);
  for (std::vector<std::size_t>& piece : pieces) {
    const auto dot = [&, &rows = piece](std::size_t i) {
      return Dot{x[rows[i]] * scale.across, y[rows[i]] * scale.up};
    };
    std::vector<std::size_t> shown{piece.front()};
    Corridor corridor;
    corridor.beginAtAnchor(dot(0));
    for (std::size_t i = 1; i < piece.size(); ++i) {
      if (corridor.isWithinCorridor(dot(i))) continue;
      shown.push_back(piece[i - 1]);
      corridor.beginAtAnchor(dot(i - 1));
      corridor.isWithinCorridor(dot(i));
    }
    if (piece.size() > 1) shown.push_back(piece.back());
    piece = std::move(shown);
  }
  return pieces;
}

std::vector<std::size_t> selectVisibleDots(std::span<const double> x, std::span<const double> y,
                                           const DotScale& scale) {
  std::vector<std::size_t> shown;
  if (x.empty()) return shown;
  const double left = *std::min_element(x.begin(), x.end()), bottom = *std::min_element(y.begin(), y.end());
  std::unordered_set<std::uint64_t> taken;
  for (std::size_t i = x.size(); i-- > 0;) {
    const auto column = static_cast<std::uint64_t>((x[i] - left) * scale.across / kThinningTolerance);
    const auto row = static_cast<std::uint64_t>((y[i] - bottom) * scale.up / kThinningTolerance);
    if (taken.insert(column << 32U | row).second) shown.push_back(i);
  }
  std::reverse(shown.begin(), shown.end());
  return shown;
}

}  // namespace ricochet
