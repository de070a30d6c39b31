#pragma once

#include "engine/contact/contact_view.hpp"
#include "io/deck/statistics_request.hpp"
#include "io/quantities/statistics/histogram.hpp"
#include "io/quantities/statistics/piece_grid.hpp"
#include "io/quantities/statistics/window_totals.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// A piece of a run as a contact goes through it. Its state may change once inside, at `change`.
struct StatisticsPiece {
  double begin{0.0};  ///< [s]
  double end{0.0};    ///< [s]
  ContactPhase before{ContactPhase::open};
  ContactPhase after{ContactPhase::open};
  double change{0.0};             ///< [s]; the end where nothing changes
  const ContactTotals* totals{};  ///< of the run: at the begin of a series, at the end of a step
};

/// Sums up one contact of a run, piece by piece: see ContactStatistics. Takes no memory after it was made but
/// for the table of impacts, which whoever writes it empties.
class ContactFollower {
 public:
  /// `windows` begin with the whole run.
  ContactFollower(const Contact& contact, const StatisticsRequest& request,
                  std::span<const StatisticsWindow> windows, const PieceGrid& grid);

  /// The next sample of a piece; then all of it.
  void sample(std::size_t index, const ContactView& view) noexcept;
  void take(const StatisticsPiece& piece);

  /// The run has ended, perhaps before its windows do, which end there then; `totals` as then.
  void finish(double time, const ContactTotals& totals);

  std::span<const WindowTotals> windows() const noexcept { return windows_; }
  const Histogram* histogram(Histogrammed which) const noexcept {
    return histograms_.empty() ? nullptr : &histograms_[static_cast<std::size_t>(which)];
  }
  /// Wear work [J] of each sector of a turn over a window; empty where none are asked for, or no axis is.
  std::span<const double> sectors(std::size_t window) const noexcept {
    return std::span(sectorWork_).subspan(window * sectors_, sectors_);
  }
  /// Global impacts that have ended since they were last taken away.
  std::vector<Impact>& table() noexcept { return table_; }

  // of the tracker
  void impact(const Impact& impact);
  void globalImpact(const Impact& impact);

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("ContactFollower");
    archive(windows_, tracker_, closed_, begun_, closingVelocity_, lastRate_, lastImpulse_, lastIntegral_);
    archive(lastSlope_, lastImpacts_, lastEnd_, sectorWork_);
    for (Histogram& each : histograms_) archive(each);
  }

 private:
  /// Place, N, traction, slip velocity, slip speed of an area, rate of the gap along the normal.
  static constexpr std::size_t kChannels = 12;
  static constexpr std::size_t kMostCells = 16;
  static constexpr std::size_t kMostPoints = 14;
  using Channels = std::array<double, kChannels>;
  struct Interval {
    double from, to;
  };
  using Cells = std::array<Signals, kMostCells + 1>;

  Channels channelsAt(double time) const noexcept;
  Signals signalsOf(std::span<const double> channels) const noexcept;
  double signalAt(Signal signal, double time) const noexcept;
  double wearPower(std::span<const double> channels) const noexcept;
  double approachAt(double time) const noexcept;
  double approachBefore(double time) const noexcept;
  double part(double time) const noexcept { return (time - piece_.begin) / (piece_.end - piece_.begin); }
  bool isWhole(Interval in) const noexcept { return in.from == piece_.begin && in.to == piece_.end; }

  void evaluate() noexcept;
  void fillCells(Interval in, Cells& cells) const noexcept;
  void addTo(std::size_t window, Interval in) noexcept;
  void addMoments(WindowTotals& window, Interval in) const noexcept;
  double wearOver(Interval in) const noexcept;
  std::size_t sectorAt(double time) const noexcept;
  void addSectors(std::size_t window, Interval in) noexcept;
  double normalImpulse(Interval in) const noexcept;
  void widen(Moments& moments, Signal signal, const Cells& cells, Interval in) const noexcept;
  void addTimes(std::size_t window, const Cells& cells, Interval in) noexcept;
  double peakOver(Interval in) const noexcept;

  // impacts (contact_impacts.cpp)
  void followImpacts();
  void followLumps();
  void addLump(double time, double impulse) noexcept;
  void bounce(double time, double impulse, int count);
  void close(double time, double velocity);
  void open(double time);
  void load();
  void followForce(Interval closed);

  const Contact* contact_;
  const PieceGrid* grid_;
  bool isSeries_;
  bool isRigid_;         // its impulses are no integral of its force
  bool countsImpulses_;  // nor are those of steps in which a force jumps: what its totals gain is
  double threshold_;
  bool keepsTable_;
  double end_;  // of the run [s]

  std::vector<WindowTotals> windows_;
  std::size_t sectors_{0};
  std::vector<double> sectorWork_;  // window by window
  ImpactTracker tracker_;
  std::vector<Histogram> histograms_;
  std::vector<Impact> table_;

  // the present piece
  StatisticsPiece piece_;
  std::array<double, kMostPoints * kChannels> samples_{};
  std::array<double, kMostPoints * kChannels> atPoints_{};
  std::array<Signals, kMostPoints> pointSignals_{};
  Cells cells_{}, partCells_{};
  std::array<Moments, kSignals> sums_{};
  double stepImpulse_{0.0};  // of a contact that counts impulses

  bool closed_{false};
  bool begun_{false};
  double closingVelocity_{0.0};
  double lastRate_{0.0};   // approach at the end of the piece before
  double lastSlope_{0.0};  // and its mean slope over it, of what counts impulses
  double lastImpulse_{0.0}, lastIntegral_{0.0};
  int lastImpacts_{0};
  double lastEnd_{0.0};
};

}  // namespace ricochet
