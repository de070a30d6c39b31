// Outputs of a run of the event scheme.

#include "engine/event/event_run.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

/// Evaluates the state (`outputState_`), the contact views and the energy ledger at local time t of the step.
void EventRun::evaluateOutputAt(double t) {
  evaluateState(t, outputState_.q, outputState_.v);
  inLongStep_ ? long_->acceleration(t, outputState_.q, outputState_.v, outputState_.a)
              : expansion_.acceleration(t, outputState_.a);
  outputState_.time = state_.time + t;
  contacts_.reportStatesToRunAt(t, state_.time, expansion_, equation_.contacts(), equation_.links());
  planes_.restoreModeOrder(outputState_, modelState_);
  fillContactViews(equation_.contacts(), modelState_, views_);
  equation_.links().writeLinkStates(modelState_, links_);
  ledger_ = equation_.ledger(modelState_);
  if (t == 0.0) state_.a = outputState_.a;
}

/// State with its modes in the order of the model; valid until the next call or output.
const State& EventRun::stateInModeOrderOfModel(const State& sorted) {
  if (!planes_.isSorted()) return sorted;
  planes_.restoreModeOrder(sorted, modelState_);
  return modelState_;
}

/// Writes the outputs that lie inside the step, its end included unless a time function jumps there (the
/// next step gives the value after the jump). The series are exact, so no interpolation is needed. The
/// accumulated work in the energy ledger is the work up to the instant of the output.
void EventRun::writeOutputs(double step, double end) {
  const double roundings = 4.0 * std::numeric_limits<double>::epsilon() * std::abs(end);
  const double last = end < options_.end ? std::min(end, breakpoint_ - roundings) : end;
  while (isOutputDue(last)) {
    const TransientOutput output = outputs_[nextOutput_++];
    const double t = std::clamp(output.time - state_.time, 0.0, step);
    const EnergyLedger kept = equation_.accumulatedLedger();
    const auto totals = equation_.contacts().runTotals();
    keptTotals_.assign(totals.begin(), totals.end());
    evaluateState(t, outputState_.q, outputState_.v);
    next_.q = outputState_.q;
    next_.v = outputState_.v;
    addWorkOfLoadsAndDamping(t, next_.q, next_.v);
    contacts_.addWorkUpToTime(t, state_.time, expansion_, equation_.contacts(),
                              equation_.accumulatedLedger());
    evaluateOutputAt(t);
    equation_.accumulatedLedger() = kept;
    for (std::size_t i = 0; i < keptTotals_.size(); ++i)
      equation_.contacts().totalsOfContact(i) = keptTotals_[i];
    modelState_.time =
        std::max(output.time, state_.time);  // after a jump that rounding puts behind the output
    watch_.updateExtremesFromLedger(ledger_);
    output.sendViewToObserver(observer_, {modelState_, views_, ledger_, links_});
  }
}

/// Archives the state after an event, from which the present step starts.
void EventRun::writeEventRow() {
  rowIsDue_ = false;
  if (options_.archiveEvery != 0 || eventRows_ >= kMostEventRows) return;
  ++eventRows_;
  evaluateOutputAt(0.0);
  watch_.updateExtremesFromLedger(ledger_);
  observer_.archive({modelState_, views_, ledger_, links_});
}

void EventRun::recordStatisticsInto(SeriesStatistics& statistics) {
  statistics_ = &statistics;
  statisticRows_.clear();
  sharesMotion_.clear();
  State natural = modelState_, sorted = state_;
  for (const SeriesChannel& channel : statistics_->channels()) {
    natural.q = channel.row;
    planes_.sortModesOfState(natural, sorted);
    const bool shares = !statisticRows_.empty() && statisticRows_.back() == sorted.q;
    sharesMotion_.push_back(shares ? 1 : 0);
    statisticRows_.push_back(sorted.q);
  }
  for (std::vector<double>* series : {&motionSeries_, &rateSeries_})
    series->resize(static_cast<std::size_t>(fullOrder_) + 3);
  samples_.resize(statisticRows_.size());
}

/// Adds the step to the statistics, exactly, from the power series of each recorded quantity.
void EventRun::addStatistics(double step) {
  statistics_->addDuration(step);
  if (inLongStep_) return addStatisticsBySampling(step);
  const std::size_t count = static_cast<std::size_t>(expandedOrder_) + 3;
  const std::span<double> motion = std::span(motionSeries_).first(count);
  const std::span<double> rate = std::span(rateSeries_).first(count - 1);
  for (std::size_t i = 0; i < statisticRows_.size(); ++i) {
    const SeriesChannel& channel = statistics_->channels()[i];
    if (!sharesMotion_[i]) expansion_.motionSeriesAlongRow(statisticRows_[i].data(), motion);
    if (!channel.ofDisplacement) differentiate(motion, rate);
    const std::span<double> p = channel.ofDisplacement ? motion : rate;
    const double zero = p[0];
    p[0] += channel.offset;
    statistics_->addPolynomialPieceOfChannel(i, p, step);
    p[0] = zero;
  }
}

/// Adds a long step to the statistics, piece by piece, from polynomials through samples.
void EventRun::addStatisticsBySampling(double step) {
  const int pieces = quadraturePieceCount(step);
  const double length = step / pieces;
  for (int piece = 0; piece < pieces; ++piece) {
    for (std::size_t s = 0; s < SampledPolynomial::kSamples; ++s) {
      evaluateState((piece + SampledPolynomial::samplePoints()[s]) * length, outputState_.q, outputState_.v);
      for (std::size_t i = 0; i < samples_.size(); ++i) {
        const SeriesChannel& channel = statistics_->channels()[i];
        const Vector& x = channel.ofDisplacement ? outputState_.q : outputState_.v;
        samples_[i][s] = channel.offset + kernels::dot(statisticRows_[i].data(), x.data(), x.size());
      }
    }
    for (std::size_t i = 0; i < samples_.size(); ++i)
      statistics_->addPolynomialPieceOfChannel(i, samples_[i], length);
  }
}

/// Number of pieces of a step in each of which the phase of the fastest mode is at most 4 rad, as in a step
/// by power series.
int EventRun::quadraturePieceCount(double step) const noexcept {
  constexpr double kPhaseOfPiece = 4.0;
  return inLongStep_ ? std::max(1, static_cast<int>(std::ceil(highestOmega_ * step / kPhaseOfPiece))) : 1;
}

/// Passes the states at the fractions options_.within of the step to the observer.
void EventRun::writeStateInsideStep(double step, double end) {
  if (!(step > 0.0) || options_.within.empty()) return;
  const int pieces = quadraturePieceCount(step);
  const double length = step / pieces;
  for (int piece = 0; piece < pieces; ++piece) {
    const double from = piece * length;
    const double begin = state_.time + from;
    const double next = piece + 1 < pieces ? begin + length : end;
    for (std::size_t i = 0; i < options_.within.size(); ++i) {
      evaluateOutputAt(from + options_.within[i] * length);
      observer_.onInstantInsideStep(begin, next, i, {modelState_, views_, ledger_, links_});
    }
  }
}

/// Archives a row at the present instant: the present contact states, and the forces of the next step.
void EventRun::archiveOutputRow() {
  const int order = order_;
  inLongStep_ = false;
  if (state_.time >= options_.end) order_ = 2;  // no step follows
  expandMotionInPowerSeries();
  order_ = order;
  evaluateOutputAt(0.0);
  watch_.updateExtremesFromLedger(ledger_);
  observer_.archive({modelState_, views_, ledger_, links_});
}

void EventRun::passNewEventsToRun() {
  contacts_.reportStatesToRun(equation_.contacts(), equation_.links());
  watch_.updateExtremesFromLedger(equation_.ledger(stateInModeOrderOfModel(state_)));
  std::vector<Event>& events = equation_.contacts().events();
  if (events.empty()) return;
  report_.events += static_cast<long long>(events.size());
  observer_.onEvents(events);
  events.clear();
}

void EventRun::finishRun() {
  if (statistics_ != nullptr) statistics_->finish();
  contacts_.passNewEventsToRun(equation_.contacts());
  passNewEventsToRun();
  report_.time = state_.time;
  report_.impacts = contacts_.impactCounts();
  report_.energyError = watch_.relativeEnergyError(
      report_.steps, [this] { return equation_.boundOfTransmittedImpulse(options_.end - options_.start); });
  planes_.restoreModeOrder(state_, callerState_);
  report_.energy = equation_.ledger(callerState_);
}

}  // namespace ricochet
