#pragma once

#include "engine/transient/step_statistics.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/batch_output.hpp"
#include "io/deck/statistics_request.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/batch/history_statistic.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ricochet {

class ContactStatistics;

/// Watches the runs of a batch, one after the other, and gives the outputs of each. Made once for runs on the
/// same basis; what it needs is allocated then.
class OutputRecorder : public TransientObserver {
 public:
  /// Adds to the options what it wants to be shown; `historyTimes` are the instants of the histories.
  OutputRecorder(const std::vector<BatchOutput>& outputs, const std::vector<BatchHistory>& histories,
                 const std::vector<double>& historyTimes, const Simulation& simulation,
                 TransientOptions& options);
  ~OutputRecorder() override;
  OutputRecorder(const OutputRecorder&) = delete;
  OutputRecorder& operator=(const OutputRecorder&) = delete;

  /// Before a run of these contacts.
  void start(ContactRun& contacts);

  void archive(const StepView& view) override;
  void instant(std::size_t index, const StepView& view) override;
  void events(std::span<const Event> events) override;
  void within(double begin, double end, std::size_t index, const StepView& view) override;
  bool progress(double time, long long steps) override;
  StepStatistics* stepStatistics() override { return followed_ ? &*followed_ : nullptr; }

  /// Whether it wants to be shown every step, which a run by itself can afford and lanes cannot.
  bool wantsEveryStep() const noexcept { return everyStep_; }

  /// The outputs of the run just made; `defined[i]` is 0 where there is none (an event that did not happen),
  /// and the output kNoValue.
  void finish(const Report& report, std::span<const ContactTotals> totals, std::span<double> outputs,
              std::span<std::uint8_t> defined);

  /// The histories of the run, history by history; complete if the run is.
  std::span<const double> histories() const noexcept { return histories_; }

  struct HistoryPlace {
    std::size_t history, instant;
  };
  /// Where a history first is no finite number: it cannot be kept then.
  std::optional<HistoryPlace> undefinedHistory() const noexcept;
  /// Of the last `finish`: an output one of whose quantities is infinite or no number; one that does not
  /// exist, such as the instant of an event that there was not, is no such output.
  std::optional<std::size_t> infiniteOutput() const noexcept { return infinite_; }

 private:
  struct Watched {
    const OutputTerm* term;
    std::vector<std::size_t> channels;  // of its history, into channels_
    HistoryStatistic statistic;
    std::vector<double> atPoints, atCells;
  };
  struct Instant {
    const HistoryExpression* history;
    std::vector<std::size_t> channels;
    double value{0.0};
    bool seen{false};
  };
  struct Place {  // of a term
    enum class Where : unsigned char { watched, followed, instant, end };
    Where where;
    std::size_t index;
    const Reduction* reduction{nullptr};  // followed: of the history itself
  };

  std::optional<Place> follow(const OutputTerm& term, const Simulation& simulation,
                              std::vector<StepChannel>& channels) const;
  double followedValue(const Place& place) const;
  std::vector<std::size_t> enlist(const HistoryExpression& history, const Simulation& simulation);
  void look(const StepView& view);
  double valueOf(const HistoryExpression& history, const std::vector<std::size_t>& channels);
  double read(const QuantityAt& channel, std::size_t row, const StepView& view) const;
  std::optional<double> numberOfRun(const OutputTerm& term, const Report& report,
                                    std::span<const ContactTotals> totals) const;
  std::optional<double> termValue(const OutputTerm& term, const Place& place, const Report& report,
                                  std::span<const ContactTotals> totals) const;

  const std::vector<BatchOutput>* outputs_;
  PieceGrid grid_{PieceGrid::Kind::series};
  std::vector<QuantityAt> channels_;
  Matrix rows_;                  // padded modes x channels
  std::vector<double> present_;  // values of the channels
  std::vector<double> arguments_;
  std::vector<Watched> watched_;
  std::vector<Instant> instants_;
  std::vector<std::vector<Place>> places_;  // of the terms of every output
  std::vector<Instant> histored_;           // a history each
  std::size_t firstHistory_{0};             // among the instants
  std::size_t historyTimes_{0};
  std::vector<double> histories_;
  std::vector<Event> events_;
  const Simulation* simulation_;
  double start_, end_;                       // of the run [s]
  StatisticsRequest wearing_;                // contacts whose wear power is an output
  std::unique_ptr<ContactStatistics> wear_;  // of these; null: none
  std::optional<StepStatistics> followed_;   // of schemes that step in time: kept by the loop itself
  bool inside_{false};
  bool everyStep_{false};
  std::optional<std::size_t> infinite_;
};

}  // namespace ricochet
