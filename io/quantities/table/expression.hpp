#pragma once

#include "engine/accounts/events.hpp"
#include "engine/functions/formula.hpp"
#include "io/quantities/table/quantity.hpp"
#include "io/quantities/table/reduction.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// A formula over channels: `abs(displacement(shoe, ux) - 0.001)`.
struct HistoryExpression {
  std::string text;
  Formula formula;
  std::vector<QuantityAt> channels;  ///< the formula's variables
};

/// One number that a run leaves: a history reduced to a number, or a number of the run itself.
struct OutputTerm {
  const Reduction* reduction{nullptr};  ///< of the history; null: a number of the run
  std::optional<HistoryExpression> history{};
  const Quantity* number{nullptr};
  double time{0.0};                    ///< of a value at an instant [s]
  std::optional<double> from{}, to{};  ///< part of the run that a statistic looks at [s]
  int contact{0};                      ///< as of an Event
  EventKind event{EventKind::closing};
  int index{1};  ///< of an event, from 1

  /// Whether it looks at the whole history.
  bool isStatistic() const noexcept { return reduction != nullptr && reduction->isOverInterval(); }
  bool is(OfRun wanted) const noexcept { return number != nullptr && number->is(wanted); }
};

/// A formula over terms: `max(abs(displacement(shoe, ux)))/0.001`.
struct OutputExpression {
  Formula formula;
  std::vector<OutputTerm> terms;  ///< the formula's variables
};

/// What a formula makes of its first variable.
enum class FormulaShape : unsigned char { other, variable, absolute };
FormulaShape shapeOf(const Formula& formula);

/// What an expression may name, in the order of their indices.
struct ExpressionNames {
  std::vector<std::string> nodes;
  std::vector<std::string> contacts;
  std::vector<std::string> links{};
  /// Of a link, the variables that its law remembers, in the order of its memory.
  std::function<std::vector<std::string>(int)> linkVariables{};
  /// The node of another name, such as that of a group of one node; empty: there are none.
  std::function<std::optional<int>(std::string_view)> otherNode{};
  /// Why there is no such quantity there; empty text: there is.
  std::function<std::string(const QuantityAt&)> lack{};
  bool ofResult{false};  ///< contacts and links are called as their groups are: '/' is '_'
};

/// Reads an expression. Histories become numbers by a reduction; everything around them is the formula
/// language of functions. A name may hold commas and parentheses if it is one of `names`, or in quotes.
/// Throws FormulaError, which lists the quantities where one is unknown.
OutputExpression parseOutput(std::string_view text, const ExpressionNames& names);

/// The same of a history. Throws FormulaError.
HistoryExpression parseHistory(std::string_view text, const ExpressionNames& names);

}  // namespace ricochet
