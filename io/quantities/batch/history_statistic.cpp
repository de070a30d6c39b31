#include "io/quantities/batch/history_statistic.hpp"

#include "engine/numerics/extremes.hpp"
#include "engine/numerics/quadrature.hpp"
#include "io/quantities/statistics/between_instants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {

HistoryStatistic::HistoryStatistic(const HistoryExpression& history, const Reduction& reduction,
                                   const ContactSet& contacts, Window window)
    : history_(&history),
      contacts_(&contacts),
      window_(window),
      affine_(affineFormOf(history.formula, history.channels.size())),
      isSmoothOverSteps_(true),
      mayHaveKinks_(!history.formula.isSmooth()),
      extremes_(reduction.isExtremeReduction()),
      lowest_(reduction.lowest),
      squares_(reduction.squares) {
  for (const QuantityAt& each : history.channels) {
    const OfContact* contact = each.contactQuantityOrNull();
    firstNumber_.push_back(numbers_);
    numbers_ += each.interpolatedNumberCount();
    // a force has a kink if its law has one; the motion of a node has none within a step of the event scheme
    isSmoothOverSteps_ &= each.nodeQuantityOrNull() != nullptr;
    mayHaveKinks_ |= contact != nullptr && contact->mayHaveKinks();
  }
  quantities_.resize(history.channels.size());
  for (std::vector<double>* each : {&numbersBefore_, &between_, &scratch_}) each->resize(numbers_);
}

void HistoryStatistic::start() {
  range_ = {};
  sum_ = length_ = 0.0;
  ends_ = 0;
  seesEnds_ = false;
}

double HistoryStatistic::historyValue(std::span<const double> numbers) {
  for (std::size_t c = 0; c < quantities_.size(); ++c) {
    const QuantityAt& channel = history_->channels[c];
    const double* own = numbers.data() + firstNumber_[c];
    const OfContact* contact = channel.contactQuantityOrNull();
    quantities_[c] = contact != nullptr ? valueFromInterpolatedNumbers(
                                              *contact, contacts_->contact(channel.body), own, channel.part)
                                        : *own;
  }
  return history_->formula.evaluate(std::span<const double>(quantities_));
}

/// Adds the part of a step inside the window: the polynomials of the step are sampled again at the points of
/// the part.
void HistoryStatistic::addPartOfStep(const PieceGrid& grid, double begin, double end,
                                     std::span<const double> atPoints) {
  if (end <= window_.from || begin >= window_.to) return;
  if (begin >= window_.from && end <= window_.to) return addStepToHistory(grid, end - begin, atPoints);
  const double first = std::max(begin, window_.from), last = std::min(end, window_.to);
  inWindow_.resize(atPoints.size());
  for (std::size_t i = 0; i < grid.samples(); ++i) {
    const double part = (first + grid.parts()[i] * (last - first) - begin) / (end - begin);
    grid.interpolateToPart(atPoints, part, std::span(inWindow_).subspan(i * numbers_, numbers_));
  }
  addStepToHistory(grid, last - first, inWindow_);
}

void HistoryStatistic::addStepToHistory(const PieceGrid& grid, double h, std::span<const double> atPoints) {
  if (extremes_) return includeExtremes(grid, atPoints);
  length_ += h;
  double sum = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < grid.quadraturePointCount(); ++i) {
    const double part = grid.quadratureWeight(i) *
                        integrandOfStatistic(historyValue(atPoints.subspan(i * numbers_, numbers_)));
    sum += part;
    size += std::abs(part);
  }
  if (mayHaveKinks_) {
    constexpr double kAgree = 1e-13;
    const double places = smallestResolvedGap(atPoints);
    sum = integrateByHalving(
        [&](double from, double to) {
          return integral(grid, atPoints, {from, to});
        },
        0.0, 1.0, sum, kAgree * std::max(size, squares_ ? std::sqrt(size) * places : places));
  }
  sum_ += h * sum;
}

/// Integral over a part of the step, with the same Gauss points scaled to this part.
double HistoryStatistic::integral(const PieceGrid& grid, std::span<const double> atPoints, StepPart part) {
  double sum = 0.0;
  for (std::size_t i = 0; i < grid.quadraturePointCount(); ++i) {
    grid.interpolateToPart(atPoints, part.from + grid.quadraturePoint(i) * (part.to - part.from), scratch_);
    sum += grid.quadratureWeight(i) * integrandOfStatistic(historyValue(scratch_));
  }
  return (part.to - part.from) * sum;
}

void HistoryStatistic::includeExtremes(const PieceGrid& grid, std::span<const double> atPoints) {
  if (affine_ && isSmoothOverSteps_) return includeExtremesOfAffineHistory(atPoints);
  // reduces a cell to 1e-9 of its length: there a smooth extremum is constant within rounding
  constexpr int kSections = 40;
  if (!isHistoryResolved(atPoints)) return includeSampledExtremes(grid, atPoints);
  atCells_.resize(grid.cellCount() + 1);
  numbersAtCells_.resize(atCells_.size() * numbers_);
  grid.interpolateToCells(atPoints, numbers_, numbersAtCells_);
  for (std::size_t i = 0; i < atCells_.size(); ++i)
    atCells_[i] = historyValue(std::span<const double>(numbersAtCells_).subspan(i * numbers_, numbers_));
  for (const double sign : {1.0, -1.0}) {
    double& best = sign > 0.0 ? range_.highest : range_.lowest;
    const auto atCell = [&](std::size_t i) { return sign * atCells_[i]; };
    const auto f = [&](double part) {
      grid.interpolateToPart(atPoints, part, scratch_);
      return sign * historyValue(scratch_);
    };
    best = sign * largestFunctionValueOverCells(EvenCells{0.0, 1.0, grid.cellCount()}, atCell, f, kSections,
                                                sign * best);
  }
}

/// Size of an affine history of gaps below which the rounding of the places, whose difference a gap is,
/// exceeds the tolerance of an integral.
double HistoryStatistic::smallestResolvedGap(std::span<const double> atPoints) const noexcept {
  constexpr double kSmallest = 1e-2;  // fraction of the size of the coordinates
  double size = 0.0;
  for (std::size_t c = 0; affine_ && c < firstNumber_.size(); ++c) {
    const OfContact* contact = history_->channels[c].contactQuantityOrNull();
    if (contact == nullptr || !contact->byPosition) continue;
    for (std::size_t i = firstNumber_[c]; i < atPoints.size(); i += numbers_)
      for (std::size_t axis = 0; axis < contact->interpolatedNumberCount(); ++axis)
        size = std::max(size, std::abs(affine_->factors[c] * atPoints[i + axis]));
  }
  return kSmallest * size;
}

/// True if polynomials through the points of the step resolve the numbers of all quantities; motions of nodes
/// and positions of contacts have no kink in a step.
bool HistoryStatistic::isHistoryResolved(std::span<const double> atPoints) const noexcept {
  for (std::size_t c = 0; c < firstNumber_.size(); ++c) {
    const QuantityAt& channel = history_->channels[c];
    const OfContact* contact = channel.contactQuantityOrNull();
    if (channel.nodeQuantityOrNull() != nullptr || (contact != nullptr && contact->byPosition)) continue;
    const std::size_t count = channel.interpolatedNumberCount();
    // the component of a vector may be rounding of the vector
    double largest = 0.0;
    for (std::size_t i = firstNumber_[c]; count > 1 && i < atPoints.size(); i += numbers_)
      for (std::size_t k = 0; k < count; ++k) largest = std::max(largest, std::abs(atPoints[i + k]));
    for (std::size_t k = 0; k < count; ++k) {
      SampledPolynomial::Samples samples;
      for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = largest + atPoints[i * numbers_ + firstNumber_[c] + k];
      if (!SampledPolynomial::isResolved(samples)) return false;
    }
  }
  return true;
}

/// Includes the extremes of the samples, and of the parabola through three of them if the middle sample is an
/// extreme.
void HistoryStatistic::includeSampledExtremes(const PieceGrid& grid, std::span<const double> atPoints) {
  SampledPolynomial::Samples values;
  for (std::size_t i = 0; i < values.size(); ++i)
    range_.include(values[i] = historyValue(atPoints.subspan(i * numbers_, numbers_)));
  for (std::size_t i = 1; i + 1 < values.size(); ++i)
    includePeakOfParabola({grid.quadraturePoint(i - 1), grid.quadraturePoint(i), grid.quadraturePoint(i + 1)},
                          {values[i - 1], values[i], values[i + 1]});
}

/// Of an absolute value, the argument is examined, because the absolute value may have a kink.
void HistoryStatistic::includeExtremesOfAffineHistory(std::span<const double> atPoints) {
  SampledPolynomial::Samples samples;
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = affine_->valueForVariables(atPoints.subspan(i * numbers_, numbers_));
  if (!affine_->ofSize) return SampledPolynomial::include(range_, samples);
  ValueRange inside;
  if (!lowest_)
    inside = {-range_.highest, range_.highest};  // an absolute value that is no new maximum is not examined
  SampledPolynomial::include(inside, samples);
  range_.highest = largerValueOrNan(range_.highest, largerValueOrNan(inside.highest, -inside.lowest));
  if (!lowest_) return;
  const bool crosses = inside.lowest <= 0.0 && inside.highest >= 0.0;
  range_.include(crosses ? 0.0 : std::min(std::abs(inside.lowest), std::abs(inside.highest)));
}

void HistoryStatistic::addBeginOfStep(double time, std::span<const double> numbers) {
  // The end of the step before was outside a window that begins here.
  const bool isNew = !seesEnds_ || time == window_.from || !areNumbersOfLastStepEnd(numbers);
  if (isNew && time >= window_.from && time < window_.to) includeValueAtStepEnd(time, historyValue(numbers));
  storeLastStepEnd(time, numbers);
}

/// Includes the end of a step. The numbers are linear between two ends: values are added at the bounds of the
/// window, and where the nearest side of an obstacle changes.
void HistoryStatistic::addStepEnd(double time, std::span<const double> numbers) {
  inside_ = {window_.from, window_.to};
  findKinksBetweenStepEnds(time, numbers);
  std::ranges::sort(inside_);
  for (const double t : inside_)
    if (t > timeBefore_ && t < time && t >= window_.from && t <= window_.to)
      includeValueAtStepEnd(t, historyValue(interpolateBetweenStepEnds(t, time, numbers)));
  if (time > window_.from && time <= window_.to) includeValueAtStepEnd(time, historyValue(numbers));
  storeLastStepEnd(time, numbers);
}

void HistoryStatistic::storeLastStepEnd(double time, std::span<const double> numbers) {
  seesEnds_ = true;
  timeBefore_ = time;
  std::ranges::copy(numbers, numbersBefore_.begin());
}

/// True if numbers are those of the last end, within rounding.
bool HistoryStatistic::areNumbersOfLastStepEnd(std::span<const double> numbers) const noexcept {
  constexpr double kRounding = 1e-12;
  for (std::size_t i = 0; i < numbers_; ++i)
    if (std::abs(numbers[i] - numbersBefore_[i]) > kRounding * std::abs(numbersBefore_[i])) return false;
  return true;
}

std::span<const double> HistoryStatistic::interpolateBetweenStepEnds(double time, double end,
                                                                     std::span<const double> numbers) {
  const double theta = (time - timeBefore_) / (end - timeBefore_);
  for (std::size_t i = 0; i < numbers_; ++i) between_[i] = std::lerp(numbersBefore_[i], numbers[i], theta);
  return between_;
}

void HistoryStatistic::findKinksBetweenStepEnds(double end, std::span<const double> numbers) {
  for (std::size_t c = 0; c < firstNumber_.size(); ++c) {
    const OfContact* contact = history_->channels[c].contactQuantityOrNull();
    if (contact == nullptr || !contact->byPosition) continue;
    inside_.push_back(instantOfSideChange(
        contacts_->contact(history_->channels[c].body).obstacle, timeBefore_, end,
        [&](double t) { return interpolateBetweenStepEnds(t, end, numbers).subspan(firstNumber_[c]); }));
  }
}

void HistoryStatistic::includeValueAtStepEnd(double time, double value) {
  std::shift_left(times_.begin(), times_.end(), 1);
  std::shift_left(values_.begin(), values_.end(), 1);
  times_.back() = time;
  values_.back() = value;
  range_.include(value);
  if (++ends_ > 1) {
    const double h = times_[4] - times_[3];
    sum_ += 0.5 * h * (integrandOfStatistic(values_[3]) + integrandOfStatistic(values_[4]));
    length_ += h;
  }
  if (ends_ > 4 && isHistorySmoothOverStepEnds())
    includePeakOfParabola({times_[1], times_[2], times_[3]}, {values_[1], values_[2], values_[3]});
}

/// True if the last five values have no jump or kink between them: their curvature changes little. A parabola
/// over a jump, such as the force of a dashpot where its contact closes, would exceed the values by an eighth
/// of the jump, whatever the step.
bool HistoryStatistic::isHistorySmoothOverStepEnds() const noexcept {
  constexpr double kMostChange = 2.5;
  std::array<double, 3> curvature{};
  for (std::size_t i = 0; i < curvature.size(); ++i) {
    const double h0 = times_[i + 1] - times_[i], h1 = times_[i + 2] - times_[i + 1];
    curvature[i] = ((values_[i + 2] - values_[i + 1]) / h1 - (values_[i + 1] - values_[i]) / h0) / (h0 + h1);
  }
  const auto [least, most] = std::ranges::minmax(curvature);
  return least > 0.0 ? most <= kMostChange * least : most < 0.0 && least >= kMostChange * most;
}

/// Includes the extreme of the parabola through three values, if the middle one is the largest or smallest.
void HistoryStatistic::includePeakOfParabola(const std::array<double, 3>& times,
                                             const std::array<double, 3>& values) noexcept {
  const double before = values[1] - values[0];
  const double after = values[2] - values[1];
  if (before * after >= 0.0) return;
  const double h0 = times[1] - times[0];
  const double h1 = times[2] - times[1];
  if (!(h0 > 0.0) || !(h1 > 0.0)) return;
  const double curvature = (after / h1 - before / h0) / (h0 + h1);
  const double slope = (before / h0 * h1 + after / h1 * h0) / (h0 + h1);
  range_.include(values[1] - 0.25 * slope * slope / curvature);
}

}  // namespace ricochet
