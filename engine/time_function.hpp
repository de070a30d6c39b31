#pragma once

#include "engine/formula.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
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

  /// A formula in t [s].
  static TimeFunction formula(Formula formula);

  double at(double t) const noexcept;
  double justBefore(double t) const noexcept;
  bool isDefined(double begin, double end) const noexcept;

  const Formula* formulaOrNull() const noexcept { return formula_.get(); }

  /// Piece k: 0 is before the table, `lastPiece()` after it. A repeated abscissa is a piece of no width.
  Piece piece(std::size_t k) const noexcept;
  std::size_t lastPiece() const noexcept { return knots_.size(); }

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

  // a table is all that is kept: a run reads a long one from end to end, 16 bytes per point
  struct Knot {
    double time;
    double value;
  };
  std::vector<Knot> knots_;
  Outside before_{Outside::constant};
  Outside after_{Outside::constant};
  double slopeBefore_{0.0};
  double slopeAfter_{0.0};
  std::shared_ptr<const Formula> formula_;  // null: the knots are the function
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
    return piece_.at(t);
  }

  /// The function from here on: this formula, or if there is none this straight piece.
  const Formula* formulaOrNull() const noexcept { return formula_; }
  const TimeFunction::Piece& piece() const noexcept { return piece_; }
  bool varies() const noexcept { return formula_ != nullptr || piece_.slope != 0.0; }

  /// Moves to the piece that holds from `t` on; a piece that ends within `tolerance` after t is over. Only
  /// forward. Returns true when the value jumped on the way.
  bool advance(double t, double tolerance) noexcept {
    bool jumped = false;
    while (piece_.end <= t + tolerance) jumped |= next();
    return jumped;
  }

  void rewind() noexcept {
    end_ = function_->knots_.data();
    second_ = end_ + 1;
    last_ = end_ + function_->knots_.size() - 1;
    piece_ = function_->piece(0);
  }

  template <class Archive>
  void persist(Archive& archive) {
    std::ptrdiff_t passed = end_ - function_->knots_.data();
    archive(passed, piece_);
    archive.expect(passed >= 0 && passed <= std::ssize(function_->knots_));
    end_ = function_->knots_.data() + passed;
  }

 private:
  bool next() noexcept;
  bool nextAtAnEnd() noexcept;

  const TimeFunction* function_;
  const Formula* formula_;
  const TimeFunction::Knot* end_{nullptr};  // where the piece ends; one past the table on the last piece
  const TimeFunction::Knot* second_{nullptr};
  const TimeFunction::Knot* last_{nullptr};
  TimeFunction::Piece piece_{};
};

inline TimeFunction::Piece TimeFunction::piece(std::size_t k) const noexcept {
  if (k - 1 < knots_.size() - 1) {  // between two knots (k = 0 wraps)
    const Knot& from = knots_[k - 1];
    const Knot& to = knots_[k];
    const double width = to.time - from.time;
    return {from.time, to.time, from.value, width > 0.0 ? (to.value - from.value) / width : 0.0};
  }
  if (k == 0) {
    const Knot& first = knots_.front();
    return {first.time, first.time, before_ == Outside::zero ? 0.0 : first.value, slopeBefore_};
  }
  const Knot& last = knots_.back();
  return {last.time, std::numeric_limits<double>::infinity(), after_ == Outside::zero ? 0.0 : last.value,
          slopeAfter_};
}

inline bool FunctionCursor::next() noexcept {
  const TimeFunction::Knot* const from = end_;
  if (from >= second_ && from < last_) [[likely]] {
    if (const double width = from[1].time - from->time; width > 0.0) [[likely]] {
      end_ = from + 1;
      piece_ = {from->time, from[1].time, from->value, (from[1].value - from->value) / width};
      return false;
    }
  }
  return nextAtAnEnd();
}

inline bool TimeFunction::jumpsInto(std::size_t k) const noexcept {
  if (k - 1 < knots_.size() - 1) {
    const bool acrossNoWidth = knots_[k].time <= knots_[k - 1].time && knots_[k].value != knots_[k - 1].value;
    return acrossNoWidth || (k == 1 && before_ == Outside::zero && knots_.front().value != 0.0);
  }
  if (k == 0) return false;
  const bool intoZero = after_ == Outside::zero && knots_.back().value != 0.0;
  const bool outOfZero = k == 1 && before_ == Outside::zero && knots_.front().value != 0.0;  // a single knot
  return intoZero != outOfZero;
}

}  // namespace ricochet
