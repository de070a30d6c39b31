#include "io/quantities/statistics/piece_grid.hpp"

#include "engine/numerics/polynomial_range.hpp"
#include "io/quantities/checks_piece.hpp"

#include <algorithm>

namespace ricochet {

PieceGrid::PieceGrid(Kind kind) : kind_(kind), cells_(kind == Kind::series ? 16 : 1) {
  constexpr std::size_t kSeriesPoints = SampledPolynomial::kSamples, kStepPoints = 2;
  const GaussLegendre gauss(kind == Kind::series ? kSeriesPoints : kStepPoints);
  for (std::size_t i = 0; i < gauss.point.size(); ++i) {
    point_.push_back(0.5 * (1.0 + gauss.point[i]));
    weight_.push_back(0.5 * gauss.weight[i]);
  }
  if (kind == Kind::series) {
    parts_ = point_;
    barycentric_ = gauss.barycentric;
  } else {
    parts_ = {0.0, 1.0};
    barycentric_ = {1.0, -1.0};
  }
  std::vector<double> ends;
  for (std::size_t i = 0; i <= cells_; ++i)
    ends.push_back(static_cast<double>(i) / static_cast<double>(cells_));
  toPoints_ = interpolationRowsAt(point_);
  toCells_ = interpolationRowsAt(ends);
}

std::vector<double> PieceGrid::interpolationRowsAt(std::span<const double> parts) const {
  const std::size_t n = samples();
  std::vector<double> unit(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) unit[i * n + i] = 1.0;
  std::vector<double> rows(parts.size() * n);
  for (std::size_t i = 0; i < parts.size(); ++i)
    interpolateToPart(unit, parts[i], std::span(rows).subspan(i * n, n));
  return rows;
}

void PieceGrid::interpolateToPart(std::span<const double> samples, std::size_t stride, double part,
                                  std::span<double> values) const noexcept {
  interpolatePolynomials(parts_, barycentric_, samples.data(), stride, part, values);
}

void PieceGrid::interpolateWithRows(const std::vector<double>& rows, std::span<const double> samples,
                                    std::size_t channels, std::span<double> values) const noexcept {
  const std::size_t n = parts_.size();
  for (std::size_t r = 0; r * n < rows.size(); ++r) {
    double* target = values.data() + r * channels;
    std::fill_n(target, channels, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const double share = rows[r * n + i];
      const double* sample = samples.data() + i * channels;
      for (std::size_t c = 0; c < channels; ++c) target[c] += share * sample[c];
    }
  }
}

void PieceGrid::interpolateToPoints(std::span<const double> samples, std::size_t channels,
                                    std::span<double> values) const noexcept {
  if (point_ == parts_) {
    std::copy_n(samples.begin(), samples.size(), values.begin());
    return;
  }
  interpolateWithRows(toPoints_, samples, channels, values);
}

void PieceGrid::interpolateToCells(std::span<const double> samples, std::size_t channels,
                                   std::span<double> values) const noexcept {
  interpolateWithRows(toCells_, samples, channels, values);
}

}  // namespace ricochet
