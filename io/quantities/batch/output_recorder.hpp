#pragma once

#include "engine/transient/series_statistics.hpp"
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

/// Observes the runs of a batch, one after another, and computes the outputs of each run. Constructed once
/// for runs on the same basis; all memory is allocated then.
class OutputRecorder : public TransientObserver {
 public:
  /// Adds the instants and steps that the recorder needs to the options; `historyTimes` are the instants of
  /// the histories. The constructor reads [statistics] and the wear of contacts in the study.
  OutputRecorder(const std::vector<BatchOutput>& outputs, const std::vector<BatchHistory>& histories,
                 const std::vector<double>& historyTimes, const Deck& study, const Simulation& simulation,
                 TransientOptions& options);
  ~OutputRecorder() override;
  OutputRecorder(const OutputRecorder&) = delete;
  OutputRecorder& operator=(const OutputRecorder&) = delete;

  /// To be called before a run with these contacts.
  void start(ContactRun& contacts);

  void archive(const StepView& view) override;
  bool needsRowOfEveryStep() const noexcept override { return false; }
  void onInstant(std::size_t index, const StepView& view) override;
  void onEvents(std::span<const Event> events) override;
  void onInstantInsideStep(double begin, double end, std::size_t index, const StepView& view) override;
  bool onProgress(double time, long long steps) override;
  StepStatistics* stepStatistics() override { return byStep_ ? &*byStep_ : nullptr; }
  /// Statistics to which a run of the event scheme adds its steps; null: none are needed.
  SeriesStatistics* seriesStatistics() noexcept { return bySeries_ ? &*bySeries_ : nullptr; }

  /// True if the recorder needs a callback at every step, which a run alone provides and a run in lanes does
  /// not.
  bool needsCallbackAtEveryStep() const noexcept { return everyStep_; }

  /// Computes the outputs of the run that has just ended; if an output does not exist (an event that did not
  /// happen), `defined[i]` is 0 and the output is kNoValue.
  void computeOutputs(const Report& report, std::span<const ContactTotals> totals, std::span<double> outputs,
                      std::span<std::uint8_t> defined);

  /// The histories of the run, one history after another; complete if the run is complete.
  std::span<const double> histories() const noexcept { return histories_; }

  struct HistoryPlace {
    std::size_t history, instant;
  };
  /// First value of a history that is not finite: such a history cannot be stored.
  std::optional<HistoryPlace> firstNonFiniteHistoryValue() const noexcept;
  /// After `finish`: index of an output that depends on an infinite value or NaN. A missing output, such as
  /// the time of an event that did not happen, does not count.
  std::optional<std::size_t> firstNonFiniteOutput() const noexcept { return infinite_; }

 private:
  struct Watched {
    const OutputTerm* term;
    std::vector<std::size_t> channels;  // indices in channels_ of the quantities of the history
    HistoryStatistic statistic;
    std::vector<double> atPoints;  // smooth numbers of the history, sample after sample
  };
  struct Instant {
    const HistoryExpression* history;
    std::vector<std::size_t> channels;
    double value{0.0};
    bool seen{false};
  };
  struct Place {  // source of the value of a term
    enum class Where : unsigned char { watched, byStep, bySeries, instant, peakForce, end };
    Where where;
    std::size_t index;
    const Reduction* reduction{nullptr};  // byStep, bySeries: the reduction of the history
  };

  void setStatistics(const Deck& study);
  void requestSamplingInstants(TransientOptions& options);
  bool isPeakForceOfEventRun(const OutputTerm& term, const Simulation& simulation) const;
  std::optional<Place> addChannelsOfTimeLoop(const OutputTerm& term, const Simulation& simulation,
                                             std::vector<StepChannel>& byStep,
                                             std::vector<SeriesChannel>& bySeries) const;
  double valueOfLoopStatistic(const Place& place) const;
  std::vector<std::size_t> addChannelsOfHistory(const HistoryExpression& history,
                                                const Simulation& simulation);
  void sampleChannels(const StepView& view);
  void sampleInterpolatedNumbers(const StepView& view);
  void copyInterpolatedNumbers(const Watched& of, std::span<double> to) const;
  void addStepEndsToHistories(const StepView& view, bool isBegin);
  double historyValue(const HistoryExpression& history, const std::vector<std::size_t>& channels);
  double channelValue(const QuantityAt& channel, std::size_t row, const StepView& view) const;
  std::optional<double> valueOfRunNumber(const OutputTerm& term, const Report& report,
                                         std::span<const ContactTotals> totals) const;
  std::optional<double> valueOfOutputTerm(const OutputTerm& term, const Place& place, const Report& report,
                                          std::span<const ContactTotals> totals) const;

  const std::vector<BatchOutput>* outputs_;
  PieceGrid grid_{PieceGrid::Kind::series};
  std::vector<QuantityAt> channels_;
  Matrix rows_;                           // padded modes x channels
  std::vector<ImposedMotion> beside_;     // motion of the channels that the coordinates do not contain
  std::vector<double> present_;           // present values of the channels
  std::vector<std::size_t> firstNumber_;  // index in numbers_ of the first smooth number of each channel
  std::vector<double> numbers_;           // present smooth numbers of the channels
  std::vector<double> arguments_;
  std::vector<Watched> watched_;
  std::vector<Instant> instants_;
  std::vector<std::vector<Place>> places_;  // sources of the terms of every output
  std::vector<Instant> histored_;           // instants of the histories, for each history
  std::size_t firstHistory_{0};             // index of the first history among the instants
  std::size_t historyTimes_{0};
  std::vector<double> histories_;
  std::vector<Event> events_;
  const Simulation* simulation_;
  double start_, end_;                             // start and end of the run [s]
  StatisticsRequest counted_;                      // request for [statistics] of the contacts in outputs only
  std::unique_ptr<ContactStatistics> statistics_;  // statistics of these contacts; null: none
  // wear of each contact; null: the contact does not wear
  std::vector<std::shared_ptr<const WearRequest>> wears_;
  // Statistics that the time loop itself accumulates, for time-stepping schemes and for the event scheme.
  std::optional<StepStatistics> byStep_;
  std::optional<SeriesStatistics> bySeries_;
  bool absolute_{false};  // motions contain that of the base
  bool inside_{false};
  // Number of parts of a step outside the event scheme; histories are sampled at their ends.
  std::size_t parts_{1};
  bool everyStep_{false};
  std::optional<std::size_t> infinite_;
};

}  // namespace ricochet
