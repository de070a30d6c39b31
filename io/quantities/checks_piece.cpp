#include "io/quantities/checks_piece.hpp"

namespace ricochet {

void CheckPiece::at(double time, std::span<double> values) const noexcept {
  const double x = 2.0 * (time - begin_) / (end_ - begin_) - 1.0;
  interpolate(points_->point, points_->barycentric, values_.data(), values.size(), x, values);
}

}  // namespace ricochet
