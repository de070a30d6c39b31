#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Sampling points of a piece of a run, from the end of a step to the end of the next; interpolation between
/// the samples, and quadrature points. Parts of a piece are in [0, 1].
///
/// Pieces of the event scheme are polynomials, sampled at n Gauss points: a term of degree k > n is
/// represented up to a fraction of 2^(1-2n). Steps of the other schemes are sampled at both ends and
/// interpolated linearly.
class PieceGrid {
 public:
  enum class Kind { series, step };
  explicit PieceGrid(Kind kind);
  bool isSeriesPiece() const noexcept { return kind_ == Kind::series; }

  const std::vector<double>& parts() const noexcept { return parts_; }  ///< sampling points
  std::size_t samples() const noexcept { return parts_.size(); }

  /// Number of quadrature points.
  std::size_t quadraturePointCount() const noexcept { return weight_.size(); }
  double quadraturePoint(std::size_t i) const noexcept { return point_[i]; }
  /// Quadrature weight; the sum of all weights is 1.
  double quadratureWeight(std::size_t i) const noexcept { return weight_[i]; }

  /// Number of cells of equal length in which extremes are searched.
  std::size_t cellCount() const noexcept { return cells_; }

  /// Interpolates samples (samples x channels, channels contiguous) at a part of the piece, at the quadrature
  /// points, or at the ends of the cells.
  void interpolateToPart(std::span<const double> samples, double part,
                         std::span<double> values) const noexcept {
    interpolateToPart(samples, values.size(), part, values);
  }
  /// Interpolates some of the channels: `samples` begins with the first channel needed, and consecutive
  /// samples are `stride` numbers apart.
  void interpolateToPart(std::span<const double> samples, std::size_t stride, double part,
                         std::span<double> values) const noexcept;
  void interpolateToPoints(std::span<const double> samples, std::size_t channels,
                           std::span<double> values) const noexcept;
  void interpolateToCells(std::span<const double> samples, std::size_t channels,
                          std::span<double> values) const noexcept;

 private:
  std::vector<double> interpolationRowsAt(std::span<const double> parts) const;
  void interpolateWithRows(const std::vector<double>& rows, std::span<const double> samples,
                           std::size_t channels, std::span<double> values) const noexcept;

  Kind kind_;
  std::vector<double> parts_, barycentric_;
  std::vector<double> point_, weight_;
  std::size_t cells_;
  std::vector<double> toPoints_, toCells_;  // interpolation matrices: rows x samples
};

}  // namespace ricochet
