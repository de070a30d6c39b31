#pragma once

#include "engine/numerics/flush_to_zero.hpp"
#include "engine/schemes/carried_state.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/transient/pace.hpp"
#include "engine/transient/step_statistics.hpp"
#include "engine/transient/transient_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

namespace ricochet {

/// Time loop of `run` (transient.hpp), one object per run. E: ModalEquation or DirectEquation. The lanes of a
/// batch (engine/lanes/lane_loop.hpp) call this loop step by step.
template <class I, class E>
class TransientLoop {
 public:
  TransientLoop(I& integrator, E& equation, State& state, const TransientOptions& options,
                TransientObserver& observer)
      : TransientLoop(integrator, equation, state, options, observer,
                      makeTransientGrid(equation.model(), options, E::kSplitsAtKinks)) {}

  /// Breakpoints and outputs are computed in advance, so that all runs of one batch share them.
  TransientLoop(I& integrator, E& equation, State& state, const TransientOptions& options,
                TransientObserver& observer, std::shared_ptr<const TransientGrid> grid)
      : integrator_(integrator),
        equation_(equation),
        state_(state),
        options_(options),
        observer_(observer),
        tolerance_(kSnap * options.step),
        grid_(std::move(grid)),
        breakpoints_(grid_->breakpoints),
        outputs_(grid_->outputs),
        statistics_(observer.stepStatistics()),
        reached_(stepLimitOfReachedStiffness<I>(equation, options.scheme, options.step)),
        previous_(state) {}

  Report run() {
    const FlushToZero flush;
    begin();
    if constexpr (I::traits.adaptive)
      runWithAdaptiveSteps();
    else
      runWithNominalSteps();
    finish();
    if (report_.status == RunStatus::complete && observer_.isFinalStateRequested())
      observer_.receiveFinalState(
          writeCheckpointTo(checkpoint_, [this](auto& archive) { this->serialiseFinalState(archive); }));
    return report_;
  }

 protected:
  void runWithNominalSteps() {
    const long long count = nominalStepCount(options_);
    long long nextLook = done_ + 1;
    while (done_ < count && report_.status == RunStatus::complete) {
      const long long n = ++done_;
      computeNominalStep(n, count);
      if (report_.status == RunStatus::complete && (n == nextLook || n == count))
        nextLook = reportProgress(n, n == count);
    }
  }

  /// Computes nominal step n and the outputs at its end.
  void computeNominalStep(long long n, long long count) {
    const double gridEnd = options_.start + static_cast<double>(n) * options_.step;
    advanceRunToInstant(n == count ? options_.end : gridEnd);
    if (report_.status == RunStatus::complete) finishNominalStep(n, count);
  }
  void finishNominalStep(long long n, long long count) {
    if (n % kChunk == 0 || n == count) checkProgressOfRun();
    if (n != nextRow_ && n != count) return;
    nextRow_ += options_.archiveEvery;
    if (options_.archiveTimes.empty() && report_.status == RunStatus::complete && isFinite()) archiveState();
  }

  /// Computes steps of the proposed lengths up to each breakpoint; a remainder below two steps is halved.
  void runWithAdaptiveSteps() {
    long long nextLook = report_.steps + 1;
    while (state_.time < options_.end && report_.status == RunStatus::complete) {
      const double target = nextBreakpoint(options_.end);
      const double left = target - state_.time;
      // a remainder within the tolerance is refused in parts too
      const bool lands = proposed_ >= left - std::min(tolerance_, 0.5 * left);
      const double h = lands ? left : 2.0 * proposed_ > left ? 0.5 * left : proposed_;
      const StepVerdict verdict = tryStep(lands ? target : state_.time + h, h);
      if (!verdict.accepted) {
        ++report_.refused;
        if (h <= shortestStepLength(options_)) report_.status = RunStatus::stepTooSmall;
        proposed_ = std::max(verdict.next, shortestStepLength(options_));
        continue;
      }
      // a step shortened by a breakpoint does not reduce the next step
      proposed_ = std::min(h < proposed_ ? std::max(verdict.next, proposed_) : verdict.next, longest_);
      const bool last = state_.time >= options_.end;
      if (report_.steps % kChunk == 0 || last) checkProgressOfRun();
      if (report_.steps == nextRow_ || last) {
        nextRow_ += options_.archiveEvery;
        if (options_.archiveTimes.empty() && report_.status == RunStatus::complete) archiveState();
      }
      if (report_.steps == nextLook || last) nextLook = reportProgress(report_.steps, last);
    }
  }

  /// Reports progress, and writes a checkpoint on request, between two steps; returns the next step.
  long long reportProgress(long long n, bool last) {
    if (report_.status != RunStatus::complete) return n;
    const bool goesOn = observer_.onProgress(state_.time, report_.steps);
    if (!last && observer_.isCheckpointRequested())
      observer_.saveCheckpoint(
          writeCheckpointTo(checkpoint_, [this](auto& archive) { this->serialise(archive); }));
    if (!goesOn && !last) report_.status = RunStatus::interrupted;
    return pace_.stepCountAtNextReport(n);
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("TransientLoop");
    archive(done_, nextRow_, proposed_, breakpoint_, nextOutput_, watch_, lastFinite_, report_, state_);
    archive(lastEvent_, equation_, integrator_);
    archive.beginSection("end");
  }
  /// Writes or reads the data with which a following run continues from the end of this run.
  template <class Archive>
  void serialiseFinalState(Archive& archive) {
    if constexpr (!Archive::kReads)
      equation_.contacts().resetUnusedContactData(equation_.stateInContactCoordinates(state_).q.data());
    archive.beginSection("TransientLoop ends");
    archive(proposed_, state_, equation_, integrator_);
    archive.beginSection("end");
  }

  void continueEarlierRun() {
    CheckpointReader reader(*options_.goesOnFrom);
    serialiseFinalState(reader);
    state_.time = options_.start;
    equation_.contacts().events().clear();
    equation_.contacts().initialiseContactTotals();
    equation_.startEnergyBalance(state_);
  }

  void begin() {
    state_.time = options_.start;
    lastFinite_ = options_.start;
    equation_.setStatesOfEarlierRun(options_.memory);
    startIntegrator(integrator_, equation_, state_, options_.step);
    longest_ = longestStep(integrator_, equation_.model(), options_);
    limitLinkDamping(integrator_, equation_, I::traits.adaptive ? longest_ : options_.step);
    if (statistics_ != nullptr) statistics_->startRecords(state_);
    proposed_ = std::clamp(options_.step, shortestStepLength(options_), longest_);
    nextRow_ = options_.archiveEvery;
    if (options_.goesOnFrom) continueEarlierRun();
    if (options_.resumeFrom) {
      CheckpointReader reader(*options_.resumeFrom);
      serialise(reader);
      return observer_.startFromCheckpoint();
    }
    watch_.startWatchFromLedger(equation_.ledger(state_));
    if (options_.archiveTimes.empty()) archiveState();
    updateContactViewsAndLedger();
    while (nextOutput_ < outputs_.size() && outputs_[nextOutput_].time <= state_.time + tolerance_)
      outputs_[nextOutput_++].sendViewToObserver(observer_, {state_, views_, ledger_, links_});
  }

  bool isAtBreakpoint() const {
    return breakpoint_ < breakpoints_.size() && breakpoints_[breakpoint_] <= state_.time + tolerance_;
  }
  /// Next breakpoint of the loads before `end`, or within the tolerance after it: functions of time then have
  /// the values after the breakpoint. `end` if there is none.
  double nextBreakpoint(double end) {
    for (; isAtBreakpoint(); ++breakpoint_) equation_.contacts().contactPointShifts().discardPreviousStep();
    if (breakpoint_ == breakpoints_.size()) return end;
    const double next = breakpoints_[breakpoint_];
    return next < end - tolerance_ || (next > end && next <= end + tolerance_) ? next : end;
  }

  /// Computes one nominal step, split at breakpoints of the loads.
  void advanceRunToInstant(double gridEnd) {
    while (state_.time < gridEnd && report_.status == RunStatus::complete) {
      const double end = nextBreakpoint(gridEnd), h = end - state_.time;
      mostRefused_ = report_.refused + kMostRefusals;
      // a whole step has exactly the nominal length, so that tables for the nominal step are used
      computeStepWithHalvings(end, std::abs(h - options_.step) <= tolerance_ ? options_.step : h, 0);
    }
  }

  /// Computes one step, or recursively two half steps if the step is too long for the stiffness reached or
  /// has no solution: a damped contact that closes just before the end of a step would open again.
  void computeStepWithHalvings(double end, double h, int halvings) {
    if (tryStep(end, h, halvings < kHalvings).accepted) return;
    if (tooLong_) report_.shortened.add(state_.time, 0.5 * h);
    if (!tooLong_ && report_.refused++ == 0) {
      report_.refusedAt = state_.time;
      report_.refusedBy = indexOfContactOrLinkThatRefusesStep(integrator_, equation_);
    }
    // Halving may fail in one part after another.
    if (!kRepeatsInParts<I> || halvings == kHalvings || report_.refused > mostRefused_) {
      report_.status = RunStatus::notConverged;
      return;
    }
    const double middle = state_.time + 0.5 * h;
    computeStepWithHalvings(middle, 0.5 * h, halvings + 1);
    if (report_.status == RunStatus::complete) computeStepWithHalvings(end, end - middle, halvings + 1);
  }

  /// Tries a step; a refused step changes no state. `mayShorten`: refuses steps beyond the reached limit.
  StepVerdict tryStep(double end, double h, bool mayShorten = false) {
    mayShorten = mayShorten && !reached_.isEmpty();
    const bool mayFail = I::traits.adaptive || I::traits.implicit || mayShorten || mayLoseBalance_;
    advanceStateOverJumpInstant(integrator_, equation_, state_, tolerance_, options_.step);
    const bool shown = !options_.within.empty() ||
                       (nextOutput_ < outputs_.size() && outputs_[nextOutput_].time <= end + tolerance_);
    if (shown) {
      updateContactViewsAndLedger();
      previousViews_ = views_;
      previousLinks_ = links_;
      previousLedger_ = ledger_;
    }
    if (shown || I::traits.adaptive) equation_.storeCoupledStatesAtStepStart(state_);
    if (shown || mayFail || needsRefinedEnergyTerms(integrator_)) previous_ = state_;
    if (mayShorten || mayLoseBalance_) carriedBefore_.saveCarriedState(integrator_, state_);
    const StepVerdict verdict = computeSchemeStep(h);
    tooLong_ = verdict.accepted && mayShorten &&
               reached_.isExceededByStep(equation_.contacts(), equation_.links(), h);
    if (tooLong_ || !verdict.accepted) {
      if (tooLong_ || mayLoseBalance_) carriedBefore_.restore(integrator_, state_);
      state_ = previous_;
      return {false, verdict.next};
    }
    state_.time = end;
    acceptStep(integrator_, equation_, state_, h, report_.impacts);
    if (needsRefinedEnergyTerms(integrator_)) refineEnergyTerms(integrator_, equation_, previous_, state_, h);
    ++report_.steps;
    if (statistics_ != nullptr) [[unlikely]]
      statistics_->addStepEnd(state_, h);
    if (shown && isFinite()) writeOutputsInStep();
    return verdict;
  }

  StepVerdict computeSchemeStep(double h) {
    StepVerdict verdict{true, h};
    if constexpr (I::traits.adaptive)
      verdict = integrator_.tryStep(equation_, state_, h);
    else if constexpr (I::traits.implicit)
      verdict.accepted = integrator_.step(equation_, state_, h);
    else
      integrator_.step(equation_, state_, h);
    return mayLoseBalance_ && equation_.takeFlagOfLostForceBalance() ? StepVerdict{false, 0.5 * h} : verdict;
  }

  /// Updates state, views and ledger to the present instant.
  void updateContactViewsAndLedger() {
    integrator_.completeAcceleration(equation_, state_);
    const State& z = equation_.stateInContactCoordinates(state_);
    fillContactViews(equation_.contacts(), z, views_);
    equation_.links().writeLinkStates(z, links_);
    equation_.addCoupledMotion(z, views_, links_);
    ledger_ = equation_.ledger(state_);
  }

  /// Outputs at the instant of a jump show the forces after the jump.
  void passBreakpoint() {
    if (!isAtBreakpoint()) return;
    advanceStateOverJumpInstant(integrator_, equation_, state_, tolerance_, options_.step);
    updateContactViewsAndLedger();
  }

  void archiveState() {
    updateContactViewsAndLedger();
    passBreakpoint();
    lastFinite_ = state_.time;
    watch_.updateExtremesFromLedger(ledger_);
    observer_.archive({state_, views_, ledger_, links_});
  }

  /// Emits the outputs inside the last step, by the dense output of the scheme.
  void writeOutputsInStep() {
    updateContactViewsAndLedger();
    writeOutputsAtStepFractions();
    for (; nextOutput_ < outputs_.size() && outputs_[nextOutput_].time <= state_.time + tolerance_;
         ++nextOutput_) {
      const double t = outputs_[nextOutput_].time;
      if (t >= state_.time - tolerance_) {
        passBreakpoint();
        watch_.updateExtremesFromLedger(ledger_);
        outputs_[nextOutput_].sendViewToObserver(observer_, {state_, views_, ledger_, links_});
        continue;
      }
      const double theta = (t - previous_.time) / (state_.time - previous_.time);
      interpolateState(theta, t);
      const EnergyLedger ledger = ledgerInsideStep(theta);
      outputs_[nextOutput_].sendViewToObserver(observer_, {between_, betweenViews_, ledger, betweenLinks_});
    }
  }

  void interpolateState(double theta, double t) {
    integrator_.interpolate(equation_, previous_, state_, theta, between_);
    between_.time = t;
    const State& z = equation_.stateInContactCoordinates(between_);
    interpolateViews(equation_.contacts().contactSet(), previousViews_, views_, theta, z, betweenViews_);
    equation_.links().writeLinkStatesInStep(z, betweenLinks_);
    equation_.setCoupledMotionInsideStep(z, betweenViews_, betweenLinks_);
  }

  /// Writes the requested fractions of the step; 0 and 1 use the accepted states without interpolation.
  void writeOutputsAtStepFractions() {
    for (std::size_t i = 0; i < options_.within.size(); ++i) {
      const double theta = options_.within[i];
      const bool isFirst = theta == 0.0, isLast = theta == 1.0;
      const State& s = isFirst ? previous_ : isLast ? state_ : between_;
      if (!isFirst && !isLast) interpolateState(theta, std::lerp(previous_.time, state_.time, theta));
      const auto& views = isFirst ? previousViews_ : isLast ? views_ : betweenViews_;
      const auto& links = isFirst ? previousLinks_ : isLast ? links_ : betweenLinks_;
      observer_.onInstantInsideStep(previous_.time, state_.time, i, {s, views, ledger_, links});
    }
  }

  EnergyLedger ledgerInsideStep(double theta) const {
    EnergyLedger ledger = interpolatedEnergyLedger(previousLedger_, ledger_, theta);
    if constexpr (I::traits.order > 2) equation_.addEnergyTermCurvature(previous_, between_, state_, ledger);
    for (std::size_t i = 0; i < views_.size(); ++i)
      ledger.contact += betweenViews_[i].storedNormal -
                        std::lerp(previousViews_[i].storedNormal, views_[i].storedNormal, theta);
    replaceInterpolatedEnergiesOfLinks(previousLinks_, links_, betweenLinks_, theta, ledger);
    ledger.kinetic = equation_.kineticEnergy(between_.v);
    ledger.elastic = equation_.elasticEnergy(between_.q);
    return ledger;
  }
  bool isFinite() const { return std::isfinite(state_.q.sum() + state_.v.sum() + state_.a.sum()); }

  void checkProgressOfRun() {
    if (!isFinite()) {
      report_.status = RunStatus::diverged;
      equation_.contacts().events().clear();
      return;
    }
    lastFinite_ = state_.time;
    watch_.updateExtremesFromLedger(equation_.ledger(state_));
    reportEvents();
  }

  void reportEvents() {
    std::vector<Event>& events = equation_.contacts().events();
    if (events.empty()) return;
    lastEvent_ = clampAndSortEventsByTime(events, lastEvent_);
    report_.events += static_cast<long long>(events.size());
    observer_.onEvents(events);
    events.clear();
  }

  void finish() {
    report_.time = report_.status == RunStatus::diverged ? lastFinite_ : state_.time;
    report_.energyError = watch_.relativeEnergyError(
        report_.steps, [this] { return equation_.boundOfTransmittedImpulse(options_.end - options_.start); });
    report_.energy = equation_.ledger(state_);
    if (doesStatusRefuseStep(report_.status) || report_.status == RunStatus::interrupted) reportEvents();
    reportCauseOfFailure(integrator_, equation_, report_);
  }

  I& integrator_;
  E& equation_;
  State& state_;
  const TransientOptions& options_;
  TransientObserver& observer_;
  double tolerance_;

  std::shared_ptr<const TransientGrid> grid_;
  std::span<const double> breakpoints_;
  std::size_t breakpoint_{0};
  const TransientOutputs& outputs_;  // outputs of the time grid
  std::size_t nextOutput_{0};
  StepStatistics* statistics_;  // null: the run records no statistics
  ReachedLimit reached_;        // limit by the reached stiffness; empty: no step is shortened
  bool mayLoseBalance_{ricochet::canForceBalanceBeLost<I>(equation_)};
  CarriedState<I> carriedBefore_;
  bool tooLong_{false};  // the last step was refused because of the reached stiffness
  State previous_, between_;
  std::vector<ContactView> views_, previousViews_, betweenViews_;
  std::vector<LinkState> links_, previousLinks_, betweenLinks_;
  EnergyLedger ledger_, previousLedger_;
  EnergyWatch watch_;
  double lastFinite_{0.0}, lastEvent_{-std::numeric_limits<double>::infinity()};
  Report report_;

  long long done_{0};                    // number of computed nominal steps
  long long nextRow_{0};                 // number of the nominal or accepted step that is archived next
  double proposed_{0.0}, longest_{0.0};  // next and longest step of a scheme that chooses its steps [s]
  static constexpr int kHalvings = 20, kMostRefusals = kOwnsContacts<I> ? 100 : 2000;  // per nominal step
  long long mostRefused_{0};
  Pace pace_{kChunk};
  std::vector<std::byte> checkpoint_;
};

}  // namespace ricochet
