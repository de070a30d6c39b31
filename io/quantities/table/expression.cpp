#include "io/quantities/table/expression.hpp"

#include "io/quantities/table/call.hpp"
#include "io/toml/read_names.hpp"
#include "physical/elements/beam_forces.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

namespace ricochet {
namespace {

using calls::Call;
using calls::indexOfAllowedName;
using calls::indexOfListedName;
using calls::indexOfName;
using calls::parseInteger;
using calls::Piece;
using calls::requireArgumentCount;
using calls::withoutBlanksAtEnds;

int indexOfContactOrLink(const Piece& written, const std::vector<std::string>& bodies, std::string_view kind,
                         const ExpressionNames& names) {
  if (!names.ofResult) return indexOfName(written, bodies, kind);
  const std::string object = hdf5ObjectName(written.text);
  return indexOfName({object, written.offset}, bodies, kind);
}

/// Reads the second argument of a quantity of a contact or a link: a tangent, axis, part or variable.
int readSecondArgument(const Call& call, const QuantityAt& at, const ExpressionNames& names) {
  const Piece& written = call.arguments[1];
  switch (at.quantity->place) {
    case QuantityPlace::tangents:
      return parseInteger(written, 1, 2, "must be tangent 1 or 2");
    case QuantityPlace::linkAxes:
      return parseInteger(written, 1, 2, "must be axis 1 or 2");
    case QuantityPlace::linkPart:
      return indexOfAllowedName(written, kLinkParts);
    case QuantityPlace::recorded:
    case QuantityPlace::histogram:
      return indexOfName(written, names.recordedNumbers(at), "number");
    default:
      return indexOfName(written, names.linkVariables(at.body), "variable");
  }
}

/// Reads a force of an end section of a beam element: BEAM, ELEMENT, COMPONENT.
void readSectionArguments(const Call& call, const ExpressionNames& names, QuantityAt& at) {
  constexpr int kMostElements = 1000000000;
  requireArgumentCount(call, 3, 3, "a beam, the number of an element, and a force of a section");
  if (names.elements.empty())
    throw FormulaError(
        call.name.offset,
        fmt::format("this result holds no forces of beams; `ricochet restore RESULT --fields {}` "
                    "writes a file that does",
                    call.name.text));
  std::vector<std::string> beams;
  for (const BeamElementName& each : names.elements)
    if (beams.empty() || beams.back() != each.beam) beams.push_back(each.beam);
  const auto beam = static_cast<std::size_t>(indexOfName(call.arguments[0], beams, "beam"));
  const BeamElementName wanted{beams[beam], parseInteger(call.arguments[1], 1, kMostElements,
                                                         "must be the number of an element, from 1")};
  const auto found = std::ranges::find(names.elements, wanted);
  if (found == names.elements.end())
    throw FormulaError(call.arguments[1].offset,
                       fmt::format("beam {} has no element {} here", wanted.beam, wanted.number));
  at.body = static_cast<int>(found - names.elements.begin());
  at.part = indexOfAllowedName(call.arguments[2], kSectionForces);
}

/// Reads the arguments of a quantity that has a value at every instant.
void readPlaceArguments(const Call& call, const ExpressionNames& names, QuantityAt& at) {
  constexpr int kMostModes = 100000000;  // largest number of a mode or window
  switch (at.quantity->place) {
    case QuantityPlace::node:
      requireArgumentCount(call, 2, 2, "a node and a dof");
      at.dof.node = NodeIndex{indexOfName(call.arguments[0], names.nodes, "node", names.otherNode)};
      at.dof.component = componentOfIndex(indexOfAllowedName(call.arguments[1], kComponentNames));
      return;
    case QuantityPlace::energyPart:
      requireArgumentCount(call, 1, 1, "a part of the energy");
      at.part = indexOfAllowedName(renameResidualPart(call.arguments[0]), EnergyProbe::kNames);
      return;
    case QuantityPlace::coordinate:
      requireArgumentCount(call, 1, 1, "the number of a mode");
      at.part = parseInteger(call.arguments[0], 1, kMostModes, "must be the number of a mode, from 1");
      return;
    case QuantityPlace::beam:
      return readSectionArguments(call, names, at);
    case QuantityPlace::contact:
      requireArgumentCount(call, 1, 1, "a contact");
      break;
    case QuantityPlace::recorded:
      requireArgumentCount(call, 2, 2, "a contact and the name of a number");
      break;
    case QuantityPlace::histogram:
      requireArgumentCount(call, 2, 3, "a contact, the name of a number, and the number of a window");
      if (call.arguments.size() > 2)
        at.window = parseInteger(call.arguments[2], 1, kMostModes, "must be the number of a window, from 1");
      break;
    case QuantityPlace::tangents:
      requireArgumentCount(call, 1, 2, "a contact, and 1 or 2");
      break;
    case QuantityPlace::link:
      requireArgumentCount(call, 1, 1, "a link");
      break;
    case QuantityPlace::linkAxes:
      requireArgumentCount(call, 1, 2, "a link, and 1 or 2");
      break;
    default:
      requireArgumentCount(call, 2, 2, "a link and the name of a number of it");
  }
  at.body = at.isLinkQuantity() ? indexOfContactOrLink(call.arguments[0], names.links, "link", names)
                                : indexOfContactOrLink(call.arguments[0], names.contacts, "contact", names);
  if (call.arguments.size() > 1) at.part = readSecondArgument(call, at, names);
}

QuantityAt quantityOfCall(const Call& call, const Quantity& quantity, const ExpressionNames& names) {
  QuantityAt at{&quantity};
  readPlaceArguments(call, names, at);
  const std::string lack = names.lack ? names.lack(at) : std::string();
  if (!lack.empty()) throw FormulaError(call.arguments.back().offset, lack);
  if (quantity.isLinkVariable())  // `lack` reports a law without this variable
    at.part = indexOfListedName(quantity.keyword, names.linkVariables(at.body)).value_or(0);
  return at;
}

const Quantity* findQuantityOfCall(std::string_view name, const ExpressionNames& names) {
  return findExpressionQuantity(name, names.ofResult);
}

/// Lists of the names allowed as the first argument of a call.
calls::NameLists namesAllowedAsArgument(std::string_view call, const ExpressionNames& names) {
  const Quantity* quantity = findQuantityOfCall(call, names);
  if (quantity == nullptr) return {};
  if (!quantity->isHistory()) return {&names.contacts, &names.links};
  if (quantity->place == QuantityPlace::node) return {&names.nodes};
  if (std::holds_alternative<OfLink>(quantity->source)) return {&names.links};
  const bool isOfContact = std::holds_alternative<OfContact>(quantity->source) ||
                           std::holds_alternative<OfRecord>(quantity->source);
  return isOfContact ? calls::NameLists{&names.contacts} : calls::NameLists{};
}

/// Names that can be called: histories, and with `ofNumbers` reductions and numbers of the run.
std::vector<std::string_view> callNames(const ExpressionNames& names, bool ofNumbers) {
  std::vector<std::string_view> known;
  for (const Reduction& each : allReductions())
    if (ofNumbers) known.push_back(each.keyword);
  for (const Quantity& each : allQuantities())
    if (findQuantityOfCall(each.name(), names) == &each && (ofNumbers || each.isHistory()))
      known.push_back(each.name());
  return known;
}

[[noreturn]] void throwUnknownWordError(const Piece& word, const ExpressionNames& names, bool ofNumbers) {
  if (const Quantity* quantity = findQuantityOfCall(word.text, names))
    throw FormulaError(word.offset, fmt::format("write {}", syntaxOfQuantity(*quantity)));
  const std::vector<std::string_view> known = callNames(names, ofNumbers);
  const std::string nearest = nearestName(word.text, known);
  throw FormulaError(
      word.offset,
      fmt::format("no quantity \"{}\"; {}here are {}", word.text,
                  nearest.empty() ? "t" : fmt::format("did you mean \"{}\"? T", nearest), joinNames(known)));
}

/// Parses a formula in which calls of certain functions are variables; `take` decides about each call, and
/// converts it to a variable.
template <class Take>
Formula parseFormulaWithCalls(std::string_view text, const ExpressionNames& names, bool ofNumbers,
                              Take&& take) {
  calls::ReplacedCalls replaced(text);
  for (std::size_t i = 0; i < text.size();) {
    if (!calls::isWordCharacter(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (calls::isWordCharacter(text[end]) || text[end] == '.')) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
      const std::optional<Call> call = calls::parseCallAt(
          text, i, [&names](std::string_view each) { return namesAllowedAsArgument(each, names); });
      if (call && take(*call)) {
        replaced.replaceCallByVariable(*call);
        end = call->end;
      } else if (!Formula::isReservedWord(word)) {
        throwUnknownWordError({word, i}, names, ofNumbers);
      }
    }
    i = end;
  }
  return replaced.parse();
}

HistoryExpression parseHistoryInPiece(const Piece& piece, const ExpressionNames& names) {
  std::vector<QuantityAt> channels;
  try {
    Formula formula = parseFormulaWithCalls(piece.text, names, false, [&](const Call& call) {
      const Quantity* quantity = findQuantityOfCall(call.name.text, names);
      if (quantity == nullptr || !quantity->isHistory()) return false;
      channels.push_back(quantityOfCall(call, *quantity, names));
      return true;
    });
    if (channels.empty())
      throw FormulaError(0, fmt::format("names no history: one of {}", joinNames(callNames(names, false))));
    return {std::string(piece.text), std::move(formula), std::move(channels)};
  } catch (const FormulaError& error) {
    throw FormulaError(piece.offset + error.offset(), error.what());
  }
}

double evaluateConstant(const Piece& piece) {
  try {
    return Formula::parse(piece.text, {})(0.0);
  } catch (const FormulaError& error) {
    throw FormulaError(piece.offset + error.offset(), error.what());
  }
}

/// Reads the number of an argument `name = number`; false for another argument.
bool readNamedNumber(const Piece& piece, std::string_view name, std::optional<double>& value) {
  Piece rest = withoutBlanksAtEnds(piece);
  if (!rest.text.starts_with(name)) return false;
  rest = withoutBlanksAtEnds({rest.text.substr(name.size()), rest.offset + name.size()});
  if (!rest.text.starts_with('=') || rest.text.starts_with("==")) return false;
  value = evaluateConstant(withoutBlanksAtEnds({rest.text.substr(1), rest.offset + 1}));
  return true;
}

/// Reads a reduction of a history. Empty if the arguments are numbers, so that the name is a function of
/// numbers.
std::optional<OutputTerm> readReduction(Call call, const Reduction& reduction, const ExpressionNames& names) {
  OutputTerm term;
  term.reduction = &reduction;
  if (!reduction.isReductionOverInterval()) {
    const bool at = reduction.takesInstant;
    requireArgumentCount(call, at ? 2 : 1, at ? 2 : 1, at ? "a history and an instant" : "a history");
    term.history = parseHistoryInPiece(call.arguments[0], names);
    if (at) term.time = evaluateConstant(call.arguments[1]);
    return term;
  }
  while (call.arguments.size() > 1 && (readNamedNumber(call.arguments.back(), "from", term.from) ||
                                       readNamedNumber(call.arguments.back(), "to", term.to)))
    call.arguments.pop_back();
  if (reduction.isFunction && call.arguments.size() != 1) return std::nullopt;
  requireArgumentCount(call, 1, 1, "a history, and perhaps from = and to =");
  if (term.from && term.to && !(*term.to > *term.from))
    throw FormulaError(call.name.offset,
                       fmt::format("`to`, {} s, must be after `from`, {} s", *term.to, *term.from));
  term.history = parseHistoryInPiece(call.arguments[0], names);
  for (const QuantityAt& each : term.history->channels)
    if (std::holds_alternative<OfEnergy>(each.quantity->source))
      throw FormulaError(call.arguments[0].offset,
                         "energy is known at instants only: take it with last or at(..., t)");
  return term;
}

void readEventArguments(const Call& call, const ExpressionNames& names, OutputTerm& term) {
  const bool isTime = term.isNumberOfRun(OfRun::eventTime);
  requireArgumentCount(
      call, 2, isTime ? 3 : 2,
      isTime ? "a contact, a kind of event and its number (1)" : "a contact and a kind of event");
  std::vector<std::string> bodies = names.contacts;
  bodies.insert(bodies.end(), names.links.begin(), names.links.end());
  term.contact = indexOfName(call.arguments[0], bodies, names.links.empty() ? "contact" : "contact or link");
  term.event = static_cast<EventKind>(indexOfAllowedName(call.arguments[1], kEventNames));
  constexpr int kMost = 100000000;
  if (call.arguments.size() > 2)
    term.index = parseInteger(call.arguments[2], 1, kMost, "must be the number of an event, from 1");
}

void readStatisticArguments(const Call& call, const ExpressionNames& names, OutputTerm& term) {
  constexpr int kMostWindows = 100000000;
  requireArgumentCount(call, 2, 3, "a contact, the name of a number, and the number of a window");
  term.contact = indexOfName(call.arguments[0], names.contacts, "contact");
  QuantityAt at{term.number};
  at.body = term.contact;
  const std::vector<std::string> numbers = names.recordedNumbers(at);
  term.statistic = numbers[static_cast<std::size_t>(indexOfName(call.arguments[1], numbers, "number"))];
  if (call.arguments.size() > 2)
    term.window = parseInteger(call.arguments[2], 1, kMostWindows, "must be the number of a window, from 1");
}

OutputTerm parseRunNumber(const Call& call, const Quantity& quantity, const ExpressionNames& names) {
  OutputTerm term;
  term.number = &quantity;
  if (quantity.place == QuantityPlace::event || quantity.place == QuantityPlace::eventCount) {
    readEventArguments(call, names, term);
  } else if (quantity.place == QuantityPlace::run) {
    requireArgumentCount(call, 0, 0, "nothing");
  } else if (quantity.place == QuantityPlace::contactWindow) {
    readStatisticArguments(call, names, term);
  } else {
    requireArgumentCount(call, 1, 1, "a contact");
    term.contact = indexOfName(call.arguments[0], names.contacts, "contact");
  }
  return term;
}

/// Reads a call of a quantity; empty for functions of the formula language (max of two numbers, sqrt).
std::optional<OutputTerm> termOfCall(const Call& call, const ExpressionNames& names) {
  if (const Reduction* reduction = findReduction(call.name.text))
    return readReduction(call, *reduction, names);
  const Quantity* quantity = findQuantityOfCall(call.name.text, names);
  if (quantity == nullptr) return std::nullopt;
  if (!quantity->isHistory()) return parseRunNumber(call, *quantity, names);
  std::string known;
  for (const Reduction& each : allReductions())
    known += (known.empty()       ? ""
              : each.takesInstant ? " or "
                                  : ", ") +
             std::string(each.keyword) + (each.takesInstant ? "(..., t)" : "");
  throw FormulaError(call.name.offset, fmt::format("is a history, not a number: reduce it with {}", known));
}

}  // namespace

/// Form of a formula: its first variable alone, the absolute value of this variable, or any other formula.
FormulaShape formOfFormula(const Formula& formula) {
  const auto program = formula.program();
  if (program.empty() || program[0].op != FormulaOp::variable) return FormulaShape::other;
  if (program.size() == 1) return FormulaShape::variable;
  return program.size() == 2 && program[1].op == FormulaOp::abs ? FormulaShape::absolute
                                                                : FormulaShape::other;
}

std::string unitOfOutput(const OutputExpression& output) {
  if (formOfFormula(output.formula) == FormulaShape::other) return {};
  const OutputTerm& term = output.terms.front();
  if (term.number != nullptr) return term.unit.empty() ? std::string(term.number->unit) : term.unit;
  if (!term.history || formOfFormula(term.history->formula) == FormulaShape::other) return {};
  return std::string(term.history->channels.front().unit());
}

namespace {

/// An operation x -> factor x + added on a single operand; empty for other operations.
struct AffineStep {
  double factor, added;
};
std::optional<AffineStep> affineTermOf(const FormulaInstruction& each) {
  if (each.op == FormulaOp::negate) return AffineStep{-1.0, 0.0};
  if (each.op == FormulaOp::addConstant) return AffineStep{1.0, each.constant};
  if (each.op == FormulaOp::fromConstant) return AffineStep{-1.0, each.constant};
  if (each.op == FormulaOp::scale) return AffineStep{each.constant, 0.0};
  if (each.op == FormulaOp::overConstant) return AffineStep{1.0 / each.constant, 0.0};
  return std::nullopt;
}

}  // namespace

std::optional<AffineForm> affineFormOf(const Formula& formula, std::size_t variables) {
  auto program = formula.program();
  const bool ofSize = !program.empty() && program.back().op == FormulaOp::abs;
  if (ofSize) program = program.first(program.size() - 1);
  std::vector<std::vector<double>> stack;  // factors of the variables, then the constant, per operand
  for (const FormulaInstruction& each : program) {
    if (each.op == FormulaOp::constant || each.op == FormulaOp::variable) {
      const bool varies = each.op == FormulaOp::variable;
      stack.emplace_back(variables + 1, 0.0)[varies ? static_cast<std::size_t>(each.integer) : variables] =
          varies ? 1.0 : each.constant;
    } else if (const std::optional<AffineStep> step = affineTermOf(each)) {
      for (double& x : stack.back()) x *= step->factor;
      stack.back().back() += step->added;
    } else if (each.op == FormulaOp::add || each.op == FormulaOp::subtract) {
      const std::vector<double> right = std::move(stack.back());
      stack.pop_back();
      for (std::size_t i = 0; i < right.size(); ++i)
        stack.back()[i] += each.op == FormulaOp::add ? right[i] : -right[i];
    } else {
      return std::nullopt;
    }
  }
  const double constant = stack.back().back();
  stack.back().pop_back();
  return AffineForm{std::move(stack.back()), constant, ofSize};
}

OutputExpression parseOutputExpression(std::string_view text, const ExpressionNames& names) {
  std::vector<OutputTerm> terms;
  Formula formula = parseFormulaWithCalls(text, names, true, [&](const Call& call) {
    std::optional<OutputTerm> term = termOfCall(call, names);
    if (!term) return false;
    terms.push_back(std::move(*term));
    return true;
  });
  if (terms.empty()) throw FormulaError(0, "names nothing of the run: it is the same for every case");
  return {std::move(formula), std::move(terms)};
}

HistoryExpression parseHistoryExpression(std::string_view text, const ExpressionNames& names) {
  return parseHistoryInPiece(withoutBlanksAtEnds({text, 0}), names);
}

}  // namespace ricochet
