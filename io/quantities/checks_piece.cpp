#include "io/quantities/checks_piece.hpp"

#include <algorithm>

namespace ricochet {

void CheckPiece::at(double time, std::span<double> values) const noexcept {
  const double x = 2.0 * (time - begin_) / (end_ - begin_) - 1.0;
  const std::size_t channels = values.size();
  std::fill(values.begin(), values.end(), 0.0);
  double sum = 0.0;
  for (std::size_t i = 0; i < points_->point.size(); ++i) {
    const double* sample = values_.data() + i * channels;
    const double distance = x - points_->point[i];
    if (distance == 0.0) {
      std::copy_n(sample, channels, values.begin());
      return;
    }
    const double share = points_->barycentric[i] / distance;
    sum += share;
    for (std::size_t c = 0; c < channels; ++c) values[c] += share * sample[c];
  }
  for (double& value : values) value /= sum;
}

}  // namespace ricochet
