#pragma once

#include "engine/numerics/polynomial_range.hpp"
#include "engine/numerics/state.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// A kinematic quantity that is a polynomial of time on each step of the event scheme.
struct SeriesChannel {
  Vector row;                          ///< row over the modes, padded
  bool ofDisplacement;                 ///< the quantity is row . q + offset; otherwise row . v + offset
  double offset;                       ///< constant part of the quantity
  bool highest{false}, lowest{false};  ///< true: this extreme is needed
  bool isAveraged{false};              ///< the mean and the mean square are needed
  /// Only the larger size of both extremes is needed: the range is symmetric about zero.
  bool ofSize{false};
};

/// Extremes, mean and root mean square of kinematic quantities over all steps of a run of the event scheme.
/// The extremes are exact but for rounding: ends of steps, and roots of the derivative inside steps.
class SeriesStatistics {
 public:
  explicit SeriesStatistics(std::vector<SeriesChannel> channels)
      : channels_(std::move(channels)), records_(channels_.size()) {}

  const std::vector<SeriesChannel>& channels() const noexcept { return channels_; }

  /// Starts new records at the start of a run.
  void startRecords() noexcept;
  /// Adds a step of length h, or a piece of a step, in which a channel is p[0] + p[1] t + ...
  void addPolynomialPieceOfChannel(std::size_t channel, std::span<const double> p, double h) noexcept;
  /// Adds a piece of length h in which a channel is the polynomial through samples.
  void add(std::size_t channel, const SampledPolynomial::Samples& samples, double h) noexcept;
  /// Adds the length of a step that has been added to all channels.
  void addDuration(double h) noexcept { duration_ += h; }
  /// Completes the extremes at the end of a run.
  void finish() noexcept;

  /// Extremes of a channel; an extreme that is not needed is infinite.
  const ValueRange& range(std::size_t channel) const noexcept { return records_[channel].range; }
  /// Mean and root mean square of a channel over the recorded time; 0 for a channel that is not averaged.
  double mean(std::size_t channel) const noexcept { return records_[channel].integral / duration_; }
  double meanSquare(std::size_t channel) const noexcept {
    return records_[channel].squareIntegral / duration_;
  }

 private:
  static constexpr std::size_t kMostWaiting = 16;
  struct Record {
    ValueRange range;
    double integral{0.0}, squareIntegral{0.0};
    std::size_t waiting{0};  // number of the first pieces, which may hold an extreme
    std::array<PolynomialPiece, kMostWaiting> pieces;
  };
  void searchWaitingPieces(std::size_t channel) noexcept;
  void addIntegralsOfPiece(std::size_t channel, const SampledPolynomial::Samples& samples, double h) noexcept;

  std::vector<SeriesChannel> channels_;
  std::vector<Record> records_;
  double duration_{0.0};  // recorded time [s]
};

}  // namespace ricochet
