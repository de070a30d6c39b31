#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// Weights over bins of equal width, for several windows with the same bins.
///
/// Without a given range the bins cover [0, R), or [-R, R) for a signed quantity, R being the smallest power
/// of two above all sizes: when a larger value comes, pairs of bins are merged. The result equals a histogram
/// computed with the final range, and is independent of the order of the values.
class Histogram {
 public:
  /// `bins` is a multiple of 4.
  Histogram(std::size_t bins, std::size_t windows, bool hasSign,
            const std::optional<std::array<double, 2>>& range);

  void addWeight(std::size_t window, double value, double weight) noexcept;
  /// Distributes a weight evenly between two values.
  void distributeWeight(std::size_t window, double first, double second, double weight) noexcept;

  double lowestValueOfRange() const noexcept { return low_; }
  double highestValueOfRange() const noexcept { return high_; }
  std::size_t binCount() const noexcept { return bins_; }
  std::span<const double> weightsOfBins(std::size_t window) const {
    return std::span(weights_).subspan(window * bins_, bins_);
  }
  /// Time (weight) below the given range [s].
  double timeBelowRange(std::size_t window) const { return below_[window]; }
  double timeAboveRange(std::size_t window) const { return above_[window]; }

  template <class Archive>
  void serialise(Archive& archive) {
    archive(low_, high_, weights_, below_, above_);
  }

 private:
  void widenRangeToContain(double size) noexcept;
  std::size_t indexOfBin(double value) const noexcept;

  std::size_t bins_;
  bool hasSign_;
  bool isGiven_;
  double low_{0.0}, high_{0.0};
  std::vector<double> weights_;  // weights of the bins, window after window
  std::vector<double> below_, above_;
};

}  // namespace ricochet
