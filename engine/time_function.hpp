#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// A scalar function of time made of straight pieces, with jumps where an abscissa is repeated.
///
/// At a jump `at` gives the value after it and `justBefore` the value before it. The first and last abscissae
/// belong to the table.
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

    /// Whether the value jumps from this piece to the next, beyond the rounding of a line taken at its end.
    bool jumpsTo(const Piece& next) const noexcept {
      constexpr double kRounding = 1e-12;
      const double left = at(end);
      const double right = next.at(end);
      return std::abs(left - right) >
             kRounding * std::max({std::abs(value), std::abs(left), std::abs(right)});
    }
  };

  static TimeFunction constant(double value);

  /// `times` do not decrease; at most two equal ones in a row. At least one point, as many values as times.
  static TimeFunction table(std::span<const double> times, std::span<const double> values, Outside before,
                            Outside after);

  double at(double t) const noexcept;
  double justBefore(double t) const noexcept;
  bool isDefined(double begin, double end) const noexcept;

  const std::vector<Piece>& pieces() const noexcept { return pieces_; }

  /// Index of the piece that holds [t, t+): the value after a jump at t.
  std::size_t pieceAfter(double t) const noexcept;

  /// Instants at which value or slope jump.
  std::vector<double> breakpoints() const;

 private:
  std::vector<Piece> pieces_;
  double first_{0.0};  // where the function is defined
  double last_{0.0};
};

/// Reads a function along a run without a search: a step stays on the piece that holds at its start, so that
/// its end takes the value before a jump and the next step, after `advance`, the value after it.
class FunctionCursor {
 public:
  explicit FunctionCursor(const TimeFunction& function) : first_(function.pieces().data()), piece_(first_) {}

  double at(double t) const noexcept { return piece_->at(t); }

  /// Moves to the piece that holds from `t` on; a piece that ends within `tolerance` after t is over. Only
  /// forward. Returns true when the value jumped on the way.
  bool advance(double t, double tolerance) noexcept {
    bool jumped = false;
    for (; piece_->end <= t + tolerance; ++piece_) jumped |= piece_->jumpsTo(piece_[1]);
    return jumped;
  }

  void rewind() noexcept { piece_ = first_; }

 private:
  const TimeFunction::Piece* first_;
  const TimeFunction::Piece* piece_;
};

}  // namespace ricochet
