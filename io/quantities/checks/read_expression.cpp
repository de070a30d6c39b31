// Checks whose quantity is an expression, as outputs of batches are: "max(abs(displacement(shoe, ux)), from =
// 0.1)".

#include "io/deck/deck.hpp"
#include "io/quantities/read_requests.hpp"

#include <fmt/core.h>

#include <array>
#include <string_view>

namespace ricochet {
namespace {

using Kind = OutputTerm::Kind;

/// In the order of OutputChannel::Kind.
constexpr std::array<std::string_view, 9> kQuantityOf{"displacement",  "velocity",     "acceleration",
                                                      "gap",           "normal_force", "tangential_force",
                                                      "slip_velocity", "link_force",   "link_displacement"};

void readChannel(const OutputChannel& channel, CheckRequest& check) {
  check.quantity = kQuantityOf[static_cast<std::size_t>(channel.kind)];
  if (channel.isKinematic()) {
    check.node = channel.dof.node;
    check.dof = channel.dof.component;
    return;
  }
  (channel.isOfLink() ? check.link : check.contact) = channel.contact;
  if (channel.component != 0) check.component = channel.component;
}

/// What `statistic` of a check is called; empty: a check has no such reduction.
std::string_view statisticOf(Kind kind, FormulaShape shape) {
  const bool isSize = shape == FormulaShape::absolute;
  switch (kind) {
    case Kind::max:
      return isSize ? "max_abs" : "max";
    case Kind::rms:
      return "rms";
    case Kind::min:
      return isSize ? "" : "min";
    case Kind::mean:
      return isSize ? "" : "mean";
    case Kind::peakToPeak:
      return isSize ? "" : "peak_to_peak";
    default:
      return "";
  }
}

/// The contact or link of an event: empty, or why there is no such event.
std::string readBody(const ReadContext& context, const OutputTerm& term, CheckRequest& check) {
  const auto contacts = static_cast<int>(context.study.contacts.size());
  if (term.contact < contacts) {
    check.contact = term.contact;
    if (static_cast<std::size_t>(term.event) < kContactEvents) return {};
    return fmt::format("{} is no event of a contact", name(term.event));
  }
  check.link = term.contact - contacts;
  const LinkRequest& link = context.study.links[static_cast<std::size_t>(*check.link)];
  const std::string_view own =
      std::visit([]<class L>(const L&) { return std::string_view(L::kEvent); }, link.law);
  if (own == name(term.event)) return {};
  return fmt::format("link \"{}\" has no event {}{}", link.name, name(term.event),
                     own.empty() ? "" : fmt::format("; it has {}", own));
}

/// The reduction of a history: empty, or what a check cannot do.
std::string readHistory(const ReadContext& context, const OutputTerm& term, CheckRequest& check) {
  const FormulaShape shape = shapeOf(term.history->formula);
  if (term.history->channels.size() != 1 || shape == FormulaShape::other)
    return "a check takes one history or its abs(); formulas of histories are for [batch.outputs]";
  readChannel(term.history->channels.front(), check);
  if (term.isStatistic()) {
    check.statistic = statisticOf(term.kind, shape);
    check.from = term.from;
    check.to = term.to;
    return check.statistic.empty() ? "a check has no such reduction of abs(); max and rms have it" : "";
  }
  if (shape == FormulaShape::absolute) return "a check takes a value at an instant as it is, without abs()";
  check.time = term.kind == Kind::at ? term.time : context.run ? context.run->end : 0.0;
  return {};
}

std::string readTerm(const ReadContext& context, const OutputTerm& term, CheckRequest& check) {
  switch (term.kind) {
    case Kind::eventTime:
    case Kind::eventCount:
      check.quantity = term.kind == Kind::eventTime ? "event" : "event_count";
      check.kind = term.event;
      check.index = term.index;
      return readBody(context, term, check);
    case Kind::frictionEnergy:
    case Kind::wearPower:
      check.quantity = term.kind == Kind::frictionEnergy ? "friction_energy" : "wear_power";
      check.contact = term.contact;
      return {};
    case Kind::energyError:
      check.quantity = "energy_error";
      return {};
    case Kind::impulse:
      return "of all impacts together there is no check; `quantity = \"impulse\"` with `index` is of one";
    default:
      return readHistory(context, term, check);
  }
}

/// Instants of the check inside the run, moved onto its ends where rounding tells them apart.
std::string putInside(const ReadContext& context, CheckRequest& check) {
  if (!context.run) return {};
  for (std::optional<double>* each : {&check.time, &check.from, &check.to}) {
    if (!*each) continue;
    const std::optional<double> inside = context.run->inside(**each);
    if (!inside) return fmt::format("{} s is outside the run, {}", **each, context.run->text());
    *each = inside;
  }
  return {};
}

}  // namespace

ExpressionNames expressionNames(const ReadContext& context) {
  return {context.nodes.all(), context.contacts.all(), context.links.all(), context.nodes.indices(),
          [&context](const Dof& dof) { return context.hasDof(dof); }};
}

bool readQuantityExpression(const ReadContext& context, const Section& section, CheckRequest& check) {
  const std::string text = section.string("quantity").value_or("");
  try {
    const OutputExpression expression = parseOutput(text, expressionNames(context));
    std::string problem;
    if (expression.terms.size() != 1 || shapeOf(expression.formula) != FormulaShape::variable)
      problem = "a check takes one reduction without arithmetic around it; formulas are for [batch.outputs]";
    if (problem.empty()) problem = readTerm(context, expression.terms.front(), check);
    if (problem.empty()) problem = putInside(context, check);
    if (problem.empty()) return true;
    section.problem("quantity", problem);
  } catch (const FormulaError& error) {
    section.diagnostics().add(section.whereInString("quantity", error.offset()), section.pathOf("quantity"),
                              error.what());
  }
  return false;
}

}  // namespace ricochet
