#include "io/quantities/statistics/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

Histogram::Histogram(std::size_t bins, std::size_t windows, bool hasSign,
                     const std::optional<std::array<double, 2>>& range)
    : bins_(bins),
      hasSign_(hasSign),
      isGiven_(range.has_value()),
      weights_(bins * windows),
      below_(windows),
      above_(windows) {
  if (!range) return;
  low_ = range->front();
  high_ = range->back();
}

/// Doubles the range until it contains `size`.
void Histogram::widenRangeToContain(double size) noexcept {
  if (isGiven_ || size < high_ || !std::isfinite(size)) return;
  int exponent = 0;
  std::frexp(size, &exponent);  // size < 2^exponent
  const double wanted = std::ldexp(1.0, exponent);
  const std::size_t windows = below_.size();
  const auto origin = static_cast<std::ptrdiff_t>(hasSign_ ? bins_ / 2 : 0);
  for (; high_ > 0.0 && high_ < wanted; high_ *= 2.0)
    for (std::size_t w = 0; w < windows; ++w) {
      double* bin = weights_.data() + w * bins_;
      // upwards from zero, then downwards: no bin is read after it has been overwritten
      for (std::ptrdiff_t i = origin, n = static_cast<std::ptrdiff_t>(bins_); i < n; ++i) {
        const std::ptrdiff_t from = origin + 2 * (i - origin);
        bin[i] = from < n ? bin[from] + bin[from + 1] : 0.0;
      }
      for (std::ptrdiff_t i = origin - 1; i >= 0; --i) {
        const std::ptrdiff_t from = origin - 1 - 2 * (origin - 1 - i);
        bin[i] = from > 0 ? bin[from] + bin[from - 1] : 0.0;
      }
    }
  high_ = wanted;  // at the first widening all weight is at zero
  low_ = hasSign_ ? -wanted : 0.0;
}

void Histogram::addWeight(std::size_t window, double value, double weight) noexcept {
  if (value != 0.0) widenRangeToContain(std::abs(value));
  if (isGiven_ && value < low_) {
    below_[window] += weight;
    return;
  }
  if (isGiven_ && value > high_) {
    above_[window] += weight;
    return;
  }
  std::size_t bin = hasSign_ ? bins_ / 2 : 0;  // bin of the value zero, as long as all values are zero
  if (high_ > low_) bin = indexOfBin(value);
  weights_[window * bins_ + bin] += weight;
}

std::size_t Histogram::indexOfBin(double value) const noexcept {
  const double place = std::floor((value - low_) / (high_ - low_) * static_cast<double>(bins_));
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins_ - 1)));
}

void Histogram::distributeWeight(std::size_t window, double first, double second, double weight) noexcept {
  const double from = std::min(first, second);
  const double to = std::max(first, second);
  if (const double size = std::max(std::abs(from), std::abs(to)); size > 0.0) widenRangeToContain(size);
  if (!(to > from) || !(high_ > low_)) return addWeight(window, from, weight);
  const double density = weight / (to - from);
  if (isGiven_) {
    below_[window] += density * std::max(0.0, std::min(to, low_) - from);
    above_[window] += density * std::max(0.0, to - std::max(from, high_));
  }
  const double width = (high_ - low_) / static_cast<double>(bins_);
  for (std::size_t i = indexOfBin(from), last = indexOfBin(to); i <= last; ++i) {
    const double a = std::max(from, low_ + width * static_cast<double>(i));
    const double b = std::min(to, low_ + width * static_cast<double>(i + 1));
    weights_[window * bins_ + i] += density * std::max(0.0, b - a);
  }
}

}  // namespace ricochet
