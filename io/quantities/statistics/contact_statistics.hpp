#pragma once

#include "engine/study/parts/wear_request.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/statistics/contact_follower.hpp"
#include "io/quantities/table/reduction.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// What a run knows of a contact in the end.
struct ContactSummary {
  std::size_t contact{0};
  std::vector<WindowTotals> windows;         ///< the whole run, then those of the deck
  std::vector<std::vector<double>> sectors;  ///< wear work of each sector [J], window by window
};

/// Statistics of contacts over windows of a run, summed up while it goes on (`[statistics]`).
///
/// They are of the motion, not of rows that are archived: the run shows every piece, from the end of a step
/// to the end of the next (TransientOptions::within). Pieces of the event scheme are polynomials, so that
/// integrals and extremes are exact but for rounding; of the other schemes the ends of accepted steps count,
/// the state of a contact changing where its event is located.
class ContactStatistics {
 public:
  ContactStatistics(const Deck& study, const Simulation& simulation);
  /// The same of a run from `start` to `end`; the request has to stay.
  ContactStatistics(const StatisticsRequest& request, double start, double end, const Simulation& simulation);

  /// Parts of every piece at which it wants to be shown the run.
  const std::vector<double>& parts() const noexcept { return grid_.parts(); }

  /// The contacts of the run to come.
  void follow(ContactRun& contacts) noexcept { run_ = &contacts; }

  void within(double begin, double end, std::size_t index, const StepView& view);
  /// Events were handed over: none is pending in the run.
  void handedOver() noexcept { seen_ = 0; }
  /// The run has ended.
  void finish(double time);

  /// Of the contacts asked for, in the order of StatisticsRequest::contacts.
  std::span<ContactFollower> followers() noexcept { return followers_; }
  std::span<const ContactFollower> followers() const noexcept { return followers_; }
  std::vector<ContactSummary> summaries() const;
  /// Totals of a contact over window 1, 2 ... of the deck, or 0: the whole run; null if it was not asked for.
  const WindowTotals* find(std::size_t contact, std::size_t window) const;
  /// Wear work of the sectors of a contact over such a window [J]; empty without sectors.
  std::span<const double> sectors(std::size_t contact, std::size_t window) const;

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("ContactStatistics");
    archive(seen_);
    for (ContactFollower& each : followers_) archive(each);
    archive.section("end");
  }

 private:
  double changeOf(std::size_t contact, double begin, double end) const noexcept;

  std::span<const std::size_t> contacts_;
  PieceGrid grid_;
  std::vector<ContactFollower> followers_;
  std::vector<ContactPhase> before_;  // at the first sample of the piece
  ContactRun* run_{nullptr};
  std::size_t seen_{0};  // of the pending events
};

/// A number of the statistics: an attribute or a dataset of the result, something to check. It is of the
/// totals of a window, or a reduction of one of its signals.
struct StatisticColumn {
  std::string name;
  std::string_view unit;
  std::string meaning;
  double (*number)(const WindowTotals& window, const WearRequest* wear){nullptr};
  bool ofWear{false};   ///< only of contacts with `wear`
  bool ofDepth{false};  ///< only where that has a shape
  bool ofOther{false};  ///< only where the other body wears too
  Signal signal{};
  const Reduction* reduction{nullptr};

  /// 0 where there is nothing.
  double value(const WindowTotals& window, const WearRequest* wear) const {
    if (reduction == nullptr) return number(window, wear);
    const Moments& of = window.of(signal);
    const double sum = reduction->squares ? of.square : of.integral;
    return window.covered > 0.0 ? reduction->value({of.high, of.low, sum, window.covered}) : 0.0;
  }
  bool isFor(const WearRequest* wear) const noexcept {
    if (!ofWear) return true;
    if (wear == nullptr || (ofDepth && !wear->shape) || (ofOther && !wear->other)) return false;
    return !(ofDepth && ofOther) || wear->hasOtherDepth();
  }
};

/// One value per angular sector (sectors divide 360 degrees).
struct SectorColumn {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  double (*value)(double work, double duration, int sectors, const WearRequest* wear);
  bool ofWear{false};   ///< only of contacts with `wear`
  bool ofDepth{false};  ///< only where that is all around

  bool isFor(const WearRequest* wear) const noexcept {
    return (!ofWear || wear != nullptr) && (!ofDepth || wear->hasSectorDepth());
  }
};
std::span<const SectorColumn> sectorColumns();
const SectorColumn* sectorColumn(std::string_view name);

/// All of them; and the one of a name.
std::span<const StatisticColumn> statisticColumns();
const StatisticColumn* statisticColumn(std::string_view name);

}  // namespace ricochet
