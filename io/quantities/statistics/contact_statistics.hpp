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

/// Statistics of a contact at the end of a run.
struct ContactSummary {
  std::size_t contact{0};
  std::vector<WindowTotals> windows;         ///< totals of the whole run, then of the windows of the deck
  std::vector<std::vector<double>> sectors;  ///< wear work of each sector [J], window by window
};

/// Statistics of contacts over windows of a run, accumulated during the run (`[statistics]`).
///
/// The statistics are computed from the motion, not from archived rows: the run passes every piece between
/// the ends of consecutive steps (TransientOptions::within). Pieces of the event scheme are polynomials:
/// integrals and extremes are exact within rounding. With the other schemes the ends of accepted steps are
/// used, and of long steps the instants of `countPartsSampledInStep` between them; a contact changes its
/// state where its event is located.
class ContactStatistics {
 public:
  ContactStatistics(const Deck& study, const Simulation& simulation);
  /// Statistics of a run from `start` to `end`; the request must outlive this object.
  ContactStatistics(const StatisticsRequest& request, double start, double end, const Simulation& simulation);

  /// Parts of every piece [0..1] at which the run must be sampled.
  const std::vector<double>& parts() const noexcept { return parts_; }

  /// Sets the contacts of the next run.
  void followContacts(ContactRun& contacts) noexcept { run_ = &contacts; }

  void onInstantInsideStep(double begin, double end, std::size_t index, const StepView& view);
  /// To be called when the run has passed on its events: no event is pending.
  void forgetPassedEvents() noexcept { seen_ = 0; }
  /// To be called at the end of the run.
  void finishAtTime(double time);

  /// The requested contacts, in the order of StatisticsRequest::contacts.
  std::span<ContactFollower> contactFollowers() noexcept { return followers_; }
  std::span<const ContactFollower> contactFollowers() const noexcept { return followers_; }
  std::vector<ContactSummary> summaries() const;
  /// Totals of a contact over window 1, 2, ... of the deck, or 0 for the whole run; null if not requested.
  const WindowTotals* findTotals(std::size_t contact, std::size_t window) const;
  /// Wear work of the sectors of a contact over window 1, 2, ... or 0 (whole run) [J]; empty without sectors.
  std::span<const double> wearWorkOfSectors(std::size_t contact, std::size_t window) const;

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("ContactStatistics");
    archive(seen_);
    for (ContactFollower& each : followers_) archive(each);
    archive.beginSection("end");
  }

 private:
  double instantOfStateChange(std::size_t contact, double begin, double end) const noexcept;
  void addSample(std::size_t contact, std::pair<double, double> step, std::size_t index,
                 const ContactView& seen);

  std::span<const std::size_t> contacts_;
  PieceGrid grid_;
  std::vector<double> parts_;
  std::vector<ContactFollower> followers_;
  std::vector<ContactPhase> before_;  // state of each contact at the first sample of the piece
  std::vector<char> partial_;         // 1: parts of the present step have been added
  ContactRun* run_{nullptr};
  std::size_t seen_{0};  // number of pending events already processed
};

/// A number of the statistics: an attribute or a dataset of the result, which can be checked. Computed from
/// the totals of a window, or by a reduction of one of its signals.
struct StatisticColumn {
  std::string name;
  std::string_view unit;
  std::string meaning;
  double (*number)(const WindowTotals& window, const WearRequest* wear){nullptr};
  bool ofWear{false};   ///< exists only for contacts with `wear`
  bool ofDepth{false};  ///< exists only if the shape of the wear gives a depth
  bool ofOther{false};  ///< exists only if the other body wears too
  Signal signal{};
  const Reduction* reduction{nullptr};

  /// The number for a window; 0 if the window has no data.
  double value(const WindowTotals& window, const WearRequest* wear) const {
    if (reduction == nullptr) return number(window, wear);
    const Moments& of = window.momentsOf(signal);
    const double sum = reduction->squares ? of.square : of.integral;
    return window.covered > 0.0 ? reduction->value({of.high, of.low, sum, window.covered}) : 0.0;
  }
  bool appliesToWear(const WearRequest* wear) const noexcept {
    if (!ofWear) return true;
    if (wear == nullptr || (ofDepth && !wear->shape) || (ofOther && !wear->other)) return false;
    return !(ofDepth && ofOther) || wear->hasDepthOfOtherBody();
  }
};

/// One value per angular sector (sectors divide 360 degrees).
struct SectorColumn {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  double (*value)(double work, double duration, int sectors, const WearRequest* wear);
  bool ofWear{false};  ///< exists only for contacts with `wear`
  /// Exists only if the wear is distributed over the full circumference, which gives a depth per sector.
  bool ofDepth{false};

  bool appliesToWear(const WearRequest* wear) const noexcept {
    return (!ofWear || wear != nullptr) && (!ofDepth || wear->hasSectorDepth());
  }
};
std::span<const SectorColumn> sectorColumns();
const SectorColumn* sectorColumn(std::string_view name);

/// All statistic columns, and the column with a name.
std::span<const StatisticColumn> statisticColumns();
const StatisticColumn* statisticColumn(std::string_view name);

}  // namespace ricochet
