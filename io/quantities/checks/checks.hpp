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

/// Gathers what the checks of a study on a run of this mode look at while the study runs, and judges it
/// afterwards.
///
/// A check at an event needs its instant before the run, one of a stretch of the run needs its steps:
/// `needsRehearsal` tells so, and `setRehearsal` gives those of an earlier run of the same study.
class CheckCollector : public TransientObserver {
 public:
  /// `keepsEvents`: all of them; else only the first, unless a check looks at them.
  CheckCollector(const Deck& study, const Simulation& simulation, bool keepsEvents = false);

  bool needsRehearsal() const noexcept;
  void setRehearsal(const Rehearsal& rehearsal);

  /// The contacts of the run to come, for accounts that no view has.
  void follow(const ContactRun& contacts) noexcept { contacts_ = &contacts; }
  /// Statistics of the run that has ended.
  void follow(const ContactStatistics& statistics) noexcept { statistics_ = &statistics; }

  /// Instants at which the run must show itself (TransientOptions::instants).
  std::vector<double> instants();

  void archive(const StepView&) override {}
  void instant(std::size_t index, const StepView& view) override;
  void events(std::span<const Event> events) override;

  const std::vector<Event>& eventsSeen() const noexcept { return events_; }

  /// What was seen so far, but for the events. For collectors of the same study after `instants`.
  template <class Archive>
  void persist(Archive& archive) {
    archive.section("CheckCollector");
    for (Entry& entry : entries_) {
      archive(entry.value);
      // where no step ends inside a piece, none is half seen
      if (entry.watch) archive(*entry.watch);
    }
    archive.section("end");
  }

  /// The checks, in the order of the deck. `run` is absent when the deck has no transient.
  std::vector<CheckResult> judge(const Report* report, const ContactRun* contacts) const;

 private:
  struct Entry {
    const CheckRequest* check;
    QuantityAt seen;
    std::optional<double> time;   // where it looks
    std::optional<double> value;  // what it saw there
    std::optional<CheckWatch> watch{};
  };
  void collectPieces(const Rehearsal& rehearsal);
  void samplePiece(std::size_t index, const StepView& view);
  double read(const Entry& entry, const StepView& view) const;
  std::optional<double> afterwards(const CheckRequest& check, const Report* report,
                                   const ContactRun* contacts) const;
  std::optional<double> modal(const CheckRequest& check) const;
  std::optional<double> statistic(const CheckRequest& check) const;
  std::optional<double> eventTime(int contact, EventKind kind, int index) const;
  std::string placeOf(const CheckRequest& check) const;

  const Deck& study_;
  const Simulation& simulation_;
  std::vector<Entry> entries_;
  static constexpr std::size_t kFirstEvents = 16;
  bool keepsEvents_;
  std::vector<Event> events_;
  std::vector<ComplexMode> complexModes_;  ///< if a check looks at one

  // pieces of the run that a watch wants, their Gauss points being instants after those of `time`
  GaussLegendre points_;
  std::vector<CheckPiece> pieces_;
  std::size_t timed_{0};             // instants of `time`
  std::vector<CheckPiece> watched_;  // the present piece, as each watch samples it
  const ContactRun* contacts_{nullptr};
  const ContactStatistics* statistics_{nullptr};
};

}  // namespace ricochet
