#pragma once

#include "engine/contact/contact_view.hpp"
#include "io/deck/statistics_request.hpp"
#include "io/quantities/statistics/histogram.hpp"
#include "io/quantities/statistics/piece_grid.hpp"
#include "io/quantities/statistics/window_totals.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// A piece of a run as the statistics of one contact receive it. The contact state may change once inside, at
/// `change`.
struct StatisticsPiece {
  double begin{0.0};  ///< [s]
  double end{0.0};    ///< [s]
  ContactPhase before{ContactPhase::open};
  ContactPhase after{ContactPhase::open};
  double change{0.0};  ///< time of the change [s]; the end of the piece if the state does not change
  const ContactTotals* totals{};  ///< totals of the run: at the start of a series, at the end of a step
};

/// True for a rigid contact with set-valued friction: N |s'| does not show the wear work of its impulses,
/// which its totals contain.
bool doImpulsesCauseWear(const Contact& contact) noexcept;

/// Accumulates the statistics of one contact, piece by piece: see ContactStatistics. Allocates nothing after
/// its construction, except for the table of impacts, which the writer of the file empties.
class ContactFollower {
 public:
  /// The first window is the whole run.
  ContactFollower(const Contact& contact, const StatisticsRequest& request,
                  std::span<const StatisticsWindow> windows, const PieceGrid& grid);

  /// Sets the approach velocity before the impacts at the start of the run, which no piece shows [m/s].
  void setInitialApproachVelocity(double velocity) noexcept { lastRate_ = velocity; }

  /// Receives the next sample of a piece.
  void receiveSample(std::size_t index, const ContactView& view) noexcept;
  void addPiece(const StatisticsPiece& piece);

  /// Ends the statistics at this time; windows that are not complete end there. `totals`: at this time.
  void finishAtTime(double time, const ContactTotals& totals);

  std::span<const WindowTotals> windowTotals() const noexcept { return windows_; }
  const Histogram* histogram(Histogrammed which) const noexcept {
    return histograms_.empty() ? nullptr : &histograms_[static_cast<std::size_t>(which)];
  }
  /// Wear work of each angular sector over a window [J]; empty if no sectors are requested or the obstacle
  /// has no axis.
  std::span<const double> wearWorkOfSectors(std::size_t window) const noexcept {
    return std::span(sectorWork_).subspan(window * sectors_, sectors_);
  }
  /// Global impacts that have ended and have not been removed from the table yet.
  std::vector<Impact>& endedGlobalImpacts() noexcept { return table_; }

  // Functions that the tracker calls.
  void addImpact(const Impact& impact);
  void addGlobalImpact(const Impact& impact);

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("ContactFollower");
    archive(windows_, tracker_, closed_, begun_, closingVelocity_, lastRate_, lastImpulse_, lastIntegral_);
    archive(lastSlope_, lastImpacts_, lastEnd_, lastImpulseWear_, sectorWork_);
    for (Histogram& each : histograms_) archive(each);
  }

 private:
  /// Channels: position, N, traction, slip velocity, slip speed of an area, velocity.
  static constexpr std::size_t kChannels = 12;
  static constexpr std::size_t kNormal = 3, kTraction = 4, kSlip = 6, kAreaSpeed = 8, kRate = 9;
  static constexpr std::size_t kMostCells = 16;
  static constexpr std::size_t kMostPoints = 14;
  using Channels = std::array<double, kChannels>;
  struct Interval {
    double from, to;
    Interval intersectionWith(Interval other) const noexcept {
      return {std::max(from, other.from), std::min(to, other.to)};
    }
    double length() const noexcept { return std::max(0.0, to - from); }
  };
  using Cells = std::array<Signals, kMostCells + 1>;
  using Sums = std::array<Moments, kSignals>;

  double correctedNormalForce(double interpolated) const noexcept;
  Channels interpolatedChannelsAt(double time) const noexcept;
  Signals computeSignals(std::span<const double> channels) const noexcept;
  double signalAt(Signal signal, double time) const noexcept;
  double slipSpeedFromChannels(std::span<const double> channels) const noexcept;
  double wearPower(std::span<const double> channels) const noexcept;
  double approachVelocityAt(double time) const noexcept;
  double approachVelocityBeforeImpact(double time) const noexcept;
  double fractionWithinPiece(double time) const noexcept {
    return (time - piece_.begin) / (piece_.end - piece_.begin);
  }
  bool doesIntervalCoverPiece(Interval in) const noexcept {
    return in.from == piece_.begin && in.to == piece_.end;
  }

  void evaluateStatisticsOfPiece() noexcept;
  Sums gaussSums(Interval in, std::span<const Signals> atPoints) const noexcept;
  double instantOfKink(Signal signal, Interval in) const noexcept;
  void refineMomentsAtKinks(Interval in, const Cells& cells, Sums& sums) const noexcept;
  double largestValueWithRounding(Signal signal) const noexcept;
  void interpolateSignalsToCells(Interval in, Cells& cells) const noexcept;
  void addIntervalToWindow(std::size_t window, Interval in) noexcept;
  void addSignalMoments(WindowTotals& window, Interval in, const Cells& cells) const noexcept;
  void addForceWhileClosed(WindowTotals& window, Interval in) const noexcept;
  double closedTimeIn(Interval in) const noexcept;
  double wearWorkOver(Interval in) const noexcept;
  void addWearWorkOfImpulses(double total, Interval in) noexcept;
  void addWearWork(Interval in, double work) noexcept;
  std::size_t indexOfForceSectorAt(double time) const noexcept;
  void addSectorWork(std::size_t window, Interval in) noexcept;
  double normalImpulse(Interval in) const noexcept;
  void includeExtremes(Moments& moments, Signal signal, const Cells& cells, Interval in) const noexcept;
  void addStateTimes(std::size_t window, const Cells& cells, Interval in) noexcept;
  double peakForceOver(Interval in) const noexcept;

  // Functions for impacts (contact_impacts.cpp).
  void detectImpactsInPiece();
  void detectShortImpacts();
  void addShortImpact(double time, double impulse) noexcept;
  void addInstantaneousImpacts(double time, double impulse, int count);
  void beginImpact(double time, double velocity);
  void endImpact(double time);
  void recordImpulseAndPeakForce();
  void findLoadedIntervals(Interval closed) noexcept;
  std::optional<double> instantOfThresholdCrossing(double from, double to, bool over) const noexcept;
  void detectImpactsAboveThreshold(Interval closed);

  const Contact* contact_;
  const PieceGrid* grid_;
  bool isSeries_;
  bool isRigid_;          // the contact exchanges impulses, which are not integrals of its force
  bool allowsTension_;    // the normal force may be negative
  bool wearsByImpulses_;  // see doImpulsesCauseWear
  // impulses are the gains of the totals, not integrals of N: rigid contacts, and steps in which a force
  // jumps
  bool countsImpulses_;
  double threshold_;
  bool keepsTable_;
  double end_;  // end of the run [s]

  std::vector<WindowTotals> windows_;
  std::size_t sectors_{0};
  std::vector<double> sectorWork_;  // wear work of each sector [J], window by window
  ImpactTracker tracker_;
  std::vector<Histogram> histograms_;
  std::vector<Impact> table_;

  // Data of the present piece.
  StatisticsPiece piece_;
  std::array<double, kMostPoints * kChannels> samples_{};
  std::array<double, kMostPoints * kChannels> atPoints_{};
  Cells cells_{}, partCells_{};
  Sums sums_{};
  // intervals of the present piece in which the force exceeds the threshold, if this is above 0
  std::array<Interval, kMostCells + 1> loaded_{};
  std::size_t loadedCount_{0};
  double stepImpulse_{0.0};  // impulse of the present step, if `countsImpulses_` [N s]

  bool closed_{false};
  bool begun_{false};
  double closingVelocity_{0.0};
  double lastRate_{0.0};  // approach velocity at the end of the preceding piece [m/s]
  // mean slope of the approach velocity over the preceding piece, if `countsImpulses_` [m/s^2]
  double lastSlope_{0.0};
  double lastImpulse_{0.0}, lastIntegral_{0.0};
  int lastImpacts_{0};
  double lastImpulseWear_{0.0};  // wear work of impulses that the last piece showed [J]
  double lastEnd_{0.0};
};

}  // namespace ricochet
