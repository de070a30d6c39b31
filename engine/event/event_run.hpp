#pragma once

#include "engine/event/automata/event_contacts.hpp"
#include "engine/event/chebyshev/long_step.hpp"
#include "engine/event/series/mode_planes.hpp"
#include "engine/event/series/moving_series.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/numerics/quadrature.hpp"
#include "engine/transient/pace.hpp"
#include "engine/transient/series_statistics.hpp"
#include "engine/transient/transient_grid.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace ricochet {

/// The event scheme. Between two events the contacts with piecewise-linear laws make a linear system, whose
/// solution is a Taylor series of the modal coordinates. The coefficients give every gap and every contact
/// force as a polynomial of time. The last coefficients and the tolerance limit the step; the step ends at
/// the first certified root of a guard (a function that is positive while a contact state holds) or at a
/// breakpoint of a load, whichever comes first. There, contact states change one at a time until all guards
/// are positive.
///
/// The errors are the truncation (the tolerance per step) and rounding; the user chooses no step.
///
/// The constructor allocates all memory. `run` starts from `state` at options.start and may be called
/// repeatedly: each run gives the same bits, independent of earlier runs.
class EventRun {
 public:
  EventRun(ModalEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer);

  /// Adds all following steps of every run to these statistics, which must outlive the run.
  void recordStatisticsInto(SeriesStatistics& statistics);

  Report run();

 private:
  int largestForceChannelCount() const noexcept {
    return static_cast<int>(equation_.model().loads.termCount()) +
           static_cast<int>(SeriesContact::kAxes) * equation_.model().contacts.size() +
           static_cast<int>(kLinkAxes) * equation_.model().links.size();
  }
  void initializeRun();
  void initializeContactStates();
  void continueEarlierRun();
  void resumeFromCheckpoint();
  long long reportProgress();
  template <class Archive>
  void serialise(Archive& archive);
  template <class Archive>
  void serialiseStateAtRunEnd(Archive& archive);
  template <class Archive>
  void serialiseState(Archive& archive);
  bool takeStep();
  void adaptSeriesOrder(double step, double longest) noexcept;
  bool completeStepUpToEvent(const Outlook& outlook, double longest);
  std::optional<bool> takeLongStep();
  std::optional<Outlook> tryLongStep(int level, double limit);
  void setKnownForcesOfLongStep();
  int nextLengthLevelOfLongSteps(int level, double step, double limit) noexcept;
  bool areLongStepsFaster() const noexcept;
  void countInterruptedStep() noexcept;
  void buildPowerSeriesExpansion();
  void expandMotionInPowerSeries();
  double longestStep();
  double stepLengthLimitedByMotion() const noexcept;
  void shiftGapBeyondForceKink(double step, double longest) noexcept;
  double stepLengthLimitedByReactions() const noexcept;
  bool applyGuardTransition(const GuardRef& guard);
  int violatingContact();
  bool replaceViolatedContactStates(int contact);
  bool doesStepEndRepeatedBriefSticks(const Outlook& outlook, double longest) noexcept;
  bool holdSticksAtRest();
  bool closeContactsHeldByOthers();
  bool findCoupledContactStates();
  bool findFewerStateChanges();
  bool improveFoundStates();
  bool distributeReactionsOfRestingContacts(int contact);
  bool openUnloadedContacts();
  bool acceptOrRestoreContactStates();
  bool areCandidateContactStatesValid();
  void proposeContactStates();
  bool tryCandidateContactStates(SearchScope scope);
  bool countTransitionAtOneInstant(int contact) noexcept;
  bool doesRunEndAtSingularNormal(double step) noexcept;
  void setForceSeriesOfLoads();
  void acceptStep(double step, double end);
  void updateForceNorms() noexcept;
  void updateRoundingErrors(double step, double force) noexcept;
  void moveStateToStepEnd(double step, double end);
  void moveStateToEvent(const Outlook& outlook);
  void evaluateState(double tau, Vector& q, Vector& v) noexcept;
  void addWorkOfLoadsAndDamping(double step, const Vector& q, const Vector& v);
  void addWorkOfLongStep(double step, const Vector& q, const Vector& v);
  void addWorkOfConstantLoads(const Vector& q) noexcept;
  void addIntegralOfPower(std::span<const QuadraturePoint> points, double from, double step,
                          bool damped) noexcept;
  void writeEventRow();
  void writeOutputs(double step, double end);
  void writeStateInsideStep(double step, double end);
  void addStatistics(double step);
  void addStatisticsBySampling(double step);
  int quadraturePieceCount(double step) const noexcept;
  void evaluateOutputAt(double t);
  void archiveOutputRow();
  bool isOutputDue(double last) const noexcept {
    return nextOutput_ < outputs_.size() && outputs_[nextOutput_].time <= last;
  }
  bool isEveryStepArchived() const noexcept {
    return options_.archiveTimes.empty() && observer_.needsRowOfEveryStep();
  }
  void passBreakpoints();
  bool addMotionJumps();
  void passNewEventsToRun();
  void finishRun();
  double mechanicalEnergy(const Vector& q, const Vector& v) const noexcept;
  double dampingPower(const double* v) const noexcept;
  /// Modal row of a load that does not move.
  const double* modalRowOfLoad(int load) const noexcept {
    return planes_.isSorted() ? shapes_[static_cast<std::size_t>(load)]
                              : loads_.shapes() + load * state_.q.size();
  }
  const State& stateInModeOrderOfModel(const State& sorted);
  bool isStateFinite() const { return std::isfinite(state_.q.sum() + state_.v.sum()); }

  ModalEquation& equation_;
  State& callerState_;  ///< state of the caller, written at checkpoints and at the end
  ModePlanes planes_;   ///< order of the modes in all other members
  State state_;
  const TransientOptions& options_;
  TransientObserver& observer_;

  TaylorExpansion expansion_;
  int order_;                       ///< order of the next expansion
  int fullOrder_;                   ///< order that suits the tolerance (seriesOrderForTolerance)
  int seriesOrder_;                 ///< adapted order of steps by power series, without long steps
  bool takesLong_{false};           ///< the model and the options allow long steps
  std::unique_ptr<LongStep> long_;  ///< long step; null until long steps first pay
  bool longHasForces_{false};       ///< `long_` has the forces and constraints of the present contact states
  bool constantLoads_{false};       ///< all loads are constant over the whole run
  bool inLongStep_{false};          ///< the present step is a long step
  bool needsSeries_{true};       ///< the next step is by power series: a long step cannot decide a guard here
  std::array<int, 2> levels_{};  ///< preferred level of long steps: [0] all contacts open, [1] some closed
  int wholeSteps_{0};            ///< number of consecutive long steps that no event shortened
  int patience_{1};              ///< number of consecutive long steps without an event after which a longer
                                 ///< level is tried; doubled when the preferred level changes
  long long interruptions_{0};   ///< number of events and breakpoints since `countedFrom_`
  double countedFrom_{0.0};      ///< instant from which interruptions are counted [s]
  EventContacts contacts_;
  LoadCursors loads_;
  JumpInstants motionJumps_;
  /// Rows of the loads with modes in the order of `planes_`; empty if that is the order of the model.
  std::vector<const double*> shapes_;
  std::vector<FunctionCursor> spins_;
  FunctionSeries functions_;
  MovingSeries moving_;
  /// Next instant at which a new piece of a time function begins [s].
  double breakpoint_{0.0};

  TransientOutputs outputs_;
  std::size_t nextOutput_{0};
  SeriesStatistics* statistics_{nullptr};
  /// Rows of the recorded channels with modes in the order of `planes_`.
  std::vector<Vector> statisticRows_;
  std::vector<char> sharesMotion_;  ///< 1: the row of a recorded channel is that of the channel before
  std::vector<double> motionSeries_, rateSeries_;  ///< work arrays: a displacement over the step, its rate
  /// Work array: samples of the recorded channels over a piece.
  std::vector<SampledPolynomial::Samples> samples_;
  bool rowIsDue_{false};    ///< contact states have changed since the last row at an event
  long long eventRows_{0};  ///< number of rows at events so far
  State next_;
  State outputState_;
  State modelState_;  // modes in the order of the model
  Matrix rates_;      // work array: velocities at the points of the quadrature
  std::vector<ContactView> views_;
  std::vector<LinkState> links_;
  std::vector<ContactTotals>
      keptTotals_;  // totals at the start of the step, while an output inside it is made
  EnergyLedger ledger_;
  EnergyWatch watch_;
  double largestSpeed_{0.0};   ///< largest sqrt(2 E) so far, the reference of errors [m/s kg^1/2]
  MotionRounding rounding_{};  ///< rounding errors of the motion by the steps so far
  double force_{0.0};          ///< sizes of the generalized forces at the start of the step [N kg^-1/2]
  double lastStep_{0.0};       ///< previous step, until the forces at its end are known [s]
  int expandedOrder_{0};       ///< requested order of the present expansion
  bool expanded_;              ///< the expansion starts from the present state
  bool endsAtKink_{false};
  double kinkShift_{0.0};       ///< shift of time past the kink at which the last step ended; 0: no kink [s]
  double truncationStep_{0.0};  ///< step that the truncation alone allows [s]
  int idleTransitions_{0};      ///< number of transitions since time last advanced
  /// Contacts depend on each other in a candidate of the present search.
  bool triedDependent_{false};
  int briefSticks_{0};  ///< number of steps in a row that ended a stick after less than a moment
  Report report_;
  long long nextRow_{0};  ///< number of steps at which the next row is archived

  double highestOmega_{0.0};  ///< highest angular frequency omega of a mode [rad/s]
  /// Order of the power series that lead through an event between two long steps.
  static constexpr int kOrderBetweenLongSteps = 8;
  static constexpr int kOrderToEvent = 6;
  static constexpr int kLowestOrder = 10;
  static constexpr int kMostPatience = 16;
  /// Phase of the fastest mode per event beyond which long steps pay [rad]. The cost of the tables of long
  /// steps counts as kPhaseOfTables/(phase of the fastest mode over the whole run [rad]) additional events.
  static constexpr double kPhasePerEvent = 20.0;
  static constexpr double kPhaseOfTables = 13600.0;

  static constexpr long long kMostEventRows = 1000000;  // rows at events without a request
  static constexpr long long kEventsChunk = 64;         // number of steps between two deliveries of events
  Pace pace_{kEventsChunk};
  std::vector<std::byte> checkpoint_;
};

}  // namespace ricochet
