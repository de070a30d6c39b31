#pragma once

#include "engine/functions/formula.hpp"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ricochet {

/// A scalar function of time: straight pieces, with jumps where an abscissa is repeated, or a formula.
///
/// At a jump `at` gives the value after it and `justBefore` the value before it. The first and last abscissae
/// belong to the table. A formula is defined everywhere and is taken as it stands: it has no breakpoints,
/// even where it chooses (see `Formula::isSmooth`), and its one piece says nothing about its value.
class TimeFunction {
 public:
  /// What the function is outside its table. `undefined`: must not be evaluated there (see `isDefined`).
  enum class Outside { undefined, constant, zero, linear };

  /// A straight piece that lasts until `end`: value + slope (t - begin). `begin` is where it is anchored; the
  /// piece before a table is anchored at its own end.
  struct Piece {
    double begin;
    double end;
    double value;
    double slope;
    double at(double t) const noexcept { return value + slope * (t - begin); }
  };

  static TimeFunction constant(double value);

  /// `times` do not decrease; at most two equal ones in a row. At least one point, as many values as times.
  static TimeFunction table(std::span<const double> times, std::span<const double> values, Outside before,
                            Outside after);

  /// Values that hold from an instant [s] to the next one, the first before it and the last after it too;
  /// instants increase, one at least.
  static TimeFunction steps(std::span<const std::pair<double, double>> from);
  static TimeFunction steps(std::initializer_list<std::pair<double, double>> from) {
    return steps(std::span(from.begin(), from.size()));
  }

  /// A straight line through (time, value), without end.
  static TimeFunction line(double time, double value, double slope);

  /// A formula in t [s].
  static TimeFunction formula(Formula formula);

  double at(double t) const noexcept;
  double justBefore(double t) const noexcept;
  bool isDefined(double begin, double end) const noexcept;

  const Formula* formulaOrNull() const noexcept { return formula_.get(); }

  /// Piece k: 0 is before the table, `lastPiece()` after it. A repeated abscissa is a piece of no width.
  Piece piece(std::size_t k) const noexcept { return pieceFrom(&segments()[k]); }
  std::size_t lastPiece() const noexcept { return segments().size() - 2; }

  /// Whether this is a copy of the other, which needs no look at their values; false may be wrong.
  bool isCopyOf(const TimeFunction& other) const noexcept {
    return table_ == other.table_ && before_ == other.before_ && after_ == other.after_ &&
           formula_ == other.formula_;
  }

  /// Whether the value jumps on the way from piece k - 1 to piece k, or across piece k.
  bool jumpsInto(std::size_t k) const noexcept;

  /// Index of the piece that holds [t, t+): the value after a jump at t.
  std::size_t pieceAfter(double t) const noexcept;

  /// Instants at which value or slope jump, and those at which the value does.
  std::vector<double> breakpoints() const { return instants(true); }
  std::vector<double> jumps() const { return instants(false); }

 private:
  friend class FunctionCursor;

  std::vector<double> instants(bool slopes) const;

  // a run reads a long table from end to end: 24 bytes per point, and no division on the way
  struct Segment {
    double begin;
    double value;
    double slope;
    double at(double t) const noexcept { return value + slope * (t - begin); }
  };
  static Piece pieceFrom(const Segment* segment) noexcept {
    return {segment->begin, segment[1].begin, segment->value, segment->slope};
  }
  double firstTime() const noexcept { return segments()[1].begin; }
  double lastTime() const noexcept { return segments()[lastPiece()].begin; }

  // one per piece, which ends where the next begins, and an end at infinity; shared by copies: a study has
  // one table in many runs
  std::shared_ptr<const std::vector<Segment>> table_;
  const std::vector<Segment>& segments() const noexcept { return *table_; }
  Outside before_{Outside::constant};
  Outside after_{Outside::constant};
  double firstValue_{0.0};  // of the table
  double lastValue_{0.0};
  bool jumps_{false};
  std::shared_ptr<const Formula> formula_;  // null: the segments are the function
};

/// Reads a function along a run without a search: a step stays on the piece that holds at its start, so that
/// its end takes the value before a jump and the next step, after `advance`, the value after it.
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

  /// The function from here on: this formula, or if there is none this straight piece.
  const Formula* formulaOrNull() const noexcept { return formula_; }
  TimeFunction::Piece piece() const noexcept { return TimeFunction::pieceFrom(segment_); }
  bool varies() const noexcept { return formula_ != nullptr || segment_->slope != 0.0; }

  /// Moves to the piece that holds from `t` on; a piece that ends within `tolerance` after t is over. Only
  /// forward. Returns true when the value jumped on the way.
  bool advance(double t, double tolerance) noexcept {
    bool jumped = false;
    while (segment_[1].begin <= t + tolerance) {
      ++segment_;
      if (function_->jumps_) [[unlikely]]
        jumped |= function_->jumpsInto(static_cast<std::size_t>(segment_ - function_->segments().data()));
    }
    return jumped;
  }

  /// Moves to the piece that holds from `t` on from anywhere, by a search.
  void seek(double t) noexcept { segment_ = function_->segments().data() + function_->pieceAfter(t); }

  void rewind() noexcept { segment_ = function_->segments().data(); }

  template <class Archive>
  void persist(Archive& archive) {
    std::ptrdiff_t passed = segment_ - function_->segments().data();
    archive(passed);
    archive.expect(passed >= 0 && passed + 1 < std::ssize(function_->segments()));
    segment_ = function_->segments().data() + passed;
  }

 private:
  const TimeFunction* function_;
  const Formula* formula_;
  const TimeFunction::Segment* segment_{nullptr};
};

}  // namespace ricochet
