#include "engine/accounts/events.hpp"
#include "engine/contact/followed.hpp"
#include "engine/study/study_links.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/read_parts.hpp"
#include "io/quantities/read_requests.hpp"
#include "physical/elements/beam_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <variant>

namespace ricochet {
namespace {

using P = QuantityPlace;

/// The contact or the link to which an event belongs.
struct EventBody {
  std::optional<int> contact, link;
};
EventBody readContactOrLink(ReadContext& context, const Section& section) {
  if (section.onlyPresentKeyOf({"contact", "link"}) == "link")
    return {std::nullopt, context.readLinkIndex(section, "link")};
  return {context.readContactIndex(section, "contact"), std::nullopt};
}

std::string_view keywordOfLinkLaw(const AnyLinkLaw& any) {
  return std::visit([]<class L>(const L&) { return L::keyword; }, any);
}

/// Index of an internal variable in the memory of a link's law.
std::optional<std::size_t> indexOfInternalVariable(const AnyLinkLaw& law, std::string_view name) {
  const std::span<const LinkVariable> known = internalVariablesOf(law);
  const auto found = std::ranges::find(known, name, &LinkVariable::name);
  if (found == known.end()) return std::nullopt;
  return static_cast<std::size_t>(found - known.begin());
}

template <class L>
bool hasAnyLawInternalVariable(std::string_view name) {
  return indexOfInternalVariable(AnyLinkLaw(L{}), name).has_value();
}

/// Names of all link laws for which `has.operator()<L>()` is true: "laws buckling and crushing".
template <class Has>
std::string namesOfLinkLawsWith(const Has& has) {
  std::vector<std::string_view> names;
  LinkLaws::forEach([&]<class L>() {
    if (has.template operator()<L>()) names.push_back(L::keyword);
  });
  const std::string_view last = names.back();
  names.pop_back();
  return names.empty() ? fmt::format("law {}", last)
                       : fmt::format("laws {} and {}", fmt::join(names, ", "), last);
}

/// Reads the kind of an event of a contact, or of a link with this law.
std::optional<EventKind> readEventKind(const ReadContext& context, const Section& section,
                                       std::optional<int> link) {
  std::vector<std::string_view> kinds(kEventNames.begin(), kEventNames.begin() + kContactEvents);
  if (link) {
    const LinkRequest& request = context.study.links[static_cast<std::size_t>(*link)];
    const std::string_view kind = std::visit([]<class L>(const L&) { return L::kEvent; }, request.law);
    kinds.assign(1, kind);
    if (kind.empty()) {
      section.string("kind", kRequired);
      section.problem(
          "link", fmt::format("link \"{}\" has no events: its law is \"{}\", and {} have them", request.name,
                              keywordOfLinkLaw(request.law), namesOfLinkLawsWith([]<class L>() {
                                return !std::string_view(L::kEvent).empty();
                              })));
      return std::nullopt;
    }
  }
  const std::string written = section.choice("kind", kRequired, kinds);
  const auto found = std::find(kEventNames.begin(), kEventNames.end(), written);
  if (found == kEventNames.end()) return std::nullopt;
  return static_cast<EventKind>(found - kEventNames.begin());
}

/// Reads an instant of the run; returned unchecked if the times of the run are not known.
std::optional<double> readInstantOfRun(const ReadContext& context, const Section& section,
                                       std::string_view key) {
  const ProblemWatch watch(section);
  const std::optional<double> time = section.number(key, {.unit = "s"});
  if (!time || !context.run || !watch.isFreeOfProblems()) return time;
  const std::optional<double> inside = context.run->instantIfWithinRun(*time);
  if (!inside)
    section.problem(key, fmt::format("{} s is outside the run, {}", *time, context.run->description()));
  return inside;
}

void readCheckInterval(const ReadContext& context, const Section& section, CheckRequest& check) {
  check.from = readInstantOfRun(context, section, "from");
  check.to = readInstantOfRun(context, section, "to");
  if (check.from && check.to && *check.to <= *check.from)
    section.problem("to", fmt::format("must be after `from`, {} s", *check.from));
}

/// Reads `time` or `at`, or `statistic` if the quantity allows it.
void readInstantOrStatistic(ReadContext& context, const Section& section, bool takesStatistic,
                            CheckRequest& check) {
  const std::string key = takesStatistic ? section.onlyPresentKeyOf({"time", "at", "statistic"})
                                         : section.onlyPresentKeyOf({"time", "at"});
  if (key == "statistic") {
    std::vector<std::string_view> known;
    for (const Reduction& each : allReductions())
      if (each.isReductionOverInterval()) known.push_back(each.keyword);
    check.statistic = findReduction(section.choice("statistic", kRequired, known));
    readCheckInterval(context, section, check);
    return;
  }
  if (key.empty()) section.number("time", kRequired, {.unit = "s"});
  if (key == "time") check.time = readInstantOfRun(context, section, "time");
  if (key != "at") return;
  const std::optional<Section> event = section.section("at");
  const EventBody body = readContactOrLink(context, *event);
  const std::optional<EventKind> kind = readEventKind(context, *event, body.link);
  const int index = event->integer("index", 1, rangeAtLeast(1.0));
  const int contacts = static_cast<int>(context.study.contacts.size());
  if ((body.contact || body.link) && kind)
    check.at = CheckRequest::EventAt{body.link ? contacts + *body.link : *body.contact, *kind, index};
}

void readNodeKeys(ReadContext& context, const Section& section, CheckRequest& check) {
  check.node = context.readNodeIndex(section, "node");
  check.dof = context.readDofComponent(section, "dof");
  if (section.hasKey("node2")) check.node2 = context.readNodeIndex(section, "node2");
  if (!check.dof) return;
  const auto requireDof = [&](std::string_view key, std::optional<NodeIndex> node) {
    if (!node) return;
    if (const auto absent = reasonForAbsentQuantity(context, {check.quantity, {*node, *check.dof}}))
      section.problem(key, absent->why);
  };
  requireDof("dof", check.node);
  requireDof("node2", check.node2);
}

void readModeOfCheck(const ReadContext& context, const Section& section, CheckRequest& check) {
  const ProblemWatch watch(section);
  check.mode = section.integer("mode", kRequired, rangeAtLeast(1.0));
  check.index = check.mode;
  const std::optional<int> modes = context.study.basis.selection.modes;
  if (watch.isFreeOfProblems() && section.exists() && modes && check.mode > *modes)
    section.problem("mode",
                    fmt::format("must be at most {}, the modes of the basis, got {}", *modes, check.mode));
}

/// Reports a problem if the contact or link does not have the quantity.
void requireQuantityOfBody(const ReadContext& context, const Section& section, CheckRequest& check) {
  const QuantityAt seen = check.history();
  if (const auto absent = reasonForAbsentQuantity(context, seen))
    section.problem(absent->key, absent->why);
  else if (check.quantity->isLinkVariable())
    check.memory = *indexOfInternalVariable(context.study.links[static_cast<std::size_t>(*check.link)].law,
                                            check.quantity->keyword);
}

/// Reads an internal variable of a link's law, given by its name in result files.
void readInternalVariable(const ReadContext& context, const Section& section, CheckRequest& check) {
  const ProblemWatch watch(section);
  check.variable = section.string("variable", kRequired);
  if (!check.link || !watch.isFreeOfProblems() || !section.exists()) return;
  const LinkRequest& link = context.study.links[static_cast<std::size_t>(*check.link)];
  const std::optional<std::size_t> found = indexOfInternalVariable(link.law, check.variable);
  check.memory = found.value_or(0);
  if (found) return;
  const std::span<const LinkVariable> known = internalVariablesOf(link.law);
  const std::string_view law = keywordOfLinkLaw(link.law);
  if (known.empty())
    return section.problem("variable",
                           fmt::format("link \"{}\" has none: law \"{}\" remembers nothing", link.name, law));
  std::vector<std::string> names;
  for (const LinkVariable& each : known) names.emplace_back(each.name);
  section.problem("variable", fmt::format("{}; link \"{}\" of law \"{}\" has {}",
                                          unknownNameMessage("variable", check.variable, names), link.name,
                                          law, fmt::join(names, ", ")));
}

/// Reads the limit of the difference: `absolute` or `relative`.
void readLimitOfCheck(const Section& section, CheckRequest& check) {
  const ProblemWatch watch(section);
  check.reference = section.number("reference", kRequired);
  const bool referenceKnown = watch.isFreeOfProblems();
  const std::string key = section.onlyPresentKeyOf(kRequired, {"absolute", "relative"});
  if (key == "absolute") check.absolute = section.number("absolute", rangeAtLeast(0.0));
  if (key == "relative") check.relative = section.number("relative", rangeAtLeast(0.0));
  if (key == "relative" && referenceKnown && check.reference == 0.0)
    section.problem("relative", "has no meaning with a reference of 0; give `absolute`");
  check.source = section.string("source").value_or("");
  check.published = section.number("published");
}

/// Reads the mode of the run to which a check applies; the quantity must be known.
void readRunOfCheck(const ReadContext& context, const Section& section, CheckRequest& check) {
  if (check.contact || check.link) requireQuantityOfBody(context, section, check);
  const std::optional<std::string> mode = section.choice("mode", {"modal", "direct"});
  check.direct = mode == "direct";
  if (!context.root.hasKey("transient"))
    section.problem("quantity", fmt::format("\"{}\" needs a run: {}", check.quantity->keyword, kGiveRun));
}

void readContactOrLinkOfCheck(ReadContext& context, const Section& section, CheckRequest& check) {
  const EventBody body = readContactOrLink(context, section);
  check.contact = body.contact;
  check.link = body.link;
  check.kind = readEventKind(context, section, check.link);
}

/// Reads the keys of a quantity of a contact that is a number of the whole run.
void readContactKeys(const ReadContext& context, const Section& section, CheckRequest& check) {
  switch (check.quantity->place) {
    case P::impact:
      check.index = section.integer("index", 1, rangeAtLeast(1.0));
      return;
    case P::contactWindow:
      return readContactStatistic(context, section, check);
    case P::contactState:
      check.state = section.choice("state", kRequired, {"open", "closed", "stick", "slip"});
      return readCheckInterval(context, section, check);
    case P::worn:
      readCheckInterval(context, section, check);
      return readWearCheck(context, section, check);
    case P::contactSpan:
      return readCheckInterval(context, section, check);
    default:
      return;
  }
}

void readLinkKeys(const ReadContext& context, const Section& section, CheckRequest& check) {
  if (check.quantity->place == P::linkVariable) readInternalVariable(context, section, check);
  if (check.quantity->place == P::linkPart)
    check.part = section.choice("part", "dissipated", {"dissipated", "stored"});
}

/// Reads the keys that locate a quantity (node, contact, link, ...), besides the keys common to all checks.
void readPlaceOfQuantity(ReadContext& context, const Section& section, CheckRequest& check) {
  const auto readComponent = [&] {
    if (section.hasKey("component")) check.component = section.integer("component", rangeWithin(1.0, 2.0));
  };
  switch (check.quantity->place) {
    case P::nodeSpan:
      readCheckInterval(context, section, check);
      [[fallthrough]];
    case P::node:
      return readNodeKeys(context, section, check);
    case P::beam:
      return readBeamForceCheck(context, section, check);
    case P::linkAxes:
      readComponent();
      [[fallthrough]];
    case P::link:
    case P::linkPart:
    case P::linkVariable:
      check.link = context.readLinkIndex(section, "link");
      return readLinkKeys(context, section, check);
    case P::energyPart:
      check.part = section.choice("part", kRequired,
                                  {"kinetic", "elastic", "damping", "contact", "friction", "external"});
      return;
    case P::event:
      check.index = section.integer("index", 1, rangeAtLeast(1.0));
      return readContactOrLinkOfCheck(context, section, check);
    case P::eventCount:
      readCheckInterval(context, section, check);
      return readContactOrLinkOfCheck(context, section, check);
    case P::coordinate:
    case P::run:
    case P::mode:
    case P::modeAlong:
      return;
    case P::tangents:
      readComponent();
      [[fallthrough]];
    default:
      check.contact = context.readContactIndex(section, "contact");
      return readContactKeys(context, section, check);
  }
}

void readQuantityOfCheck(ReadContext& context, const Section& section, CheckRequest& check) {
  const Quantity& quantity = *check.quantity;
  readPlaceOfQuantity(context, section, check);
  if (quantity.isHistory()) readInstantOrStatistic(context, section, quantity.place != P::energyPart, check);
  if (quantity.place == P::modeAlong) {
    const std::string dof = section.choice("dof", kRequired, {"ux", "uy", "uz"});
    check.dof = Component::ux;
    for (int c = 0; c < 3; ++c)
      if (dof == componentName(componentOfIndex(c))) check.dof = componentOfIndex(c);
  }
  if (quantity.place >= P::mode) return readModeOfCheck(context, section, check);
  readRunOfCheck(context, section, check);
}

/// Reads whether a kinematic quantity includes the motion of the base.
void readAbsoluteMotion(const ReadContext& context, const Section& section, CheckRequest& check) {
  const auto* node = std::get_if<OfNode>(&check.quantity->source);
  if (node == nullptr) return;
  check.absoluteMotion = section.boolean("absolute_motion").value_or(false);
  if (check.absoluteMotion) requireAbsoluteMotion(context, section, "absolute_motion", node->kind);
}

void readCheck(ReadContext& context, const Section& section) {
  CheckRequest check;
  check.where = section.where();
  if (section.kind("quantity") == ValueKind::string &&
      section.string("quantity")->find('(') != std::string::npos) {
    const bool known = readQuantityExpression(context, section, check);
    readLimitOfCheck(section, check);
    if (!known) return section.acceptAllFurtherKeys();
    readAbsoluteMotion(context, section, check);
    readRunOfCheck(context, section, check);
    context.study.checks.push_back(std::move(check));
    return;
  }
  const std::vector<std::string_view> known =
      quantityNames([](const Quantity& each) { return each.isAllowedAsCheckKey(); });
  check.quantity = findCheckQuantity(section.choice("quantity", kRequired, known));
  readLimitOfCheck(section, check);
  if (check.quantity == nullptr) return section.acceptAllFurtherKeys();
  readAbsoluteMotion(context, section, check);
  readQuantityOfCheck(context, section, check);
  context.study.checks.push_back(std::move(check));
}

std::optional<AbsentQuantity> absentQuantityOfContact(const ContactRequest& contact,
                                                      const Quantity& quantity) {
  const auto* shown = std::get_if<OfContact>(&quantity.source);
  if (shown == nullptr) return std::nullopt;
  if (shown->needs == OfContact::Needs::axis && tangentKind(contact.obstacle) != TangentKind::inPlane)
    return AbsentQuantity{"quantity", "is of a contact with an axis: obstacle circle, disc or profile"};
  if (shown->needs == OfContact::Needs::area && !traitsOf(contact.friction.law).ofArea)
    return AbsentQuantity{"quantity",
                          fmt::format("\"{}\": contact \"{}\" has none; it is of friction law \"patch\"",
                                      quantity.keyword, contact.name)};
  return std::nullopt;
}

std::optional<AbsentQuantity> absentQuantityOfLink(const LinkRequest& link, const QuantityAt& at) {
  const std::string_view variable = at.quantity->keyword;
  if (at.quantity->isLinkVariable() && !indexOfInternalVariable(link.law, variable)) {
    std::string inWords(variable);
    std::replace(inWords.begin(), inWords.end(), '_', ' ');
    return AbsentQuantity{
        "link", fmt::format("link \"{}\" has no {}: its law is \"{}\", and {} have one", link.name, inWords,
                            keywordOfLinkLaw(link.law), namesOfLinkLawsWith([&]<class L>() {
                              return hasAnyLawInternalVariable<L>(variable);
                            }))};
  }
  if (at.hasPlace(P::linkAxes) && at.part > static_cast<int>(link.axes.size()))
    return AbsentQuantity{"component", fmt::format("link \"{}\" has one axis", link.name)};
  return std::nullopt;
}

}  // namespace

std::optional<AbsentQuantity> reasonForAbsentQuantity(const ReadContext& context, const QuantityAt& at) {
  const auto body = static_cast<std::size_t>(at.body);
  if (at.isContactQuantity()) return absentQuantityOfContact(context.study.contacts[body], *at.quantity);
  if (at.isLinkQuantity()) return absentQuantityOfLink(context.study.links[body], at);
  if (!(at.hasPlace(P::node) || at.hasPlace(P::nodeSpan)) || context.hasDof(at.dof)) return std::nullopt;
  return AbsentQuantity{"dof", fmt::format("node \"{}\" has no {}: no element gives it one",
                                           context.nodeName(at.dof.node), componentName(at.dof.component))};
}

void readChecks(ReadContext& context) {
  for (const Section& section : context.root.sections("checks")) readCheck(context, section);
}

}  // namespace ricochet
