#include "io/quantities/batch/output_recorder.hpp"

#include "engine/numerics/kernels.hpp"
#include "engine/study/coordinates.hpp"
#include "io/quantities/batch/variant_outcome.hpp"
#include "io/quantities/statistics/contact_statistics.hpp"
#include "io/text/progress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// Window of the run over which a history is reduced [s].
HistoryStatistic::Window timeWindowOfTerm(const OutputTerm& term) noexcept {
  const HistoryStatistic::Window all;
  return {term.from.value_or(all.from), term.to.value_or(all.to)};
}

}  // namespace

OutputRecorder::OutputRecorder(const std::vector<BatchOutput>& outputs,
                               const std::vector<BatchHistory>& histories,
                               const std::vector<double>& historyTimes, const Deck& study,
                               const Simulation& simulation, TransientOptions& options)
    : outputs_(&outputs),
      simulation_(&simulation),
      start_(options.start),
      end_(options.end),
      absolute_(study.output.absoluteMotion),
      inside_(simulation.scheme == kEventScheme),
      parts_(countPartsSampledInStep(simulation)) {
  setStatistics(study);
  std::vector<StepChannel> byStep;
  std::vector<SeriesChannel> bySeries;
  for (const BatchOutput& output : outputs) {
    std::vector<Place>& places = places_.emplace_back();
    for (const OutputTerm& term : output.expression.terms) {
      if (!term.history) {
        places.push_back({Place::Where::end, 0});
        continue;
      }
      if (isPeakForceOfEventRun(term, simulation)) {
        places.push_back({Place::Where::peakForce, static_cast<std::size_t>(term.history->channels[0].body)});
        continue;
      }
      if (const auto place = addChannelsOfTimeLoop(term, simulation, byStep, bySeries)) {
        places.push_back(*place);
        continue;
      }
      std::vector<std::size_t> channels = addChannelsOfHistory(*term.history, simulation);
      if (term.isStatistic()) {
        places.push_back({Place::Where::watched, watched_.size()});
        watched_.push_back(
            {&term,
             std::move(channels),
             HistoryStatistic(*term.history, *term.reduction, simulation.contacts(), timeWindowOfTerm(term)),
             {}});
      } else {
        places.push_back({Place::Where::instant, instants_.size()});
        options.instants.push_back(term.reduction->takesInstant ? term.time : options.end);
        instants_.push_back({&*term.history, std::move(channels)});
      }
    }
  }
  firstHistory_ = options.instants.size();
  historyTimes_ = historyTimes.size();
  for (const BatchHistory& history : histories)
    histored_.push_back({&history.expression, addChannelsOfHistory(history.expression, simulation)});
  if (!histories.empty())
    options.instants.insert(options.instants.end(), historyTimes.begin(), historyTimes.end());
  histories_.resize(histored_.size() * historyTimes_);

  if (!byStep.empty()) byStep_.emplace(std::move(byStep));
  if (!bySeries.empty()) bySeries_.emplace(std::move(bySeries));
  requestSamplingInstants(options);
  for (Watched& each : watched_)
    each.atPoints.resize(grid_.samples() * each.statistic.interpolatedNumberCount());
  present_.resize(channels_.size());
}

namespace {

/// Place of a channel in a list; it is added if the list does not hold it.
template <class Channel, class Same>
std::size_t findOrAddChannel(std::vector<Channel>& channels, Channel made, const Same& same) {
  const auto found = std::ranges::find_if(channels, same);
  const auto index = static_cast<std::size_t>(found - channels.begin());
  if (found == channels.end()) channels.push_back(std::move(made));
  return index;
}

}  // namespace

/// Asks the run for the instants at which histories and contacts are sampled.
void OutputRecorder::requestSamplingInstants(TransientOptions& options) {
  const std::vector<std::size_t>& counted = counted_.contacts;
  everyStep_ = (!watched_.empty() || !counted.empty()) && !inside_;
  options.archiveTimes.clear();
  options.archiveEvery = std::numeric_limits<int>::max();
  if (watched_.empty() && counted.empty()) return;
  if (inside_) {
    options.within = grid_.parts();  // ContactStatistics uses the same parts of the step
    return;
  }
  for (std::size_t i = 0; i <= parts_; ++i)
    options.within.push_back(static_cast<double>(i) / static_cast<double>(parts_));
}

/// Sets the statistics that the outputs need: those of the study, of their contacts alone.
void OutputRecorder::setStatistics(const Deck& study) {
  for (const ContactRequest& contact : study.contacts) wears_.push_back(contact.wear);
  if (study.statistics) counted_ = *study.statistics;
  counted_.bins = counted_.sectors = 0;
  counted_.impactTable = false;
  std::vector<std::size_t>& counted = counted_.contacts;
  counted.clear();
  for (const BatchOutput& output : *outputs_)
    for (const OutputTerm& term : output.expression.terms)
      if (term.isNumberOfRun(OfRun::wearPower) || term.isNumberOfRun(OfRun::contactStatistic))
        counted.push_back(static_cast<std::size_t>(term.contact));
  std::sort(counted.begin(), counted.end());
  counted.erase(std::unique(counted.begin(), counted.end()), counted.end());
}

/// True if a term is the largest normal force of a contact over an event run. The totals of the contact have
/// it, from the series of the force, unless the law has a force without a series. A normal force is never
/// negative.
bool OutputRecorder::isPeakForceOfEventRun(const OutputTerm& term, const Simulation& simulation) const {
  if (!inside_ || !term.isStatistic() || term.from || term.to) return false;
  const std::vector<QuantityAt>& quantities = term.history->channels;
  const OfContact* contact = quantities.front().contactQuantityOrNull();
  if (quantities.size() != 1 || contact == nullptr || contact->count != 1 ||
      contact->probes[0] != ContactProbe::Kind::normalForce)
    return false;
  const std::optional<AffineForm> form = affineFormOf(term.history->formula, 1);
  const bool isForce = form && form->factors[0] == 1.0 && form->constant == 0.0;
  const bool isLargest = term.reduction->keyword == "max" || term.reduction->keyword == "max_abs";
  return isForce && isLargest &&
         traitsOf(simulation.contacts().contact(quantities.front().body).normal).form == ForceForm::linear;
}

/// Index of a statistic of a displacement or velocity, or under event of an affine formula of them, that the
/// time loop itself accumulates; empty if the term needs this recorder.
std::optional<OutputRecorder::Place> OutputRecorder::addChannelsOfTimeLoop(
    const OutputTerm& term, const Simulation& simulation, std::vector<StepChannel>& byStep,
    std::vector<SeriesChannel>& bySeries) const {
  if (simulation.mode != Mode::modal || !term.isStatistic() || term.from || term.to) return std::nullopt;
  const std::vector<QuantityAt>& quantities = term.history->channels;
  const std::optional<AffineForm> form = affineFormOf(term.history->formula, quantities.size());
  const OfNode* node = quantities.front().nodeQuantityOrNull();
  if (!form || node == nullptr || node->kind == Kinematic::acceleration) return std::nullopt;
  if (!inside_ && (parts_ > 1 || formOfFormula(term.history->formula) == FormulaShape::other))
    return std::nullopt;
  const Reduction* reduction = form->ofSize ? findReduction(term.reduction->ofSize) : term.reduction;
  if (reduction == nullptr) return std::nullopt;
  const bool ofDisplacement = node->kind == Kinematic::displacement;
  Vector row = Vector::Zero(simulation.initial.q.size());
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const OfNode* each = quantities[i].nodeQuantityOrNull();
    if (each == nullptr || each->kind != node->kind ||
        !simulation.imposedMotion(quantities[i].dof, node->kind, absolute_).empty())
      return std::nullopt;
    row.head(simulation.size()) += form->factors[i] * simulation.row(quantities[i].dof).transpose();
  }
  if (!inside_)
    return Place{Place::Where::byStep,
                 findOrAddChannel(byStep, StepChannel{row, ofDisplacement},
                                  [&](const StepChannel& other) {
                                    return other.ofDisplacement == ofDisplacement && other.row == row;
                                  }),
                 reduction};
  const std::size_t index = findOrAddChannel(
      bySeries, SeriesChannel{row, ofDisplacement, form->constant}, [&](const SeriesChannel& other) {
        return other.ofDisplacement == ofDisplacement && other.offset == form->constant && other.row == row;
      });
  SeriesChannel& channel = bySeries[index];
  const bool hasExtremes = channel.highest || channel.lowest;
  if (reduction->isExtremeReduction())
    channel.ofSize = (!hasExtremes || channel.ofSize) && reduction->keyword == "max_abs";
  channel.highest |= reduction->highest;
  channel.lowest |= reduction->lowest;
  if (!reduction->isExtremeReduction()) channel.isAveraged = true;
  return Place{Place::Where::bySeries, index, reduction};
}

double OutputRecorder::valueOfLoopStatistic(const Place& place) const {
  const bool squares = place.reduction->squares;
  if (place.where == Place::Where::bySeries) {
    const ValueRange& range = bySeries_->range(place.index);
    return place.reduction->value(
        {range.highest, range.lowest,
         squares ? bySeries_->meanSquare(place.index) : bySeries_->mean(place.index), 1.0});
  }
  const double rms = squares ? byStep_->rootMeanSquare(place.index) : 0.0;
  const double sum = squares ? rms * rms : byStep_->mean(place.index);
  return place.reduction->value({byStep_->largest(place.index), byStep_->smallest(place.index), sum, 1.0});
}

std::vector<std::size_t> OutputRecorder::addChannelsOfHistory(const HistoryExpression& history,
                                                              const Simulation& simulation) {
  std::vector<std::size_t> indices;
  for (const QuantityAt& channel : history.channels) {
    const auto found = std::find(channels_.begin(), channels_.end(), channel);
    indices.push_back(static_cast<std::size_t>(found - channels_.begin()));
    if (found != channels_.end()) continue;
    channels_.push_back(channel);
    firstNumber_.push_back(numbers_.size());
    numbers_.resize(numbers_.size() + channel.interpolatedNumberCount());
    const auto column = static_cast<Eigen::Index>(channels_.size() - 1);
    Matrix rows = Matrix::Zero(simulation.initial.q.size(), column + 1);
    if (column > 0) rows.leftCols(column) = rows_;
    beside_.emplace_back();
    if (const OfNode* node = channel.nodeQuantityOrNull())
      beside_.back() = simulation.imposedMotion(channel.dof, node->kind, absolute_);
    if (channel.nodeQuantityOrNull() != nullptr)
      rows.col(column).head(simulation.size()) = simulation.row(channel.dof).transpose();
    rows_ = std::move(rows);
  }
  return indices;
}

OutputRecorder::~OutputRecorder() = default;

void OutputRecorder::start(ContactRun& contacts) {
  events_.clear();
  if (!counted_.contacts.empty()) {
    statistics_ = std::make_unique<ContactStatistics>(counted_, start_, end_, *simulation_);
    statistics_->followContacts(contacts);
  }
  for (Watched& each : watched_) each.statistic.start();
  for (Instant& each : instants_) each.seen = false;
}

double OutputRecorder::channelValue(const QuantityAt& channel, std::size_t row, const StepView& view) const {
  const OfNode* node = channel.nodeQuantityOrNull();
  if (node == nullptr) return channel.valueInView(view);
  const Vector& x = kinematicVector(view.state, node->kind);
  return kernels::dot(rows_.col(static_cast<Eigen::Index>(row)).data(), x.data(), x.size()) +
         beside_[row].at(view);
}

void OutputRecorder::sampleChannels(const StepView& view) {
  for (std::size_t i = 0; i < channels_.size(); ++i) present_[i] = channelValue(channels_[i], i, view);
}

double OutputRecorder::historyValue(const HistoryExpression& history,
                                    const std::vector<std::size_t>& channels) {
  arguments_.clear();
  for (const std::size_t i : channels) arguments_.push_back(present_[i]);
  return history.formula.evaluate(std::span<const double>(arguments_));
}

void OutputRecorder::sampleInterpolatedNumbers(const StepView& view) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    double* own = numbers_.data() + firstNumber_[i];
    if (const OfContact* contact = channels_[i].contactQuantityOrNull())
      contact->sampleInterpolatedNumbers(view, static_cast<std::size_t>(channels_[i].body), own);
    else
      *own = channelValue(channels_[i], i, view);
  }
}

void OutputRecorder::copyInterpolatedNumbers(const Watched& of, std::span<double> to) const {
  auto next = to.begin();
  for (const std::size_t i : of.channels)
    next = std::copy_n(numbers_.begin() + static_cast<std::ptrdiff_t>(firstNumber_[i]),
                       channels_[i].interpolatedNumberCount(), next);
}

/// Steps are seen from inside: a row shows only one of both values where a load jumps.
void OutputRecorder::archive(const StepView& /*view*/) {}

/// Adds the begin of a step, or the end of a part of a step, to the statistics of histories.
void OutputRecorder::addStepEndsToHistories(const StepView& view, bool isBegin) {
  sampleInterpolatedNumbers(view);
  for (Watched& each : watched_) {
    const std::span<double> numbers =
        std::span(each.atPoints).first(each.statistic.interpolatedNumberCount());
    copyInterpolatedNumbers(each, numbers);
    if (isBegin)
      each.statistic.addBeginOfStep(view.state.time, numbers);
    else
      each.statistic.addStepEnd(view.state.time, numbers);
  }
}

void OutputRecorder::onEvents(std::span<const Event> events) {
  events_.insert(events_.end(), events.begin(), events.end());
  if (statistics_) statistics_->forgetPassedEvents();
}

void OutputRecorder::onInstantInsideStep(double begin, double end, std::size_t index, const StepView& view) {
  if (statistics_) statistics_->onInstantInsideStep(begin, end, index, view);
  if (watched_.empty()) return;
  if (!inside_) return addStepEndsToHistories(view, index == 0);
  sampleInterpolatedNumbers(view);
  for (Watched& each : watched_) {
    const std::size_t count = each.statistic.interpolatedNumberCount();
    copyInterpolatedNumbers(each, std::span(each.atPoints).subspan(index * count, count));
    if (index + 1 < grid_.samples()) continue;
    each.statistic.addPartOfStep(grid_, begin, end, each.atPoints);
  }
}

void OutputRecorder::onInstant(std::size_t index, const StepView& view) {
  sampleChannels(view);
  if (index < firstHistory_) {
    Instant& each = instants_[index];
    each.value = historyValue(*each.history, each.channels);
    each.seen = true;
    return;
  }
  for (std::size_t i = 0; i < histored_.size(); ++i)
    histories_[i * historyTimes_ + index - firstHistory_] =
        historyValue(*histored_[i].history, histored_[i].channels);
}

std::optional<OutputRecorder::HistoryPlace> OutputRecorder::firstNonFiniteHistoryValue() const noexcept {
  const auto found =
      std::find_if(histories_.begin(), histories_.end(), [](double x) { return !std::isfinite(x); });
  if (found == histories_.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(found - histories_.begin());
  return HistoryPlace{index / historyTimes_, index % historyTimes_};
}

bool OutputRecorder::onProgress(double /*time*/, long long /*steps*/) {
  return !InterruptGuard::isStopRequested();
}

std::optional<double> OutputRecorder::valueOfRunNumber(const OutputTerm& term, const Report& report,
                                                       std::span<const ContactTotals> totals) const {
  const auto contact = static_cast<std::size_t>(term.contact);
  const auto isIt = [&](const Event& e) { return e.contact == term.contact && e.kind == term.event; };
  switch (*term.number->runNumberOrNull()) {
    case OfRun::eventCount:
      return static_cast<double>(std::count_if(events_.begin(), events_.end(), isIt));
    case OfRun::eventTime: {
      int left = term.index;
      for (const Event& event : events_)
        if (isIt(event) && --left == 0) return event.time;
      return std::nullopt;
    }
    case OfRun::totalImpulse:
      return totals[contact].impulse;
    case OfRun::frictionEnergy:
      return totals[contact].frictionEnergy;
    case OfRun::wearPower:
      return statisticColumn(term.number->keyword)->value(*statistics_->findTotals(contact, 0), nullptr);
    case OfRun::contactStatistic:
      return statisticColumn(term.statistic)
          ->value(*statistics_->findTotals(contact, static_cast<std::size_t>(term.window)),
                  wears_[contact].get());
    case OfRun::energyError:
      return report.energyError;
    default:  // expressions use no other quantity
      return std::nullopt;
  }
}

std::optional<double> OutputRecorder::valueOfOutputTerm(const OutputTerm& term, const Place& place,
                                                        const Report& report,
                                                        std::span<const ContactTotals> totals) const {
  if (term.number != nullptr) return valueOfRunNumber(term, report, totals);
  if (place.where == Place::Where::byStep || place.where == Place::Where::bySeries)
    return valueOfLoopStatistic(place);
  if (place.where == Place::Where::peakForce) return totals[place.index].peakForce;
  if (place.where == Place::Where::watched) {
    const HistoryStatistic& statistic = watched_[place.index].statistic;
    return statistic.hasNoValue() ? std::nullopt : std::optional(statistic.valueOfReduction(*term.reduction));
  }
  const Instant& seen = instants_[place.index];
  return seen.seen ? std::optional(seen.value) : std::nullopt;
}

void OutputRecorder::computeOutputs(const Report& report, std::span<const ContactTotals> totals,
                                    std::span<double> outputs, std::span<std::uint8_t> defined) {
  if (statistics_) statistics_->finishAtTime(report.time);
  infinite_.reset();
  for (std::size_t i = 0; i < outputs_->size(); ++i) {
    const OutputExpression& expression = (*outputs_)[i].expression;
    bool known = report.status == RunStatus::complete;
    arguments_.clear();
    for (std::size_t k = 0; k < expression.terms.size() && known; ++k) {
      const auto value = valueOfOutputTerm(expression.terms[k], places_[i][k], report, totals);
      known = value.has_value();
      if (known && !std::isfinite(*value) && !infinite_) infinite_ = i;
      arguments_.push_back(value.value_or(0.0));
    }
    const double value = known ? expression.formula.evaluate(std::span<const double>(arguments_)) : 0.0;
    defined[i] = known && std::isfinite(value) ? 1 : 0;
    outputs[i] = defined[i] != 0 ? value : kNoValue;
  }
}

}  // namespace ricochet
