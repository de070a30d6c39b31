#pragma once

#include <span>
#include <string_view>

namespace ricochet {

/// Integral and extremes of a history over an interval, from which reductions are computed. `sum` is the time
/// integral of the value, or of its square.
struct IntervalTotals {
  double highest, lowest;
  double sum;
  double length;  ///< length of the interval [s]
};

/// Computes a number from a history, in the unit of the history.
struct Reduction {
  std::string_view keyword;
  std::string_view meaning;
  /// Function of the totals; null: the history at one instant.
  double (*value)(const IntervalTotals& totals){nullptr};
  bool highest{false}, lowest{false};  ///< extremes of the totals that the reduction needs
  bool squares{false};                 ///< `sum` is the integral of the square
  /// Name of the reduction of a value that equals this reduction of |value|; empty: none.
  std::string_view ofSize{};
  bool isFunction{false};    ///< the formula language has a function with this name too
  bool takesInstant{false};  ///< the expression has an instant as second argument

  constexpr bool isReductionOverInterval() const noexcept { return value != nullptr; }
  constexpr bool isExtremeReduction() const noexcept { return highest || lowest; }
};

/// List of all reductions. Checks call reductions over an interval `statistic`.
std::span<const Reduction> allReductions();

/// Reduction with a keyword; null if there is none.
const Reduction* findReduction(std::string_view keyword);

}  // namespace ricochet
