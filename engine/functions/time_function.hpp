#pragma once

#include "engine/functions/formula.hpp"

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ricochet {

/// A scalar function of time: linear pieces, with jumps at repeated abscissae, or a formula.
///
/// At a jump `at` gives the value after the jump and `valueJustBefore` the value before the jump. The first
/// and last abscissae belong to the table. A formula is defined everywhere and has no breakpoints but the
/// stops that are given with it, even if the formula has decisions (see `Formula::isSmooth`); the pieces of a
/// formula do not represent its value.
class TimeFunction {
 public:
  /// Extrapolation outside the table. `undefined`: the function must not be evaluated there (see
  /// `isDefined`).
  enum class Outside { undefined, constant, zero, linear };

  /// A linear piece until `end` [s]: value + slope (t - begin). `begin` is the instant at which the piece has
  /// `value`; for the piece before a table this is the end of the piece.
  struct Piece {
    double begin;
    double end;
    double value;
    double slope;
    double at(double t) const noexcept { return value + slope * (t - begin); }
  };

  static TimeFunction constant(double value);

  /// Piecewise linear function through at least one point. `times` do not decrease and at most two in a row
  /// are equal. Throws std::invalid_argument unless each time has one value and no time comes before another.
  static TimeFunction table(std::span<const double> times, std::span<const double> values, Outside before,
                            Outside after);

  /// Step function: each value holds from its instant [s] to the next one; the first value also holds before,
  /// the last one also after. Throws std::invalid_argument without an instant, or unless they increase.
  static TimeFunction steps(std::span<const std::pair<double, double>> from);
  static TimeFunction steps(std::initializer_list<std::pair<double, double>> from) {
    return steps(std::span(from.begin(), from.size()));
  }

  /// Straight line through (time, value), defined for all times.
  static TimeFunction line(double time, double value, double slope);

  /// Function that is given by a formula in t [s]. Its pieces end at `stops`, which increase: steps that end
  /// at breakpoints see what happens near them.
  static TimeFunction formula(Formula formula, std::span<const double> stops = {});

  double at(double t) const noexcept;
  double valueJustBefore(double t) const noexcept;
  /// Derivative of the function at t; just after t if the function jumps there.
  double slopeAt(double t) const noexcept;
  /// Value and slope at t in a step, `elapsed` [s] after its start: at its end those before a jump, at its
  /// start, where no time has elapsed, those after it.
  double valueAtTimeInStep(double t, double elapsed) const noexcept;
  double slopeAtTimeInStep(double t, double elapsed) const noexcept;
  bool isDefined(double begin, double end) const noexcept;

  const Formula* formulaOrNull() const noexcept { return formula_.get(); }

  /// Linear piece k: piece 0 lies before the table, piece `lastPiece()` after the table. A repeated abscissa
  /// is a piece of zero width.
  Piece piece(std::size_t k) const noexcept { return pieceOfSegment(&segments()[k]); }
  std::size_t lastPiece() const noexcept { return segments().size() - 2; }

  /// True if both functions share one table or formula; equal tables that were built separately give false.
  bool isSameTableOrFormulaAs(const TimeFunction& other) const noexcept {
    return table_ == other.table_ && before_ == other.before_ && after_ == other.after_ &&
           formula_ == other.formula_;
  }

  /// True if the value jumps between piece k - 1 and piece k, or across a piece k of zero width.
  bool hasJumpAtStartOfPiece(std::size_t k) const noexcept;

  /// Index of the piece that is valid just after t (after a jump at t).
  std::size_t pieceIndexAfter(double t) const noexcept;

  /// `breakpoints`: instants at which the value or the slope jumps [s]. `jumps`: instants at which the value
  /// jumps [s].
  std::vector<double> breakpoints() const { return instants(true); }
  std::vector<double> jumpInstants() const { return instants(false); }

 private:
  friend class FunctionCursor;

  std::size_t pieceIndexBefore(double t) const noexcept;
  std::vector<double> instants(bool slopes) const;

  // Compact storage, because a run reads a long table from end to end: 24 bytes per point, and no division
  // per evaluation.
  struct Segment {
    double begin;
    double value;
    double slope;
    double at(double t) const noexcept { return value + slope * (t - begin); }
  };
  static Piece pieceOfSegment(const Segment* segment) noexcept {
    return {segment->begin, segment[1].begin, segment->value, segment->slope};
  }
  double firstTime() const noexcept { return segments()[1].begin; }
  double lastTime() const noexcept { return segments()[lastPiece()].begin; }

  // One segment per piece and a last one at infinity; a piece ends where the next segment begins. Copies
  // share the table, because many runs of a study use one table.
  std::shared_ptr<const std::vector<Segment>> table_;
  const std::vector<Segment>& segments() const noexcept { return *table_; }
  Outside before_{Outside::constant};
  Outside after_{Outside::constant};
  double firstValue_{0.0};  // value at the first abscissa of the table
  double lastValue_{0.0};
  bool jumps_{false};
  std::shared_ptr<const Formula> formula_;  // null if the segments define the function
};

/// Index of the first time that lies before the one ahead of it, or is no number; empty if there is none.
std::optional<std::size_t> indexOfFirstDecrease(std::span<const double> times);

/// Position in a function during a run, without a search. A step stays on the piece that is valid at its
/// start, so that the end of the step has the value before a jump; `advance` then moves to the piece after
/// the jump.
class FunctionCursor {
 public:
  explicit FunctionCursor(const TimeFunction& function)
      : function_(&function), formula_(function.formulaOrNull()) {
    rewind();
  }

  double at(double t) const noexcept {
    if (formula_ != nullptr) [[unlikely]]
      return (*formula_)(t);
    return segment_->at(t);
  }

  /// Formula of the function, or null if the current linear piece defines the function.
  const Formula* formulaOrNull() const noexcept { return formula_; }
  TimeFunction::Piece piece() const noexcept { return TimeFunction::pieceOfSegment(segment_); }
  bool isVarying() const noexcept { return formula_ != nullptr || segment_->slope != 0.0; }

  /// Moves forward to the piece that is valid after `t`; a piece that ends within `tolerance` after t is
  /// skipped. Returns true if the value jumped between the two pieces.
  bool advance(double t, double tolerance) noexcept {
    bool jumped = false;
    while (segment_[1].begin <= t + tolerance) {
      ++segment_;
      if (function_->jumps_) [[unlikely]]
        jumped |= function_->hasJumpAtStartOfPiece(
            static_cast<std::size_t>(segment_ - function_->segments().data()));
    }
    return jumped;
  }

  /// Moves forward or backward to the piece that is valid after `t`, by a binary search.
  void seek(double t) noexcept { segment_ = function_->segments().data() + function_->pieceIndexAfter(t); }

  void rewind() noexcept { segment_ = function_->segments().data(); }

  template <class Archive>
  void serialise(Archive& archive) {
    // The stops of a formula and the ends of a table depend on the run, so that a later run may have others.
    std::ptrdiff_t passed = segment_ - function_->segments().data();
    double begin = segment_->begin;
    archive(passed, begin);
    archive.requireValidWhenReading(passed >= 0 && !std::isnan(begin));
    const auto& segments = function_->segments();
    const bool isSame = formula_ == nullptr && passed + 1 < std::ssize(segments) &&
                        segments[static_cast<std::size_t>(passed)].begin == begin;
    if (isSame)
      segment_ = segments.data() + passed;
    else
      seek(begin);
  }

 private:
  const TimeFunction* function_;
  const Formula* formula_;
  const TimeFunction::Segment* segment_{nullptr};
};

}  // namespace ricochet
