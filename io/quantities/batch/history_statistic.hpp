#pragma once

#include "engine/numerics/polynomial_range.hpp"
#include "io/quantities/statistics/piece_grid.hpp"
#include "io/quantities/table/expression.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// Statistic of a history, accumulated during a run: its extremes, its mean or its mean square.
///
/// Input are the smooth numbers of the quantities, one quantity after another: the position of a contact for
/// its gap (OfContact::interpolatedNumberCount), and the quantity itself for others. Two kinds of input.
/// Steps with numbers inside the step (`addStep`: polynomials in the event scheme): extremes are those of the
/// motion to rounding, from the roots of the derivative if the formula is affine, integrals are Gauss sums
/// over parts that are halved where the history has a kink. Step ends only (`addStepEnd`): extremes by the
/// parabola through three step ends where the history is smooth, integrals by the trapezoidal rule; both have
/// second order, as the schemes. A step in which the nearest side of an obstacle changes is divided there.
///
/// A statistic of a window of the run takes the parts of steps inside the window; numbers at the bounds are
/// interpolated.
class HistoryStatistic {
 public:
  /// Window of the run [s].
  struct Window {
    double from{-std::numeric_limits<double>::infinity()}, to{std::numeric_limits<double>::infinity()};
  };

  HistoryStatistic(const HistoryExpression& history, const Reduction& reduction, const ContactSet& contacts)
      : HistoryStatistic(history, reduction, contacts, Window{}) {}
  HistoryStatistic(const HistoryExpression& history, const Reduction& reduction, const ContactSet& contacts,
                   Window window);

  /// Number of the smooth numbers of all quantities.
  std::size_t interpolatedNumberCount() const noexcept { return numbers_; }

  void start();
  /// Adds a part of a step, from the values of the history at the points of the grid.
  void addPartOfStep(const PieceGrid& grid, double begin, double end, std::span<const double> atPoints);
  /// Adds the numbers at the begin of a step, which differ from those at the end of the step before if the
  /// history jumps there, and those at the end of a step or of a part of a step.
  void addBeginOfStep(double time, std::span<const double> numbers);
  void addStepEnd(double time, std::span<const double> numbers);

  /// True if the run has not reached the window, so that there is no value.
  bool hasNoValue() const noexcept {
    const ValueRange none;
    const bool isUnseen = range_.highest == none.highest && range_.lowest == none.lowest;
    return extremes_ ? isUnseen : !(length_ > 0.0);
  }

  double valueOfReduction(const Reduction& reduction) const {
    return reduction.value({range_.highest, range_.lowest, sum_, length_});
  }

 private:
  struct StepPart {
    double from, to;
  };

  double historyValue(std::span<const double> numbers);
  double integrandOfStatistic(double value) const noexcept { return squares_ ? value * value : value; }
  void addStepToHistory(const PieceGrid& grid, double h, std::span<const double> atPoints);
  void storeLastStepEnd(double time, std::span<const double> numbers);
  bool areNumbersOfLastStepEnd(std::span<const double> numbers) const noexcept;
  void includeValueAtStepEnd(double time, double value);
  std::span<const double> interpolateBetweenStepEnds(double time, double end,
                                                     std::span<const double> numbers);
  void findKinksBetweenStepEnds(double end, std::span<const double> numbers);
  double smallestResolvedGap(std::span<const double> atPoints) const noexcept;
  bool isHistorySmoothOverStepEnds() const noexcept;
  void includeExtremes(const PieceGrid& grid, std::span<const double> atPoints);
  void includeExtremesOfAffineHistory(std::span<const double> atPoints);
  bool isHistoryResolved(std::span<const double> atPoints) const noexcept;
  void includeSampledExtremes(const PieceGrid& grid, std::span<const double> atPoints);
  double integral(const PieceGrid& grid, std::span<const double> atPoints, StepPart part);
  void includePeakOfParabola(const std::array<double, 3>& times,
                             const std::array<double, 3>& values) noexcept;

  const HistoryExpression* history_;
  const ContactSet* contacts_;
  std::vector<std::size_t> firstNumber_;  // index of the first number of each quantity
  std::size_t numbers_{0};
  Window window_;
  std::optional<AffineForm> affine_;
  bool isSmoothOverSteps_;  // the quantities are polynomials over a step
  bool mayHaveKinks_;       // the history may have a kink inside a step
  bool extremes_;
  bool lowest_;  // true: the smallest value is needed
  bool squares_;
  ValueRange range_;
  double sum_{0.0}, length_{0.0};
  int ends_{0};
  std::array<double, 5> times_{}, values_{};  // times and values of the last five step ends
  bool seesEnds_{false};                      // true once a step end has been added to the statistic
  double timeBefore_{0.0};                    // last step end, in the window or not
  std::vector<double> numbersBefore_;         // numbers at this end
  std::vector<double> inside_;                // instants inside a step at which values are interpolated
  std::vector<double> quantities_, between_;
  std::vector<double> scratch_, inWindow_, numbersAtCells_, atCells_;
};

}  // namespace ricochet
