#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Places inside a piece of a run, from the end of a step to the end of the next: where it is sampled, how
/// samples are interpolated, and where what is made of them is integrated. Parts of a piece are in [0, 1].
///
/// Pieces of the event scheme are polynomials, sampled at Gauss points: the term of degree k beyond the
/// number n of points counts as 2^(1-2n). Steps of the other schemes are known at both ends, straight in
/// between.
class PieceGrid {
 public:
  enum class Kind { series, step };
  explicit PieceGrid(Kind kind);
  bool isSeries() const noexcept { return kind_ == Kind::series; }

  const std::vector<double>& parts() const noexcept { return parts_; }  ///< of the samples
  std::size_t samples() const noexcept { return parts_.size(); }

  std::size_t points() const noexcept { return weight_.size(); }  ///< of the quadrature
  double point(std::size_t i) const noexcept { return point_[i]; }
  double weight(std::size_t i) const noexcept { return weight_[i]; }  ///< their sum is 1

  /// Even cells in which extremes are looked for.
  std::size_t cells() const noexcept { return cells_; }

  /// Samples (samples x channels, channels contiguous) interpolated to a part of the piece; to the points of
  /// the quadrature; to the ends of the cells.
  void toPart(std::span<const double> samples, double part, std::span<double> values) const noexcept {
    toPart(samples, values.size(), part, values);
  }
  /// The same of some channels, of samples that begin with the first of them and have `stride` channels.
  void toPart(std::span<const double> samples, std::size_t stride, double part,
              std::span<double> values) const noexcept;
  void toPoints(std::span<const double> samples, std::size_t channels,
                std::span<double> values) const noexcept;
  void toCells(std::span<const double> samples, std::size_t channels,
               std::span<double> values) const noexcept;

 private:
  std::vector<double> rowsAt(std::span<const double> parts) const;
  void apply(const std::vector<double>& rows, std::span<const double> samples, std::size_t channels,
             std::span<double> values) const noexcept;

  Kind kind_;
  std::vector<double> parts_, barycentric_;
  std::vector<double> point_, weight_;
  std::size_t cells_;
  std::vector<double> toPoints_, toCells_;  // interpolation: rows x samples
};

}  // namespace ricochet
