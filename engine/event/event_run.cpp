#include "engine/event/event_run.hpp"

#include "engine/event/event_scheme.hpp"
#include "engine/numerics/flush_to_zero.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// Order that suits a tolerance: above this order the work per unit of time and the rounding grow slowly.
int seriesOrderForTolerance(double tolerance) {
  constexpr int kLowest = 8;
  constexpr int kHighest = 24;
  return std::clamp(static_cast<int>(std::ceil(2.0 - 0.75 * std::log(tolerance))), kLowest, kHighest);
}

/// Instants that differ by less than this fraction of the run count as equal.
constexpr double kSnapOfRun = 1e-15;

/// Rounding error of the motion, relative to the largest displacement and speed of the run, and to the motion
/// that the largest forces alone would cause in a step.
constexpr double kMotionRounding = 64.0 * std::numeric_limits<double>::epsilon();

}  // namespace

EventRun::EventRun(ModalEquation& equation, State& state, const TransientOptions& options,
                   TransientObserver& observer)
    : equation_(equation),
      callerState_(state),
      planes_(equation.model()),
      state_(planes_.size()),
      options_(options),
      observer_(observer),
      expansion_(planes_, seriesOrderForTolerance(options.scheme.eventRelativeTolerance),
                 largestForceChannelCount(), 3 * equation.model().contacts.size()),
      order_(expansion_.order()),
      fullOrder_(expansion_.order()),
      seriesOrder_(expansion_.order()),
      contacts_(equation.model().contacts, equation.model().links, planes_,
                std::max(expansion_.order(), LongStep::kPoints - 1), options.scheme.eventRelativeTolerance,
                options.scheme.impactLaw),
      loads_(equation.model().loads),
      motionJumps_(instantsOf(equation.model().loads.motionJumps())),
      functions_(expansion_.order(), options.end - options.start, options.start),
      moving_(expansion_.order()),
      outputs_(options),
      next_(state_),
      outputState_(state_),
      modelState_(state),
      rates_(Matrix::Zero(state_.q.size(), kernels::kMostTogether)),
      expanded_(false) {
  if (planes_.isSorted())
    for (Eigen::Index i = 0; i < equation.model().loads.termCount(); ++i)
      shapes_.push_back(planes_.sortedRow(loads_.shapes() + i * equation.size()));
  for (const SpinningPart& part : equation.linearSystem().spinning) spins_.emplace_back(part.speed);
  const Propagator propagator = options.scheme.propagator;
  const bool many = equation.linearSystem().modes >= kModesForLongSteps;
  takesLong_ = propagator != Propagator::taylor && (many || propagator == Propagator::chebyshev) &&
               reasonAgainstLongSteps(equation.model()).empty();
  const std::vector<Load>& loads = equation.model().loads.loads();
  constantLoads_ = std::all_of(loads.begin(), loads.end(), [](const Load& load) {
    return load.scale.breakpoints().empty() && !FunctionCursor(load.scale).isVarying();
  });
  highestOmega_ = std::sqrt(equation.linearSystem().omegaSquared.maxCoeff());
}

Report EventRun::run() {
  const FlushToZero flush;
  options_.resumeFrom ? resumeFromCheckpoint() : initializeRun();
  long long nextReport = report_.steps + 1;
  while (state_.time < options_.end && report_.status == RunStatus::complete) {
    if (!takeStep()) break;
    if (report_.steps >= nextRow_ || state_.time >= options_.end) {
      nextRow_ = report_.steps + options_.archiveEvery;
      if (isEveryStepArchived()) archiveOutputRow();
    }
    if (report_.steps % kEventsChunk == 0 || state_.time >= options_.end) passNewEventsToRun();
    if (report_.steps >= nextReport || state_.time >= options_.end) nextReport = reportProgress();
  }
  finishRun();
  if (report_.status == RunStatus::complete && observer_.isFinalStateRequested())
    observer_.receiveFinalState(
        writeCheckpointTo(checkpoint_, [this](auto& archive) { serialiseStateAtRunEnd(archive); }));
  return report_;
}

/// Between two steps: reports the progress and writes a checkpoint if the observer wants one. Returns the
/// number of steps after which the next call is due.
long long EventRun::reportProgress() {
  const bool last = state_.time >= options_.end;
  const bool goesOn = observer_.onProgress(state_.time, report_.steps);
  if (!last && observer_.isCheckpointRequested())
    observer_.saveCheckpoint(writeCheckpointTo(checkpoint_, [this](auto& archive) { serialise(archive); }));
  if (!goesOn && !last) report_.status = RunStatus::interrupted;
  return pace_.stepCountAtNextReport(report_.steps);
}

/// Archives the state with the modes in the order of the model, so that any run of this model can read it.
template <class Archive>
void EventRun::serialiseState(Archive& archive) {
  if constexpr (!Archive::kReads) planes_.restoreModeOrder(state_, callerState_);
  archive(callerState_);
  if constexpr (Archive::kReads) planes_.sortModesOfState(callerState_, state_);
}

/// Archives the run between two steps. The series are left out: expanding the state gives the same bits.
template <class Archive>
void EventRun::serialise(Archive& archive) {
  archive.beginSection("EventRun");
  archive(report_, nextRow_, rowIsDue_, eventRows_, nextOutput_, idleTransitions_, kinkShift_, endsAtKink_,
          briefSticks_, truncationStep_, largestSpeed_, rounding_, force_, lastStep_, watch_);
  archive(needsSeries_, levels_, wholeSteps_, patience_, interruptions_, countedFrom_, seriesOrder_);
  serialiseState(archive);
  archive(loads_, spins_, breakpoint_, functions_, equation_, contacts_);
  archive.beginSection("end");
}

/// Archives the end of the run, from which a later run may continue.
template <class Archive>
void EventRun::serialiseStateAtRunEnd(Archive& archive) {
  archive.beginSection("EventRun ends");
  archive(kinkShift_, largestSpeed_, rounding_, force_, lastStep_);
  serialiseState(archive);
  archive(loads_, spins_, breakpoint_, functions_, equation_, contacts_);
  archive.beginSection("end");
}

void EventRun::continueEarlierRun() {
  CheckpointReader reader(*options_.goesOnFrom);
  serialiseStateAtRunEnd(reader);
  state_.time = options_.start;
  expanded_ = false;
  equation_.contacts().events().clear();
  contacts_.initializeTotals(equation_.contacts());
  contacts_.impactCounts() = {};
  equation_.startEnergyBalance(stateInModeOrderOfModel(state_));
  passBreakpoints();
  expandMotionInPowerSeries();
  watch_.startWatchFromLedger(equation_.ledger(stateInModeOrderOfModel(state_)));
}

void EventRun::resumeFromCheckpoint() {
  callerState_.time = options_.start;
  equation_.setStatesOfEarlierRun(options_.memory);
  equation_.start(callerState_);
  CheckpointReader reader(*options_.resumeFrom);
  serialise(reader);
  expanded_ = false;
  observer_.startFromCheckpoint();
}

/// Initialises all members, so that no value of an earlier run remains.
void EventRun::initializeRun() {
  report_ = {};
  if (statistics_ != nullptr) statistics_->startRecords();
  rowIsDue_ = false;
  eventRows_ = 0;
  nextRow_ = options_.archiveEvery;
  nextOutput_ = 0;
  idleTransitions_ = briefSticks_ = 0;
  force_ = lastStep_ = 0.0;
  kinkShift_ = 0.0;
  rounding_ = {};
  endsAtKink_ = expanded_ = inLongStep_ = false;
  needsSeries_ = true;
  order_ = seriesOrder_ = fullOrder_;
  levels_ = {};
  wholeSteps_ = 0;
  patience_ = 1;
  interruptions_ = 0;
  countedFrom_ = options_.start;
  functions_.shiftStartOfNextExpansion(0.0);
  callerState_.time = options_.start;
  equation_.setStatesOfEarlierRun(options_.memory);
  equation_.start(callerState_);
  planes_.sortModesOfState(callerState_, state_);
  loads_.rewind();
  for (FunctionCursor& cursor : spins_) cursor.rewind();
  contacts_.copyRunStates(equation_.contacts(), equation_.links(), state_, options_.memory != nullptr);
  contacts_.reportStatesToRun(equation_.contacts(), equation_.links());
  if (options_.goesOnFrom)
    continueEarlierRun();
  else
    initializeContactStates();
  idleTransitions_ = 0;
  if (observer_.needsRowOfEveryStep() || isOutputDue(state_.time)) evaluateOutputAt(0.0);
  if (isEveryStepArchived()) observer_.archive({modelState_, views_, ledger_, links_});
  while (isOutputDue(state_.time))
    outputs_[nextOutput_++].sendViewToObserver(observer_, {modelState_, views_, ledger_, links_});
}

/// Builds the forces (channels) and constraints for the present contact states.
void EventRun::buildPowerSeriesExpansion() {
  expansion_.reset();
  for (Eigen::Index i = 0; i < equation_.model().loads.termCount(); ++i)
    expansion_.addGivenForce(modalRowOfLoad(static_cast<int>(i)), false);
  contacts_.addForces(expansion_);
  longHasForces_ = long_ && areLongStepsFaster() && contacts_.doContactsAllowLongStep();
  if (longHasForces_)
    long_->copyChannels(expansion_, static_cast<int>(equation_.model().loads.termCount()), !constantLoads_);
  expansion_.invertConstraintMatrix();
}

void EventRun::setForceSeriesOfLoads() {
  int channel = 0;
  for (const FunctionCursor& cursor : loads_.functionCursorsOfFixedLoads()) {
    const std::span<double> given = expansion_.givenForce(channel, order_ + 1);
    expansion_.givenForce(channel++, functions_.expandFunction(cursor, state_.time, given));
  }
  for (std::size_t i = 0; i < loads_.movingLoads().size(); ++i) {
    MovingSeries::Terms terms;
    for (std::size_t j = 0; j < terms.size(); ++j)
      terms[j] = expansion_.givenForce(channel + static_cast<int>(j), order_ + 1);
    for (const int count : moving_.readMovingLoadSeries(functions_, loads_.movingLoads()[i], state_.time,
                                                        terms, loads_.shapeColumnsOfMovingLoad(i)))
      expansion_.givenForce(channel++, count);
  }
  for (std::size_t i = 0; i < spins_.size(); ++i) {
    const std::span<double> series = expansion_.spinSpeedSeries(i, order_ + 1);
    expansion_.spinSpeedSeries(i, std::max(1, functions_.expandFunction(spins_[i], state_.time, series)));
  }
}

/// Expands the motion in a power series from the present instant on.
void EventRun::expandMotionInPowerSeries() {
  do {
    if (contacts_.takeStateChangedFlag()) {
      buildPowerSeriesExpansion();
      expanded_ = false;
    }
    if (std::exchange(expanded_, true)) return;
    expandedOrder_ = order_;
    functions_.begin();
    setForceSeriesOfLoads();
    contacts_.setForcesKnownInAdvance(expansion_, functions_, state_);
    expansion_.startFromState(state_.q, state_.v, order_);
  } while (!contacts_.expandMotionInPowerSeries(expansion_, state_));
  contacts_.collectContactSeries(expansion_);
  contacts_.addKinksOfLinkLaws(functions_);
}

/// Takes one step, to the next event at most. Returns false when the run has to stop.
bool EventRun::takeStep() {
  inLongStep_ = false;
  if (const std::optional<bool> goesOn = takeLongStep()) return *goesOn;
  constexpr int kMostTries = 4;
  double longest = 0.0;
  Outlook outlook;
  for (int tries = 1; tries <= kMostTries; ++tries) {
    expandMotionInPowerSeries();
    if (const int link = contacts_.indexOfLinkWithoutValidPiece(); link >= 0) {
      report_.status = RunStatus::stalled;
      report_.contact = equation_.model().contacts.size() + link;
      return false;
    }
    if (const int violated = violatingContact(); violated >= 0) return replaceViolatedContactStates(violated);
    updateForceNorms();
    longest = longestStep();
    if (!(longest > 0.0) || !std::isfinite(force_)) {
      report_.status = RunStatus::diverged;
      if (const int link = contacts_.indexOfLinkWithoutForce(); link >= 0)
        report_.contact = equation_.model().contacts.size() + link;
      return false;
    }
    outlook = contacts_.findFirstEvent(expansion_, state_.time, longest);
    if (outlook.doesStepEndAtGuard() || !contacts_.doesStepEndInsideForceFit(outlook.step)) break;
    expanded_ = false;
  }
  if (outlook.doesStepEndAtGuard()) {
    contacts_.moveContactToStepStart(*outlook.guard, expansion_, state_.time);
    return applyGuardTransition(*outlook.guard);
  }
  if (const int moving = contacts_.dropTractionsOfContactsThatSlide(expansion_, state_.time); moving >= 0)
    return countTransitionAtOneInstant(moving);
  if ((contacts_.takeSlipStoppedFlag() || idleTransitions_ > 0) && improveFoundStates())
    return countTransitionAtOneInstant(-1);
  needsSeries_ = false;
  adaptSeriesOrder(outlook.step, longest);
  return completeStepUpToEvent(outlook, longest);
}

/// Lowers the order where events end the steps early, since a short series costs less; raises it again.
void EventRun::adaptSeriesOrder(double step, double longest) noexcept {
  constexpr double kShort = 0.2;  // part of the step that the series allow
  constexpr double kLong = 0.5;
  constexpr int kChange = 2;
  if (order_ != seriesOrder_) return;
  if (step < kShort * longest)
    seriesOrder_ = std::max(std::min(kLowestOrder, fullOrder_), seriesOrder_ - kChange);
  else if (step > kLong * longest)
    seriesOrder_ = std::min(fullOrder_, seriesOrder_ + kChange);
}

/// Completes the step that the guards allow. Returns false when the run has to stop.
bool EventRun::completeStepUpToEvent(const Outlook& outlook, double longest) {
  double end = state_.time + outlook.step;
  const double last = std::min(options_.end, breakpoint_);
  if (last - end <= kSnapOfRun * (options_.end - options_.start)) end = last;
  const double begin = state_.time;
  const bool moved = end > begin;
  acceptStep(outlook.step, end);
  ++report_.steps;
  report_.longSteps += inLongStep_ ? 1 : 0;
  if (moved) {
    idleTransitions_ = 0;
  } else {
    contacts_.restartSlowSlips();
    if (!countTransitionAtOneInstant(outlook.guard ? outlook.guard->contact : -1)) return false;
  }
  if (!isStateFinite()) {
    report_.status = RunStatus::diverged;
    state_.time = begin;
    return false;
  }
  if (doesRunEndAtSingularNormal(outlook.step)) return false;
  shiftGapBeyondForceKink(outlook.step, longest);
  contacts_.updateSlipDirections(state_, state_.time - options_.start, outlook.step);
  if (outlook.guard) {
    if (inLongStep_) moveStateToEvent(outlook);
    rowIsDue_ = true;
    if (doesStepEndRepeatedBriefSticks(outlook, longest)) {
      briefSticks_ = 0;
      holdSticksAtRest();
      if (report_.status != RunStatus::complete) return false;
    } else if (!applyGuardTransition(*outlook.guard)) {
      return false;
    }
  }
  if (state_.time >= breakpoint_) {
    countInterruptedStep();
    passBreakpoints();
  }
  return report_.status == RunStatus::complete;
}

void EventRun::acceptStep(double step, double end) {
  if (rowIsDue_ && step > 0.0) writeEventRow();
  writeOutputs(step, end);
  writeStateInsideStep(step, end);
  if (statistics_ != nullptr && step > 0.0) addStatistics(step);
  moveStateToStepEnd(step, end);
  largestSpeed_ = std::max(largestSpeed_, std::sqrt(2.0 * mechanicalEnergy(state_.q, state_.v)));
  updateRoundingErrors(step, inLongStep_ ? 0.0 : force_);
  lastStep_ = inLongStep_ ? 0.0 : step;
}

/// Updates the sizes of the generalized forces at the start of a step. These forces also cause rounding in
/// the previous step if balanced loads of rigid contacts have grown from zero in that step.
void EventRun::updateForceNorms() noexcept {
  constexpr double kNothing = 1e-3;
  const double before = std::exchange(force_, expansion_.elasticForceNorm(0) + expansion_.forceNormSum(0));
  const double step = std::exchange(lastStep_, 0.0);
  if (step > 0.0 && expansion_.constraintCount() > 0 && before < kNothing * force_)
    updateRoundingErrors(step, force_);
}

/// Updates the rounding error of the motion after a step; `force`: sum of the sizes of the generalized forces
/// at one end of the step. The contacts receive a rounding error that has grown by a tenth.
void EventRun::updateRoundingErrors(double step, double force) noexcept {
  constexpr double kGrown = 1.1;
  const MotionRounding now{kMotionRounding * std::max(force * step * step, state_.q.norm()),
                           kMotionRounding * std::max(largestSpeed_, force * step)};
  if (!(now.place > kGrown * rounding_.place) && !(now.speed > kGrown * rounding_.speed)) return;
  rounding_ = {std::max(rounding_.place, now.place), std::max(rounding_.speed, now.speed)};
  contacts_.setMotionRoundingErrors(rounding_);
}

/// Advances the state and the energy ledger to the end of a step.
void EventRun::moveStateToStepEnd(double step, double end) {
  evaluateState(step, next_.q, next_.v);
  addWorkOfLoadsAndDamping(step, next_.q, next_.v);
  contacts_.acceptStep(step, state_.time, expansion_, equation_.contacts(), equation_.accumulatedLedger());
  if (!inLongStep_) contacts_.updateLowerBoundsOfGaps(expansion_, step);
  state_.q.swap(next_.q);
  state_.v.swap(next_.v);
  expanded_ = false;
  contacts_.passNewEventsToRun(equation_.contacts());
  contacts_.recordLinkEvents(state_.time, equation_.links(), equation_.contacts().events());
  state_.time = end;
}

void EventRun::evaluateState(double tau, Vector& q, Vector& v) noexcept {
  inLongStep_ ? long_->evaluate(tau, q, v) : expansion_.evaluate(tau, q, v);
}

}  // namespace ricochet
