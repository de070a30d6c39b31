#pragma once

#include "engine/transient/transient.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/checks/check_result.hpp"
#include "io/quantities/checks/checks_watch.hpp"
#include "modal/complex_modes.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ricochet {

class ContactStatistics;

/// Records the quantities that the checks of a study need during a run of this mode, and evaluates the checks
/// afterwards.
///
/// A check at an event needs the time of the event before the run; a check over a part of the run needs the
/// steps. If `needsPriorRun`, an earlier run of the same study must provide them to `setEventsOfPriorRun`.
class CheckCollector : public TransientObserver {
 public:
  /// `keepsEvents`: records all events; otherwise only the first, unless a check uses more events.
  CheckCollector(const Deck& study, const Simulation& simulation, bool keepsEvents = false);

  bool needsPriorRun() const noexcept;
  void setEventsOfPriorRun(const Rehearsal& rehearsal);

  /// Sets the contacts of the next run, whose energies and impulses the state views do not contain.
  void followContacts(const ContactRun& contacts) noexcept { contacts_ = &contacts; }
  /// Sets the contact statistics, read after the end of the run.
  void followContacts(const ContactStatistics& statistics) noexcept { statistics_ = &statistics; }

  /// Instants at which the run must call this observer (TransientOptions::instants).
  std::vector<double> samplingInstants();

  void archive(const StepView&) override {}
  void onInstant(std::size_t index, const StepView& view) override;
  void onEvents(std::span<const Event> events) override;

  const std::vector<Event>& recordedEvents() const noexcept { return events_; }

  /// Reads or writes the recorded values, without the events, for another collector of the same study. Call
  /// after `instants`.
  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("CheckCollector");
    for (Entry& entry : entries_) {
      archive(entry.value);
      // no step ends inside a piece, so that no piece is incomplete at a checkpoint
      if (entry.watch) archive(*entry.watch);
    }
    archive.beginSection("end");
  }

  /// The results of the checks, in the order of the deck. `run` is absent if the deck has no transient.
  std::vector<CheckResult> evaluateChecks(const Report* report, const ContactRun* contacts) const;

 private:
  struct Entry {
    const CheckRequest* check;
    QuantityAt seen;
    std::optional<double> time;   // instant of the check
    std::optional<double> value;  // value of the quantity at this instant
    std::optional<CheckWatch> watch{};
  };
  std::optional<double> instantAtEvent(const CheckRequest& check, const Rehearsal& rehearsal) const;
  void collectPieces(const Rehearsal& rehearsal);
  std::size_t sampleCountOfPiece() const noexcept { return points_.point.size() + (samplesEnds_ ? 2 : 0); }
  double instantOfSample(const CheckPiece& piece, std::size_t sample) const noexcept;
  void samplePiece(std::size_t index, const StepView& view);
  double readCheckedValue(const Entry& entry, const StepView& view) const;
  std::optional<double> valueAfterRun(const CheckRequest& check, const Report* report,
                                      const ContactRun* contacts) const;
  std::optional<double> valueOfMode(const CheckRequest& check) const;
  std::optional<double> statisticValue(const CheckRequest& check) const;
  std::optional<double> instantOfEvent(int contact, EventKind kind, int index) const;
  std::string placeTextOfCheck(const CheckRequest& check) const;

  const Deck& study_;
  const Simulation& simulation_;
  std::vector<Entry> entries_;
  static constexpr std::size_t kFirstEvents = 16;
  bool keepsEvents_;
  std::vector<Event> events_;
  std::vector<ComplexMode> complexModes_;  ///< complex modes, if a check needs them

  // pieces of the run that a check needs; their samples are instants after the entries with `time`
  GaussLegendre points_;
  bool samplesEnds_;  // pieces are sampled at their ends too
  std::vector<CheckPiece> pieces_;
  std::size_t timed_{0};             // number of entries with `time`
  std::vector<CheckPiece> watched_;  // the present piece, with the samples of each check
  const ContactRun* contacts_{nullptr};
  const ContactStatistics* statistics_{nullptr};
};

}  // namespace ricochet
