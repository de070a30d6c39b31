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
  std::vector<QuantityAt> channels;  ///< variables of the formula
};

/// A term of an output: a history reduced to a number, or a number of the run.
struct OutputTerm {
  const Reduction* reduction{nullptr};  ///< reduction of the history; null: a number of the run
  std::optional<HistoryExpression> history{};
  const Quantity* number{nullptr};
  double time{0.0};                    ///< instant of a value [s]
  std::optional<double> from{}, to{};  ///< interval of a statistic [s]
  int contact{0};                      ///< index of the contact, as in an Event
  EventKind event{EventKind::closing};
  int index{1};             ///< number of the event, from 1
  std::string statistic{};  ///< name of a number of [statistics]
  int window{0};            ///< time window of this number, from 1; 0: the whole run
  std::string unit{};       ///< unit of this number; empty: the unit of the quantity

  /// True if the term needs the history over an interval.
  bool isStatistic() const noexcept { return reduction != nullptr && reduction->isReductionOverInterval(); }
  bool isNumberOfRun(OfRun wanted) const noexcept {
    return number != nullptr && number->isNumberOfRun(wanted);
  }
};

/// A formula over terms: `max(abs(displacement(shoe, ux)))/0.001`.
struct OutputExpression {
  Formula formula;
  std::vector<OutputTerm> terms;  ///< variables of the formula
};

/// Form of a formula: its first variable, the absolute value of this variable, or another formula.
enum class FormulaShape : unsigned char { other, variable, absolute };
FormulaShape formOfFormula(const Formula& formula);

/// Unit of an output that is one quantity, its reduction or its absolute value; empty for other formulas.
std::string unitOfOutput(const OutputExpression& output);

/// A formula that is affine in its variables: constant + sum of factors[i] * variable[i], or the absolute
/// value of such a sum.
struct AffineForm {
  std::vector<double> factors;
  double constant{0.0};
  bool ofSize{false};  ///< the formula is the absolute value

  double valueForVariables(std::span<const double> variables) const noexcept {
    double value = constant;
    for (std::size_t i = 0; i < factors.size(); ++i) value += factors[i] * variables[i];
    return value;
  }
};
/// The affine form of a formula with this number of variables; empty if it has none.
std::optional<AffineForm> affineFormOf(const Formula& formula, std::size_t variables);

/// A beam, and the number of one of its elements.
struct BeamElementName {
  std::string beam;
  long long number;
  bool operator==(const BeamElementName&) const = default;
};

/// Names that an expression can use, in the order of their indices.
struct ExpressionNames {
  std::vector<std::string> nodes;
  std::vector<std::string> contacts;
  std::vector<std::string> links{};
  std::vector<BeamElementName> elements{};  ///< beam elements whose forces a result contains
  /// Names of the numbers of a contact: those that a result contains, or those that [statistics] of a deck
  /// requests.
  std::function<std::vector<std::string>(const QuantityAt&)> recordedNumbers{};
  /// Internal variables of the law of a link, in the order of its memory.
  std::function<std::vector<std::string>(int)> linkVariables{};
  /// Index of the node with an alias, such as the name of a group of one node; empty function: no aliases.
  std::function<std::optional<int>(std::string_view)> otherNode{};
  /// Reason why a quantity does not exist for its object; empty text: the quantity exists.
  std::function<std::string(const QuantityAt&)> lack{};
  /// True: contacts and links have the names of their groups in a result: '_' replaces '/'.
  bool ofResult{false};
};

/// Parses an expression. Reductions convert histories to numbers; the rest is the formula language of
/// functions. A name may contain commas and parentheses if it is one of `names`, or in quotes. Throws
/// FormulaError, which lists the quantities if one is unknown.
OutputExpression parseOutputExpression(std::string_view text, const ExpressionNames& names);

/// Parses a formula of histories, without a reduction. Throws FormulaError.
HistoryExpression parseHistoryExpression(std::string_view text, const ExpressionNames& names);

}  // namespace ricochet
