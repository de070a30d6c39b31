#include "engine/time_function.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ricochet {

TimeFunction TimeFunction::constant(double value) {
  TimeFunction f;
  f.table_ = std::make_shared<const std::vector<Knot>>(1, Knot{0.0, value});
  return f;
}

TimeFunction TimeFunction::table(std::span<const double> times, std::span<const double> values,
                                 Outside before, Outside after) {
  assert(!times.empty() && times.size() == values.size());
  TimeFunction f;
  f.before_ = before;
  f.after_ = after;
  std::vector<Knot> knots;
  knots.reserve(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) knots.push_back({times[i], values[i]});
  f.table_ = std::make_shared<const std::vector<Knot>>(std::move(knots));
  const auto slopeAt = [&](std::size_t k) { return f.knots().size() > 1 ? f.piece(k).slope : 0.0; };
  if (before == Outside::linear) f.slopeBefore_ = slopeAt(1);
  if (after == Outside::linear) f.slopeAfter_ = slopeAt(f.lastPiece() - 1);
  return f;
}

TimeFunction TimeFunction::formula(Formula formula) {
  TimeFunction f = constant(0.0);
  f.formula_ = std::make_shared<const Formula>(std::move(formula));
  return f;
}

/// Into the first piece of the table, out of it, or over a jump.
bool FunctionCursor::nextAtAnEnd() noexcept {
  ++end_;
  const auto index = static_cast<std::size_t>(end_ - function_->knots().data());
  piece_ = function_->piece(index);
  return function_->jumpsInto(index);
}

std::size_t TimeFunction::pieceAfter(double t) const noexcept {
  const auto found = std::upper_bound(knots().begin(), knots().end(), t,
                                      [](double time, const Knot& knot) { return time < knot.time; });
  return static_cast<std::size_t>(found - knots().begin());
}

double TimeFunction::at(double t) const noexcept {
  if (formula_) return (*formula_)(t);
  // the last abscissa belongs to a table that is undefined beyond it
  if (after_ == Outside::undefined && t >= knots().back().time) return knots().back().value;
  return piece(pieceAfter(t)).at(t);
}

double TimeFunction::justBefore(double t) const noexcept {
  if (formula_) return (*formula_)(t);
  // the first abscissa belongs to a table that is undefined before it
  if (before_ == Outside::undefined && t <= knots().front().time) return knots().front().value;
  const auto found = std::lower_bound(knots().begin(), knots().end(), t,
                                      [](const Knot& knot, double time) { return knot.time < time; });
  return piece(static_cast<std::size_t>(found - knots().begin())).at(t);
}

bool TimeFunction::isDefined(double begin, double end) const noexcept {
  return (before_ != Outside::undefined || begin >= knots().front().time) &&
         (after_ != Outside::undefined || end <= knots().back().time);
}

std::vector<double> TimeFunction::instants(bool slopes) const {
  std::vector<double> found;
  double slope = piece(0).slope;
  bool jumped = false;
  for (std::size_t k = 1; k <= lastPiece(); ++k) {
    jumped |= jumpsInto(k);
    const Piece next = piece(k);
    if (next.end <= next.begin) continue;  // the two sides of a jump are told once
    if (jumped || (slopes && next.slope != slope)) found.push_back(next.begin);
    slope = next.slope;
    jumped = false;
  }
  return found;
}

}  // namespace ricochet
