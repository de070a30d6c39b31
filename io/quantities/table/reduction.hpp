#pragma once

#include <span>
#include <string_view>

namespace ricochet {

/// What a reduction needs of a history over an interval. The sum is the integral over time of the value, or
/// of its square.
struct IntervalTotals {
  double highest, lowest;
  double sum;
  double length;  ///< of the interval [s]
};

/// Makes a number of a history. Each has the unit of the history.
struct Reduction {
  std::string_view keyword;
  std::string_view meaning;
  double (*value)(const IntervalTotals& totals){nullptr};  ///< null: the history at one instant
  bool highest{false}, lowest{false};                      ///< of the totals, those that are needed
  bool squares{false};                                     ///< the sum is that of squares
  std::string_view ofSize{};  ///< the reduction of a history that is this one of its size; empty: none
  bool isFunction{false};     ///< formulas know a function of numbers of this name too
  bool takesInstant{false};   ///< the second argument of the expression

  constexpr bool isOverInterval() const noexcept { return value != nullptr; }
  constexpr bool isOfExtremes() const noexcept { return highest || lowest; }
};

/// All of them. Checks call those over an interval `statistic`.
std::span<const Reduction> reductions();

/// The one of a keyword; null: there is none.
const Reduction* reductionNamed(std::string_view keyword);

}  // namespace ricochet
