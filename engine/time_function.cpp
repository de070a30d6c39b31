#include "engine/time_function.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Outside = TimeFunction::Outside;

/// A piece that carries on beyond the table, anchored at (`time`, `value`).
TimeFunction::Piece beyond(Outside kind, double time, double value, double slope, double end) {
  return {time, end, kind == Outside::zero ? 0.0 : value, kind == Outside::linear ? slope : 0.0};
}

}  // namespace

TimeFunction TimeFunction::constant(double value) {
  TimeFunction f;
  f.pieces_.push_back({0.0, kInfinity, value, 0.0});
  f.first_ = -kInfinity;
  f.last_ = kInfinity;
  return f;
}

TimeFunction TimeFunction::table(std::span<const double> times, std::span<const double> values,
                                 Outside before, Outside after) {
  assert(!times.empty() && times.size() == values.size());
  TimeFunction f;
  const std::size_t n = times.size();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double width = times[i + 1] - times[i];
    if (width > 0.0)
      f.pieces_.push_back({times[i], times[i + 1], values[i], (values[i + 1] - values[i]) / width});
  }
  const double firstSlope = f.pieces_.empty() ? 0.0 : f.pieces_.front().slope;
  const double lastSlope = f.pieces_.empty() ? 0.0 : f.pieces_.back().slope;
  f.first_ = before == Outside::undefined ? times.front() : -kInfinity;
  f.last_ = after == Outside::undefined ? times.back() : kInfinity;

  // the piece before the table is anchored at its end: `begin` is where value and slope are taken, not a
  // bound
  f.pieces_.insert(f.pieces_.begin(),
                   beyond(before, times.front(), values.front(), firstSlope, times.front()));
  f.pieces_.push_back(beyond(after, times.back(), values.back(), lastSlope, kInfinity));
  return f;
}

std::size_t TimeFunction::pieceAfter(double t) const noexcept {
  const auto found = std::upper_bound(pieces_.begin(), pieces_.end() - 1, t,
                                      [](double time, const Piece& p) { return time < p.end; });
  return static_cast<std::size_t>(found - pieces_.begin());
}

double TimeFunction::at(double t) const noexcept {
  // the last abscissa of a table that is undefined outside belongs to the table
  if (t >= last_) return justBefore(t);
  return pieces_[pieceAfter(t)].at(t);
}

double TimeFunction::justBefore(double t) const noexcept {
  const auto found = std::lower_bound(pieces_.begin(), pieces_.end() - 1, t,
                                      [](const Piece& p, double time) { return p.end < time; });
  if (t <= first_) return pieces_[pieceAfter(t)].at(t);
  return found->at(t);
}

bool TimeFunction::isDefined(double begin, double end) const noexcept {
  return begin >= first_ && end <= last_;
}

std::vector<double> TimeFunction::breakpoints() const {
  std::vector<double> instants;
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const double t = pieces_[i].end;
    if (pieces_[i].jumpsTo(pieces_[i + 1]) || pieces_[i].slope != pieces_[i + 1].slope) instants.push_back(t);
  }
  return instants;
}

}  // namespace ricochet
