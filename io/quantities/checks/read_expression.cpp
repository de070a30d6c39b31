// Reads checks whose quantity is an expression with the syntax of batch outputs: "max(abs(displacement(shoe,
// ux)), from = 0.1)".

#include "engine/study/study_links.hpp"
#include "io/deck/deck.hpp"
#include "io/quantities/read_requests.hpp"

#include <fmt/core.h>

#include <string_view>

namespace ricochet {
namespace {

void readChannelOfCheck(const ReadContext& context, const QuantityAt& at, CheckRequest& check) {
  check.quantity = at.quantity;
  if (at.nodeQuantityOrNull() != nullptr) {
    check.node = at.dof.node;
    check.dof = at.dof.component;
  }
  if (at.isContactQuantity()) check.contact = at.body;
  if (at.isLinkQuantity()) check.link = at.body;
  const auto part = static_cast<std::size_t>(at.part);
  switch (at.quantity->place) {
    case QuantityPlace::energyPart:
      check.part = EnergyProbe::kNames[part];
      return;
    case QuantityPlace::linkPart:
      check.part = kLinkParts[part];
      return;
    case QuantityPlace::linkVariable:
      check.variable =
          internalVariablesOf(context.study.links[static_cast<std::size_t>(at.body)].law)[part].name;
      [[fallthrough]];
    case QuantityPlace::link:
      check.memory = part;
      return;
    default:
      if (part != 0) check.component = at.part;
  }
}

/// Reads the contact or link of an event. Returns an error text, empty if the event exists.
std::string readContactOrLink(const ReadContext& context, const OutputTerm& term, CheckRequest& check) {
  const auto contacts = static_cast<int>(context.study.contacts.size());
  if (term.contact < contacts) {
    check.contact = term.contact;
    if (static_cast<std::size_t>(term.event) < kContactEvents) return {};
    return fmt::format("{} is no event of a contact", nameOfEventKind(term.event));
  }
  check.link = term.contact - contacts;
  const LinkRequest& link = context.study.links[static_cast<std::size_t>(*check.link)];
  const std::string_view own =
      std::visit([]<class L>(const L&) { return std::string_view(L::kEvent); }, link.law);
  if (own == nameOfEventKind(term.event)) return {};
  return fmt::format("link \"{}\" has no event {}{}", link.name, nameOfEventKind(term.event),
                     own.empty() ? "" : fmt::format("; it has {}", own));
}

/// Reads the reduction of a history. Returns an error text, empty if a check supports the reduction.
std::string readHistoryReduction(const ReadContext& context, const OutputTerm& term, CheckRequest& check) {
  const FormulaShape shape = formOfFormula(term.history->formula);
  const bool ofSize = shape == FormulaShape::absolute;
  if (term.history->channels.size() != 1 || shape == FormulaShape::other)
    return "a check takes one history or its abs(); formulas of histories are for [batch.outputs]";
  readChannelOfCheck(context, term.history->channels.front(), check);
  if (term.isStatistic()) {
    const Reduction* sameOfValue = ofSize ? findReduction(term.reduction->ofSize) : nullptr;
    check.statistic = sameOfValue != nullptr ? sameOfValue : term.reduction;
    check.ofSize = ofSize && sameOfValue == nullptr;
    check.from = term.from;
    check.to = term.to;
    return {};
  }
  check.ofSize = ofSize;
  check.time = term.reduction->takesInstant ? term.time : context.run ? context.run->end : 0.0;
  return {};
}

std::string readTermOfExpression(const ReadContext& context, OutputTerm term, CheckRequest& check) {
  if (term.history) return readHistoryReduction(context, term, check);
  check.quantity = term.number;
  if (term.isNumberOfRun(OfRun::contactStatistic)) {
    check.part = term.statistic;
    check.index = term.window;
    check.contact = term.contact;
    return setStatisticUnit(context, term);
  }
  if (term.isNumberOfRun(OfRun::eventTime) || term.isNumberOfRun(OfRun::eventCount)) {
    check.kind = term.event;
    check.index = term.index;
    return readContactOrLink(context, term, check);
  }
  if (term.number->place != QuantityPlace::run) check.contact = term.contact;
  return {};
}

/// Moves instants of the check that lie outside the run by rounding only onto the ends of the run. Returns an
/// error text, empty if all instants are inside.
std::string moveInstantsIntoRun(const ReadContext& context, CheckRequest& check) {
  if (!context.run) return {};
  for (std::optional<double>* each : {&check.time, &check.from, &check.to}) {
    if (!*each) continue;
    const std::optional<double> inside = context.run->instantIfWithinRun(**each);
    if (!inside) return fmt::format("{} s is outside the run, {}", **each, context.run->description());
    *each = inside;
  }
  return {};
}

}  // namespace

ExpressionNames namesAllowedInExpressions(const ReadContext& context) {
  ExpressionNames names{context.nodes.all(), context.contacts.all(), context.links.all()};
  names.linkVariables = [&context](int link) {
    std::vector<std::string> variables;
    for (const LinkVariable& each :
         internalVariablesOf(context.study.links[static_cast<std::size_t>(link)].law))
      variables.emplace_back(each.name);
    return variables;
  };
  names.recordedNumbers = [](const QuantityAt&) { return namesOfStatistics(); };
  names.otherNode = [&context](std::string_view name) { return context.nodes.find(name); };
  names.lack = [&context](const QuantityAt& at) {
    const auto absent = reasonForAbsentQuantity(context, at);
    return absent ? absent->why : std::string();
  };
  return names;
}

bool readQuantityExpression(const ReadContext& context, const Section& section, CheckRequest& check) {
  const std::string text = section.string("quantity").value_or("");
  try {
    const OutputExpression expression = parseOutputExpression(text, namesAllowedInExpressions(context));
    std::string problem;
    if (expression.terms.size() != 1 || formOfFormula(expression.formula) != FormulaShape::variable)
      problem = "a check takes one reduction without arithmetic around it; formulas are for [batch.outputs]";
    if (problem.empty()) problem = readTermOfExpression(context, expression.terms.front(), check);
    if (problem.empty()) problem = moveInstantsIntoRun(context, check);
    if (problem.empty()) return true;
    section.problem("quantity", problem);
  } catch (const FormulaError& error) {
    section.diagnostics().addProblem(section.sourceLocationInString("quantity", error.offset()),
                                     section.pathOf("quantity"), error.what());
  }
  return false;
}

}  // namespace ricochet
