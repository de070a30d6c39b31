#include "engine/functions/time_function.hpp"

#include "engine/numerics/dual_functions.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace ricochet {

namespace {
constexpr double kNever = std::numeric_limits<double>::infinity();
}

std::optional<std::size_t> indexOfFirstDecrease(std::span<const double> times) {
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::isnan(times[i]) || (i > 0 && times[i] < times[i - 1])) return i;
  return std::nullopt;
}

TimeFunction TimeFunction::constant(double value) {
  const double start = 0.0;
  return table({&start, 1}, {&value, 1}, Outside::constant, Outside::constant);
}

TimeFunction TimeFunction::table(std::span<const double> times, std::span<const double> values,
                                 Outside before, Outside after) {
  if (times.empty() || times.size() != values.size())
    throw std::invalid_argument("a table of time has one value for each of its times, and one time at least");
  if (const std::optional<std::size_t> bad = indexOfFirstDecrease(times))
    throw std::invalid_argument("the times of a table do not decrease; number " + std::to_string(*bad) +
                                ", counted from 0, is " + std::to_string(times[*bad]) + " s");
  TimeFunction f;
  f.before_ = before;
  f.after_ = after;
  f.firstValue_ = values.front();
  f.lastValue_ = values.back();
  std::vector<Segment> segments;
  segments.reserve(times.size() + 2);
  segments.push_back({times.front(), before == Outside::zero ? 0.0 : values.front(), 0.0});
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const double width = times[i + 1] - times[i];
    segments.push_back({times[i], values[i], width > 0.0 ? (values[i + 1] - values[i]) / width : 0.0});
  }
  if (before == Outside::linear && times.size() > 1) segments.front().slope = segments[1].slope;
  const double slopeAfter = after == Outside::linear && times.size() > 1 ? segments.back().slope : 0.0;
  segments.push_back({times.back(), after == Outside::zero ? 0.0 : values.back(), slopeAfter});
  segments.push_back({kNever, 0.0, 0.0});
  f.table_ = std::make_shared<const std::vector<Segment>>(std::move(segments));
  for (std::size_t k = 1; k <= f.lastPiece(); ++k) f.jumps_ |= f.hasJumpAtStartOfPiece(k);
  return f;
}

TimeFunction TimeFunction::steps(std::span<const std::pair<double, double>> from) {
  if (from.empty()) throw std::invalid_argument("a function of steps has one instant at least");
  std::vector<double> times{from.front().first}, values{from.front().second};
  for (const auto& [time, value] : from.subspan(1)) {
    if (!(time > times.back()))
      throw std::invalid_argument("the instants of steps increase; " + std::to_string(time) +
                                  " s comes after " + std::to_string(times.back()) + " s");
    times.insert(times.end(), {time, time});
    values.insert(values.end(), {values.back(), value});
  }
  return table(times, values, Outside::constant, Outside::constant);
}

TimeFunction TimeFunction::line(double time, double value, double slope) {
  TimeFunction f;
  f.before_ = f.after_ = Outside::linear;
  f.firstValue_ = f.lastValue_ = value;
  f.table_ = std::make_shared<const std::vector<Segment>>(
      std::vector<Segment>{{time, value, slope}, {time, value, slope}, {kNever, 0.0, 0.0}});
  return f;
}

TimeFunction TimeFunction::formula(Formula formula, std::span<const double> stops) {
  const std::vector<double> zeros(stops.size(), 0.0);
  TimeFunction f = stops.empty() ? constant(0.0) : table(stops, zeros, Outside::constant, Outside::constant);
  f.formula_ = std::make_shared<const Formula>(std::move(formula));
  return f;
}

bool TimeFunction::hasJumpAtStartOfPiece(std::size_t k) const noexcept {
  if (k == 0) return false;
  const bool outOfZero = k == 1 && before_ == Outside::zero && firstValue_ != 0.0;
  if (k < lastPiece()) {
    const double next = k + 1 < lastPiece() ? segments()[k + 1].value : lastValue_;
    const bool acrossNoWidth = segments()[k + 1].begin <= segments()[k].begin && next != segments()[k].value;
    return acrossNoWidth || outOfZero;
  }
  const bool intoZero = after_ == Outside::zero && lastValue_ != 0.0;
  // If both are true, the table is a single point and the function has one nonzero value.
  return intoZero != outOfZero;
}

std::size_t TimeFunction::pieceIndexAfter(double t) const noexcept {
  const auto found = std::upper_bound(segments().begin() + 1, segments().end() - 1, t,
                                      [](double time, const Segment& s) { return time < s.begin; });
  return static_cast<std::size_t>(found - segments().begin()) - 1;
}

double TimeFunction::at(double t) const noexcept {
  if (formula_) return (*formula_)(t);
  // The last abscissa belongs to a table that is undefined after the table.
  if (after_ == Outside::undefined && t >= lastTime()) return lastValue_;
  return piece(pieceIndexAfter(t)).at(t);
}

double TimeFunction::slopeAt(double t) const noexcept {
  if (!formula_) return piece(pieceIndexAfter(t)).slope;
  const Dual<1> time(t, 0);
  return formula_->evaluate(std::span<const Dual<1>>(&time, 1)).slope(0);
}

std::size_t TimeFunction::pieceIndexBefore(double t) const noexcept {
  const auto found = std::lower_bound(segments().begin() + 1, segments().end() - 1, t,
                                      [](const Segment& s, double time) { return s.begin < time; });
  return static_cast<std::size_t>(found - segments().begin()) - 1;
}

double TimeFunction::valueJustBefore(double t) const noexcept {
  if (formula_) return (*formula_)(t);
  // The first abscissa belongs to a table that is undefined before the table.
  if (before_ == Outside::undefined && t <= firstTime()) return firstValue_;
  return piece(pieceIndexBefore(t)).at(t);
}

namespace {
constexpr double kJustBefore = 1e-8;  // distance that counts as the end of a step, relative to the step
}

double TimeFunction::valueAtTimeInStep(double t, double elapsed) const noexcept {
  if (formula_ || !(elapsed > 0.0)) return at(t);
  if (before_ == Outside::undefined && t <= firstTime()) return firstValue_;
  return piece(pieceIndexBefore(t - kJustBefore * elapsed)).at(t);
}

double TimeFunction::slopeAtTimeInStep(double t, double elapsed) const noexcept {
  if (formula_ || !(elapsed > 0.0)) return slopeAt(t);
  return piece(pieceIndexBefore(t - kJustBefore * elapsed)).slope;
}

bool TimeFunction::isDefined(double begin, double end) const noexcept {
  return (before_ != Outside::undefined || begin >= firstTime()) &&
         (after_ != Outside::undefined || end <= lastTime());
}

std::vector<double> TimeFunction::instants(bool slopes) const {
  std::vector<double> found;
  double slope = piece(0).slope;
  bool jumped = false;
  for (std::size_t k = 1; k <= lastPiece(); ++k) {
    jumped |= hasJumpAtStartOfPiece(k);
    const Piece next = piece(k);
    if (next.end <= next.begin) continue;  // a piece of zero width is a jump
    if (jumped || (slopes && (next.slope != slope || (formula_ && lastPiece() > 1))))
      found.push_back(next.begin);
    slope = next.slope;
    jumped = false;
  }
  return found;
}

}  // namespace ricochet
